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
// the victim, whether the child or the tool was first is decided by one word
// of memory that supervisor and child share.

// The phases of a child.
const (
	idle      uint32 = iota // no run is wanted, as far as the child knows
	starting                // it has been told of a run and is not there yet
	taking                  // it reads a request
	naming                  // it tells the tool the victim, which may be killed from now on
	running                 // it makes the run
	finishing               // the run is over
	reporting               // it tells the tool so
	aborted                 // the run was too long: the child must not report it
	unnamed                 // the same, and the tool may not know the victim yet
)

const victimRole = "victim"

// beVictim sleeps until it is killed, by any signal.
func beVictim() {
	syscall.Close(controlFD)
	syscall.Close(statusFD)
	for sig := syscall.Signal(1); sig <= 64; sig++ {
		plain(sig)
	}
	sleep()
}

// piped is the child's side. From one phase to the next it lets no other
// goroutine run, whose panic would be one at the worst of moments.
type piped struct {
	shared *control
	ledger ledger
	at     uint32 // in the ledger
	begun  bool
}

func newPiped(shared *control, l ledger) *piped { return &piped{shared: shared, ledger: l, at: l.at()} }

func (p *piped) next() bool {
	phase := &p.shared.phase
	if !p.begun {
		p.begun = true
		p.shared.ready(taking)
	} else {
		awaitReadable(controlFD, nil)
		atomic.StoreUint32(phase, taking)
		word, ok := takeWord(controlFD)
		if !ok {
			atomic.StoreUint32(phase, idle)
			return false
		}
		if word != 0 {
			p.shared.mourn()
		}
	}
	p.send(naming, p.shared.name())
	if !atomic.CompareAndSwapUint32(phase, naming, running) {
		sleep() // the supervisor is about to kill this process
	}
	return true
}

func (p *piped) done() {
	phase := &p.shared.phase
	if !atomic.CompareAndSwapUint32(phase, running, finishing) {
		sleep()
	}
	p.send(reporting, 0)
	atomic.StoreUint32(phase, idle)
}

// send sends the tool a word, in a phase of its own.
func (p *piped) send(phase, word uint32) {
	p.at = p.ledger.next(p.at)
	atomic.StoreUint32(&p.shared.sent, p.at)
	atomic.StoreUint32(&p.shared.phase, phase)
	p.at = p.ledger.send(p.at, word)
}

// sent tells whether the tool has got the word of the phase in which a child
// has died.
func (s *supervisor) sent() bool { return s.ledger.at() != atomic.LoadUint32(&s.shared.sent) }

// name is the victim, which the tool is about to be told of.
func (c *control) name() uint32 {
	for {
		victim := atomic.LoadUint32(&c.victim)
		atomic.StoreUint32(&c.named, victim)
		if atomic.LoadUint32(&c.victim) == victim {
			return victim // who replaces it from now on looks at what was named
		}
	}
}

// mourn waits until the supervisor has found the victim dead that the tool was
// told of, and has another one.
func (c *control) mourn() {
	for named := atomic.LoadUint32(&c.named); atomic.LoadUint32(&c.victim) == named; {
		futexSleep(&c.victim, named, nil)
	}
}

// servePipe serves the tool.
func (s *supervisor) servePipe() error {
	for {
		late, ok := s.request()
		if !ok {
			return nil
		}
		if err := s.mend(late); err != nil {
			return err
		}
		if s.doomed != 0 {
			if err := s.blame(); err != nil {
				return err
			}
			continue
		}
		if err := s.start("pipe"); err != nil {
			return err
		}
		if err := s.watch(); err != nil {
			return err
		}
	}
}

// mend gets a victim that is alive. The tool has killed the one that it was
// told of, or is about to, if the last run was too long.
func (s *supervisor) mend(late bool) error {
	if late && s.victim != 0 && uint32(s.victim) == atomic.LoadUint32(&s.shared.named) {
		syscall.Kill(s.victim, syscall.SIGKILL)
		await(s.victim, 0)
		s.victim = 0
	}
	if s.victim != 0 {
		return nil
	}
	return s.newVictim()
}

