//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"runtime"
	"syscall"
)

// In the form stop, which is the oldest one, the child stops itself when a run
// is over, and the supervisor answers and lets it go on. All its goroutines
// stand still between two runs, whatever they are about.

// serveStop serves the tool.
func (s *supervisor) serveStop() error {
	for {
		late, ok := s.request()
		if !ok {
			return nil
		}
		if err := s.halted(late); err != nil {
			return err
		}
		syscall.Kill(s.child, syscall.SIGCONT)
		if err := s.answer(uint32(s.child)); err != nil {
			return err
		}
		status := await(s.child, syscall.WUNTRACED)
		if status.Stopped() {
			if err := s.answer(uint32(status)); err != nil {
				return err
			}
			continue
		}
		s.orphan()
		if err := s.report(status); err != nil {
			return err
		}
	}
}

// halted gets a child that has stopped and is alive. If the last run was too
// long, the tool has killed the one that made it, or is about to.
func (s *supervisor) halted(late bool) error {
	if s.child != 0 && (late || isDead(s.child)) {
		s.kill()
	}
	for s.child == 0 {
		if err := s.start("stop"); err != nil {
			return err
		}
		if status := await(s.child, syscall.WUNTRACED); !status.Stopped() {
			s.orphan()
		}
	}
	return nil
}

// stopped is the child's side.
type stopped struct {
	shared *control
	begun  bool
}

func (f *stopped) next() bool {
	if !f.begun {
		f.begun = true
		f.shared.ready(running)
		stop()
	}
	return true
}

func (f *stopped) done() { stop() }

// stop stops this process. Of a signal that is sent to the process as a whole,
// which some other thread takes, this one would know too late.
func stop() {
	runtime.LockOSThread()
	thread, _, _ := syscall.RawSyscall(syscall.SYS_GETTID, 0, 0, 0)
	process, _, _ := syscall.RawSyscall(syscall.SYS_GETPID, 0, 0, 0)
	syscall.RawSyscall(syscall.SYS_TGKILL, process, thread, uintptr(syscall.SIGSTOP))
	runtime.UnlockOSThread()
}
