package fuzz

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"sync/atomic"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// A link is the target's end of the two pipes to its campaign.
type link struct {
	out  *os.File
	in   *os.File
	dec  *json.Decoder
	gone uint32 // 1 once the campaign wants no more
}

func openLink() *link {
	l := &link{out: os.NewFile(wire.OutFD, "campaign"), in: os.NewFile(wire.InFD, "requests")}
	l.dec = json.NewDecoder(bufio.NewReader(l.in))
	return l
}

func (l *link) close() {
	l.out.Close()
	l.in.Close()
}

// send writes one message. A campaign that does not read any more is one that
// wants no more.
func (l *link) send(m *wire.Message) {
	line, err := wire.Encode(m)
	if err == nil {
		_, err = l.out.Write(line)
	}
	if err != nil {
		l.stop()
	}
}

// fail tells the campaign why this process cannot go on.
func (l *link) fail(err error) { l.send(&wire.Message{Error: err.Error()}) }

// request reads the next request; ok is false when there will be none.
func (l *link) request() (r wire.Request, ok bool, err error) {
	err = l.dec.Decode(&r)
	if err == io.EOF {
		return r, false, nil
	}
	return r, err == nil, err
}

// watch sets the stop flag when the campaign closes its end or dies.
func (l *link) watch() {
	go func() {
		var word [64]byte
		for {
			if _, err := l.in.Read(word[:]); err != nil {
				l.stop()
				return
			}
		}
	}()
}

func (l *link) stop()         { atomic.StoreUint32(&l.gone, 1) }
func (l *link) stopped() bool { return atomic.LoadUint32(&l.gone) != 0 }
