//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// A supervisor answers the tool for a child, and starts another one when that
// has died. No code of the user runs in it.
type supervisor struct {
	Settings
	program Program
	layout  layout
	tool    tool
	mem     segment // the map
	shared  *control
	ledger  ledger
	tally   *Tally

	cases bool    // come in shared memory
	slots bool    // the tool knows those of IJON
	futex int     // where in mem the tool's futex is; 0 if it has none
	early *uint32 // a request that came instead of an answer

	child, victim int    // their process ids; 0 is none
	doomed        uint32 // how a child has died between two runs
}

// open gets what supervisor and child share.
func (s *supervisor) open() (err error) {
	if s.mem, err = attach(envMap); err != nil {
		return err
	}
	if s.shared, s.ledger, err = newControl(); err != nil {
		return err
	}
	s.tally, err = openTally(s.Settings.tally)
	return err
}

// serve serves the tool until it wants no more.
func (s *supervisor) serve() error {
	switch {
	case s.futex != 0:
		return s.serveFutex()
	case s.sync == "stop":
		return s.serveStop()
	case s.sync == "futex":
		fmt.Fprintln(os.Stderr, "ijongo: AFL++: the tool has no futex: "+EnvSync+"=pipe")
	}
	return s.servePipe()
}

// request waits for the tool to want a run. It tells whether the run before
// was too long. There are no more if ok is false.
func (s *supervisor) request() (late, ok bool) {
	if s.early != nil {
		late, s.early = *s.early != 0, nil
		return late, true
	}
	word, ok := readWord(controlFD)
	return word != 0, ok
}

// answer writes a word to the tool.
func (s *supervisor) answer(word uint32) error {
	if !writeWord(statusFD, word) {
		return errors.New("the tool has closed its pipe")
	}
	return nil
}

// report tells the tool how the child that made the run has died.
func (s *supervisor) report(status syscall.WaitStatus) error {
	s.mem[0] = 1
	s.tally.run()
	return s.answer(verdict(status))
}

// verdict is the end of a child as the tool is to see it: an exit with a code
// is a crash, which to the tool is a signal.
func verdict(status syscall.WaitStatus) uint32 {
	if status.Exited() && status.ExitStatus() != 0 {
		return uint32(syscall.SIGABRT)
	}
	return uint32(status)
}

func killed(status syscall.WaitStatus) bool {
	return status.Signaled() && status.Signal() == syscall.SIGKILL
}

// A child may die before its first run: a machine may be short of memory for
// a moment. It is given up when that happens time and again.
const (
	startMost  = 5
	startLimit = time.Minute
)

// start gets a child that is there for its first run.
func (s *supervisor) start(form string) error {
	for n := 0; n < startMost; n++ {
		atomic.StoreUint32(&s.shared.phase, starting)
		if err := s.breed(form); err != nil {
			return err
		}
		if s.ready() {
			return nil
		}
	}
	return fmt.Errorf("the target has ended %d times before its first run (does it pass with -test.run alone?)", startMost)
}

// ready waits until the child is there. It is not if it dies before that, or
// takes for ever. One that has been there may have died since, which whoever
// waits for it will hear.
func (s *supervisor) ready() bool {
	step := syscall.NsecToTimespec(int64(10 * time.Millisecond))
	for from := time.Now(); time.Since(from) < startLimit; {
		futexSleep(&s.shared.phase, starting, &step)
		dead := isDead(s.child) // asked first: the dead do not go on to another phase
		if atomic.LoadUint32(&s.shared.phase) != starting {
			return true
		}
		if dead {
			await(s.child, 0)
			s.orphan()
			return false
		}
	}
	if !atomic.CompareAndSwapUint32(&s.shared.phase, starting, aborted) {
		return true // at the last moment
	}
	s.kill()
	return false
}

// isDead tells whether a process has died, and leaves it to be waited for.
func isDead(pid int) bool {
	var info [128]byte
	_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid), uintptr(unsafe.Pointer(&info)),
		syscall.WEXITED|syscall.WNOHANG|syscall.WNOWAIT, 0, 0)
	return errno == 0 && *wordAt(info[:], 0) != 0 // the signal that tells of it
}

// await waits until a process has died or, with an option, stopped.
func await(pid, options int) syscall.WaitStatus {
	var status syscall.WaitStatus
	for {
		if _, err := syscall.Wait4(pid, &status, options, nil); err != syscall.EINTR {
			return status
		}
	}
}

// kill ends the child and what it has started.
func (s *supervisor) kill() syscall.WaitStatus {
	syscall.Kill(s.child, syscall.SIGKILL)
	status := await(s.child, 0)
	s.orphan()
	return status
}

// orphan forgets the child, which has died, and ends what it has left behind.
func (s *supervisor) orphan() {
	syscall.Kill(-s.child, syscall.SIGKILL) // an error means that there is nobody
	s.child = 0
}
