//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"errors"
	"os"
)

// What the first handshake says.
const (
	fsEnabled  = 0x80000001
	fsMapSize  = 0x40000000
	fsAutodict = 0x10000000
	fsShared   = 0x01000000
)

// greet is the handshake.
func (s *supervisor) greet() error {
	return s.greetOld()
}

// greetOld is the handshake of tools before 4.20c, which later ones accept.
func (s *supervisor) greetOld() error {
	hello := uint32(fsEnabled | fsMapSize | (s.layout.size(false)-1)<<1)
	offered := os.Getenv(envCases) != ""
	if offered {
		hello |= fsShared
	}
	if err := s.answer(hello); err != nil {
		return err
	}
	if !offered {
		return nil
	}
	word, ok := readWord(controlFD)
	if !ok {
		return errors.New("the tool has ended the handshake")
	}
	if word&fsEnabled != fsEnabled {
		s.early = &word
		return nil
	}
	s.cases = word&fsShared != 0
	return nil
}
