//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"errors"
	"os"
	"strconv"
)

// What the handshake before 4.20c says, which later tools accept: one word,
// and one in answer if something was offered.
const (
	oldEnabled  = 0x80000001
	oldMapSize  = 0x40000000
	oldAutodict = 0x10000000
	oldShared   = 0x01000000
)

// What the later handshake says: a hello, options, what these need, and the
// hello again.
const (
	newHello    = 0x41464c01 // version 1
	newMapSize  = 0x1
	newShared   = 0x2
	newFutex    = 0x4
	newAutodict = 0x800
	newIJON     = 0x04000000
)

var errHandshake = errors.New("the tool has ended the handshake")

// greet agrees with the tool on what both can do.
func (s *supervisor) greet() error {
	if s.speech() == old {
		return s.greetOld()
	}
	return s.greetNew()
}

func (s *supervisor) greetOld() error {
	hello := uint32(oldEnabled | oldMapSize | (s.layout.size(false)-1)<<1)
	shared, words := os.Getenv(envCases) != "", s.autodict()
	if shared {
		hello |= oldShared
	}
	if words != nil {
		hello |= oldAutodict
	}
	if err := s.answer(hello); err != nil {
		return err
	}
	if !shared && words == nil {
		return nil
	}
	word, ok := readWord(controlFD)
	if !ok {
		return errHandshake
	}
	if word&oldEnabled != oldEnabled {
		s.early = &word // it has asked for a run
		return nil
	}
	s.cases = shared && word&oldShared != 0
	if words != nil && word&oldAutodict != 0 {
		return s.send(words)
	}
	return nil
}

func (s *supervisor) greetNew() error {
	if err := s.answer(newHello); err != nil {
		return err
	}
	word, ok := readWord(controlFD)
	if !ok {
		return errHandshake
	}
	if word != ^uint32(newHello) {
		s.early = &word // an old tool has taken the hello for its own, and asks for a run
		return nil
	}
	s.cases = os.Getenv(envCases) != ""
	s.slots = s.Maxima && s.layout.room > 0 && s.tool.searches() && os.Getenv(envNoIJON) == ""
	s.futex = s.futexOffered()
	words := s.autodict()
	if err := s.answer(s.options(words != nil)); err != nil {
		return err
	}
	if err := s.answer(uint32(s.layout.size(s.slots))); err != nil {
		return err
	}
	if words != nil {
		if err := s.send(words); err != nil {
			return err
		}
	}
	return s.answer(newHello)
}

func (s *supervisor) options(words bool) uint32 {
	options := uint32(newMapSize)
	for _, o := range []struct {
		on  bool
		bit uint32
	}{{s.cases, newShared}, {s.futex != 0, newFutex}, {words, newAutodict}, {s.slots, newIJON}} {
		if o.on {
			options |= o.bit
		}
	}
	return options
}

// futexOffered is where in the segment the tool has put the word to take
// turns with; 0 is nowhere, or not to be used.
func (s *supervisor) futexOffered() int {
	at, err := strconv.Atoi(os.Getenv(envFutex))
	if err != nil || at%4 != 0 || at < s.layout.size(s.slots) || at+4 > len(s.mem) {
		return 0
	}
	if s.sync != "auto" && s.sync != "futex" {
		return 0
	}
	return at
}

// The bounds of a dictionary, and of a word, which has its length in a byte.
const (
	wordMost = 128
	dictMost = 0xffffff
)

// autodict is what an input may have to contain as the tool wants it, or nil.
func (s *supervisor) autodict() (blob []byte) {
	if os.Getenv(envNoAutodict) != "" {
		return nil
	}
	for _, w := range s.program.Words {
		if len(w) == 0 || len(w) > wordMost {
			continue
		}
		if len(blob)+1+len(w) > dictMost {
			break
		}
		blob = append(append(blob, byte(len(w))), w...)
	}
	return blob
}

// send sends a dictionary.
func (s *supervisor) send(blob []byte) error {
	if err := s.answer(uint32(len(blob))); err != nil {
		return err
	}
	return writeAll(statusFD, blob)
}