func (s *supervisor) newVictim() (err error) {
	if s.victim, err = spawn(victimRole, os.Args[:1], os.Environ(), nil); err != nil {
		return err
	}
	atomic.StoreUint32(&s.shared.victim, uint32(s.victim))
	futexRouse(&s.shared.victim)
	return nil
}

// watch waits until the child is dead and the tool has been told.
func (s *supervisor) watch() error {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return os.NewSyscallError("wait4", err)
		case pid == s.child:
			s.orphan()
			return s.settle(status)
		case pid == s.victim:
			s.victim = 0
			if over, err := s.bereft(pid); err != nil {
				return err
			} else if over {
				return s.expire(status)
			}
		}
	}
}

// bereft gets another victim, and tells whether the death of the last one is
// the end of the run in hand.
func (s *supervisor) bereft(victim int) (over bool, err error) {
	if s.abort() {
		return true, nil
	}
	if err := s.newVictim(); err != nil {
		return false, err
	}
	return s.endedBy(victim), nil
}

// endedBy ends the run in hand if the tool is told of a victim that is dead and
// replaced. Somebody else has killed that one, and it could not end a run that is too
// long. A child that has named the new one may take a request already for which that
// one is dead too.
func (s *supervisor) endedBy(victim int) bool {
	for s.named(victim) && atomic.LoadUint32(&s.shared.phase) == taking && !isDead(s.child) {
		time.Sleep(100 * time.Microsecond)
	}
	return s.named(victim) && s.abort()
}

// named tells whether a victim is the one that the tool was told last.
func (s *supervisor) named(victim int) bool {
	return atomic.LoadUint32(&s.shared.named) == uint32(victim)
}

// abort tells whether the run in hand is over because its victim is dead. It
// is not if it is being reported, or has been.
func (s *supervisor) abort() bool {
	phase := &s.shared.phase
	return atomic.CompareAndSwapUint32(phase, running, aborted) || atomic.CompareAndSwapUint32(phase, naming, unnamed)
}

// expire ends a run whose victim is dead. The tool has killed it, or else may
// not have been told of it yet.
func (s *supervisor) expire(status syscall.WaitStatus) error {
	if own := s.kill(); !killed(own) {
		status = own // it has died by itself, just in time
	}
	if err := s.mend(false); err != nil {
		return err
	}
	if atomic.LoadUint32(&s.shared.phase) == unnamed && !s.sent() {
		if err := s.answer(s.shared.name()); err != nil {
			return err
		}
	}
	return s.report(status)
}

// settle tells the tool what it has not been told when a child died.
func (s *supervisor) settle(status syscall.WaitStatus) error {
	switch atomic.LoadUint32(&s.shared.phase) {
	case taking:
		if !s.requested() {
			return s.tell(status)
		}
	case naming:
		if !s.sent() {
			return s.tell(status)
		}
		return s.report(status)
	case running:
		return s.report(status)
	case finishing:
		if err := s.answer(0); err != nil {
			return err
		}
	case reporting:
		if s.sent() {
			break
		}
		if err := s.answer(0); err != nil {
			return err
		}
	}
	s.doom(status)
	return nil
}

// tell makes a run of a request that a child has read and not answered.
func (s *supervisor) tell(status syscall.WaitStatus) error {
	if err := s.mend(true); err != nil { // perhaps it was late
		return err
	}
	if err := s.answer(s.shared.name()); err != nil {
		return err
	}
	return s.report(status)
}

// doom remembers a death between two runs. To have been killed there says
// nothing of the program, and to have left is no death.
func (s *supervisor) doom(status syscall.WaitStatus) {
	if !killed(status) {
		s.doomed = verdict(status)
	}
}

// blame puts a death between two runs down to the run that is wanted now.
func (s *supervisor) blame() error {
	if err := s.answer(s.shared.name()); err != nil {
		return err
	}
	status := s.doomed
	s.doomed = 0
	return s.report(syscall.WaitStatus(status))
}

// requested tells whether a request waits to be read.
func (s *supervisor) requested() bool { return awaitReadable(controlFD, &syscall.Timespec{}) }
