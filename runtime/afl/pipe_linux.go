//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// In the form pipe the child owns the pipes to the tool, and the supervisor
// only sees to deaths. That saves two changes of process in a run.
//
// What the tool kills when a run takes too long is a victim, a process that
// sleeps. If it were the child, it might die with its answer half given: with
// the victim, the tool's question and the answer are one word in memory that
// supervisor and child agree on.

// The phases of a child, in the control page.
const (
	idle     uint32 = iota // no run is wanted, as far as the child knows
	starting               // it has been told of a run and is not there yet
	taking                 // it takes a request and says the victim's name
	running
	reporting // it tells the tool that the run is over
	aborted   // the run is too long: the child must not report it
)

const victimRole = "victim"

// beVictim sleeps until it is killed, by any signal.
func beVictim() {
	syscall.Close(controlFD)
	syscall.Close(statusFD)
	for sig := syscall.Signal(1); sig <= 64; sig++ {
		plain(sig)
	}
	for {
		syscall.Pause()
	}
}

// piped is the child's side.
type piped struct{ shared *control }

func (p *piped) next() bool {
	late := false
	if !atomic.CompareAndSwapUint32(&p.shared.phase, starting, taking) {
		awaitReadable(controlFD, nil)
		atomic.StoreUint32(&p.shared.phase, taking)
		word, ok := takeWord(controlFD)
		if !ok {
			atomic.StoreUint32(&p.shared.phase, idle)
			return false
		}
		late = word != 0
	}
	for named := atomic.LoadUint32(&p.shared.named); late && atomic.LoadUint32(&p.shared.victim) == named; {
		futexSleep(&p.shared.victim, named, nil) // until the supervisor has found it dead
	}
	writeWord(statusFD, p.shared.name()) // who does not read it has gone
	atomic.StoreUint32(&p.shared.phase, running)
	return true
}

// name is the victim, which the tool is to be told of.
func (c *control) name() uint32 {
	victim := atomic.LoadUint32(&c.victim)
	atomic.StoreUint32(&c.named, victim)
	return victim
}

func (p *piped) done() {
	if !atomic.CompareAndSwapUint32(&p.shared.phase, running, reporting) {
		select {} // the supervisor is about to kill this process
	}
	writeWord(statusFD, 0)
	atomic.StoreUint32(&p.shared.phase, idle)
}

// pipe serves the tool.
func (s *supervisor) pipe() error {
	failures := 0
	for {
		late, ok := s.request()
		if !ok {
			return nil
		}
		if s.victim == 0 || late && s.shared.named == uint32(s.victim) {
			if err := s.renewVictim(); err != nil {
				return err
			}
		}
		if s.doomed != 0 {
			if err := s.blame(); err != nil {
				return err
			}
			continue
		}
		for started := false; !started; {
			if failures == startMost {
				return errStart
			}
			atomic.StoreUint32(&s.shared.phase, starting)
			if err := s.breed("pipe"); err != nil {
				return err
			}
			var err error
			if started, err = s.watch(); err != nil {
				return err
			}
			failures++
			if started {
				failures = 0
			}
		}
	}
}

// blame puts the death of a child between two runs down to the run that is
// wanted now.
func (s *supervisor) blame() error {
	if err := s.answer(s.shared.name()); err != nil {
		return err
	}
	s.mem[0] = 1
	s.tally.run(0)
	status := s.doomed
	s.doomed = 0
	return s.answer(status)
}

// renewVictim gets a victim that is alive.
func (s *supervisor) renewVictim() error {
	if s.victim != 0 {
		syscall.Kill(s.victim, syscall.SIGKILL)
		bury(s.victim)
	}
	return s.newVictim()
}

func (s *supervisor) newVictim() (err error) {
	if s.victim, err = spawn(victimRole, os.Args[:1], nil); err != nil {
		return err
	}
	atomic.StoreUint32(&s.shared.victim, uint32(s.victim))
	futexRouse(&s.shared.victim)
	return nil
}

// watch waits until the child is dead and the tool knows. It has not started
// if it has died before it asked for its first run.
func (s *supervisor) watch() (started bool, err error) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return false, os.NewSyscallError("wait4", err)
		case pid == s.child:
			s.orphan()
			return s.settle(status)
		case pid != s.victim:
		case atomic.CompareAndSwapUint32(&s.shared.phase, running, aborted):
			return true, s.expire(status)
		default:
			if err := s.newVictim(); err != nil {
				return false, err
			}
		}
	}
}

// expire ends a run whose victim the tool has killed.
func (s *supervisor) expire(status syscall.WaitStatus) error {
	if own := s.kill(); own != syscall.WaitStatus(syscall.SIGKILL) {
		status = own // it has died by itself, just in time
	}
	if err := s.newVictim(); err != nil {
		return err
	}
	return s.report(status)
}

// settle tells the tool what it has not been told when a child died.
func (s *supervisor) settle(status syscall.WaitStatus) (started bool, err error) {
	switch atomic.LoadUint32(&s.shared.phase) {
	case starting:
		return false, nil
	case taking:
		if s.requested() {
			s.doom(status)
			return true, nil
		}
		if unread(statusFD) == 0 && !s.missed(patience) {
			if err := s.answer(s.shared.name()); err != nil {
				return true, err
			}
		}
		return true, s.report(status)
	case running:
		return true, s.report(status)
	case reporting:
		if !s.missed(never) {
			s.doom(status)
			return true, nil
		}
		return true, s.report(status)
	}
	s.doom(status)
	return true, nil
}

// doom remembers a death between two runs. To have been killed there says
// nothing of the program, and to have left is no death.
func (s *supervisor) doom(status syscall.WaitStatus) {
	if status.Signaled() && status.Signal() == syscall.SIGKILL {
		return
	}
	s.doomed = verdict(status)
}

// requested tells whether a request waits to be read.
func (s *supervisor) requested() bool { return awaitReadable(controlFD, &syscall.Timespec{}) }

const (
	patience = 2 * time.Minute
	never    = 1 << 62
)

// missed finds out whether the tool waits for the end of a run, when a child
// has died where it may or may not have written a word: a tool that waits
// kills the victim after a time, one that does not asks for the next run.
func (s *supervisor) missed(limit time.Duration) bool {
	step := syscall.Timespec{Nsec: 1e6}
	for waited := time.Duration(0); waited < limit; waited += time.Millisecond {
		if awaitReadable(controlFD, &step) {
			return false
		}
		var status syscall.WaitStatus
		if pid, _ := syscall.Wait4(s.victim, &status, syscall.WNOHANG, nil); pid == s.victim {
			// It may have got the word at the last moment.
			asks := awaitReadable(controlFD, &syscall.Timespec{Sec: 1})
			s.victim = 0
			return !asks
		}
	}
	return false
}
