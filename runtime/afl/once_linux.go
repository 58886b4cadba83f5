//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"os"
	"syscall"
)

// once makes a single run, and then ends this process as the child has ended.
func (s *supervisor) once() error {
	if err := s.breed("once"); err != nil {
		return err
	}
	status := await(s.child, 0)
	s.orphan()
	s.mem[0] = 1
	if v := syscall.WaitStatus(verdict(status)); v.Signaled() {
		s.tally.run()
		die(v.Signal())
	}
	os.Exit(0)
	return nil
}

// single is the form of a run without a fork server.
type single struct{ over bool }

func (s *single) next() bool {
	more := !s.over
	s.over = true
	return more
}

func (s *single) done() {}
