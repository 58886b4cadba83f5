//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"syscall"
)

// once makes a single run, and then ends this process as the child has ended.
func (s *supervisor) once() {
	s.cases = false
	if err := s.breed("once"); err != nil {
		panic(err)
	}
	status := bury(s.child)
	s.orphan()
	s.mem[0] = 1
	switch v := syscall.WaitStatus(verdict(status)); {
	case v.Signaled():
		die(v.Signal())
	default:
		syscall.Exit(v.ExitStatus())
	}
}

// single is the form of a run without a fork server.
type single struct{ over bool }

func (s *single) next() bool {
	more := !s.over
	s.over = true
	return more
}

func (s *single) done() {}
