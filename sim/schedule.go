package sim

import (
	"encoding/binary"

	ijon "github.com/ijongo/ijongo/runtime"
)

const (
	seedBytes   = 8 // width of the seed at the front of the header
	recordBytes = 4 // width of an event record: kind, A, B, C
)

// An Event is one decoded record.
type Event struct {
	Kind    int // index into Format.Kinds
	A, B, C byte
}

// A Format is the byte layout of a harness's schedules.
type Format struct {
	Config int         // configuration bytes in the header, behind the seed
	Kinds  []ijon.Kind // the kinds of event; at most 256

	// Nodes is the number of nodes in a run with these configuration bytes, for
	// an engine that changes which nodes events happen to; nil if the kinds do
	// not say which of their fields pick one.
	Nodes func(config []byte) int
}

// Layout is the format as an engine sees it.
func (f *Format) Layout() ijon.Layout {
	l := ijon.Layout{Header: f.header(), Record: recordBytes, Kinds: f.Kinds}
	if f.Nodes != nil {
		l.Nodes = func(header []byte) int { return f.Nodes(header[seedBytes:]) }
	}
	return l
}

func (f *Format) header() int { return seedBytes + f.Config }

// Seed is the seed in the header of data.
func (f *Format) Seed(data []byte) uint64 {
	var b [seedBytes]byte
	copy(b[:], data)
	return binary.LittleEndian.Uint64(b[:])
}

// Configuration copies the configuration bytes of data to buf, which has
// Format.Config bytes.
func (f *Format) Configuration(data, buf []byte) {
	n := 0
	if len(data) > seedBytes {
		n = copy(buf, data[seedBytes:])
	}
	for ; n < len(buf); n++ {
		buf[n] = 0
	}
}

// Events is the number of whole records in data.
func (f *Format) Events(data []byte) int {
	if len(data) < f.header() {
		return 0
	}
	return (len(data) - f.header()) / recordBytes
}

// Event decodes record i of data.
func (f *Format) Event(data []byte, i int) Event {
	r := data[f.header()+i*recordBytes:]
	return Event{Kind: int(r[0]) % len(f.Kinds), A: r[1], B: r[2], C: r[3]}
}

// Header starts an input: the seed and the configuration bytes.
func (f *Format) Header(seed uint64, config ...byte) []byte {
	data := make([]byte, f.header())
	binary.LittleEndian.PutUint64(data, seed)
	copy(data[seedBytes:], config)
	return data
}

// Append adds the record of e to an input.
func (f *Format) Append(data []byte, e Event) []byte {
	return append(data, byte(e.Kind), e.A, e.B, e.C)
}
