//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"sync/atomic"
	"syscall"
)

// In the form futex the tool and the child take turns with a word in shared
// memory, and the supervisor hears of a run only when the child is new, or
// dies. The tool tells where the word is.

// The values of the word.
const (
	turnNone  uint32 = iota // the child is new
	turnChild               // a run is wanted
	turnTool                // the run is over
	turnDead                // the child has died: there is a status to read
)

// serveFutex serves the tool.
func (s *supervisor) serveFutex() error {
	word := wordAt(s.mem, s.futex)
	for {
		if _, ok := s.request(); !ok {
			return nil
		}
		atomic.StoreUint32(word, turnNone)
		if err := s.start("futex"); err != nil {
			return err
		}
		if err := s.answer(uint32(s.child)); err != nil {
			return err
		}
		status := await(s.child, 0)
		s.orphan()
		if atomic.LoadUint32(word) == turnTool && killed(status) {
			status = 0 // between two runs: that says nothing of the program
		}
		// The status first: who sees the word reads it.
		if err := s.report(status); err != nil {
			return err
		}
		s.mournTurn(word)
	}
}

// mournTurn tells the tool that the child is dead until it asks for the next
// one: it may be about to give the turn to the child.
func (s *supervisor) mournTurn(word *uint32) {
	for step := int64(1e6); ; step = least(2*step, 1e8) {
		if turn := atomic.LoadUint32(word); turn != turnDead && atomic.CompareAndSwapUint32(word, turn, turnDead) {
			futexRouse(word)
		}
		if awaitReadable(controlFD, &syscall.Timespec{Nsec: step}) {
			return
		}
	}
}

func least(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

// turns is the child's side.
type turns struct {
	shared *control
	word   *uint32
	begun  bool
}

func (f *turns) next() bool {
	if !f.begun {
		f.begun = true
		f.shared.ready(running)
		return true
	}
	for {
		switch turn := atomic.LoadUint32(f.word); turn {
		case turnChild:
			return true
		case turnDead:
			return false
		default:
			futexSleep(f.word, turn, nil)
		}
	}
}

func (f *turns) done() {
	if atomic.CompareAndSwapUint32(f.word, turnChild, turnTool) || atomic.CompareAndSwapUint32(f.word, turnNone, turnTool) {
		futexRouse(f.word)
	}
}
