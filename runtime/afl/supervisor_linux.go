//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// A supervisor answers the tool for a child, and starts another one when that
// has died. No code of the user runs in it.
type supervisor struct {
	Settings
	program Program
	layout  layout
	mem     segment // the map
	shared  *control
	fd      int // of shared
	tally   *tally

	cases bool // come in shared memory
	slots bool // the tool knows those of IJON

	child, victim int     // their process ids; 0 is none
	early         *uint32 // a request that came instead of an answer
	doomed        uint32  // how a child has died between two runs
}

// open gets what supervisor and child share.
func (s *supervisor) open() (err error) {
	if s.mem, err = attach(envMap); err != nil {
		return err
	}
	if s.shared, s.fd, err = newControl(); err != nil {
		return err
	}
	s.tally, err = openTally(s.Settings.tally)
	return err
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

// verdict is the end of a child as the tool is to see it: an exit with a code is a
// crash, which to the tool is a signal.
func verdict(status syscall.WaitStatus) uint32 {
	if status.Exited() && status.ExitStatus() != 0 {
		return uint32(syscall.SIGABRT)
	}
	return uint32(status)
}

// report tells the tool how the child that made the run has died.
func (s *supervisor) report(status syscall.WaitStatus) error {
	s.mem[0] = 1
	s.tally.run(0)
	return s.answer(verdict(status))
}

// bury waits until a process that is dead, or as good as that, is gone.
func bury(pid int) syscall.WaitStatus {
	var status syscall.WaitStatus
	for {
		_, err := syscall.Wait4(pid, &status, 0, nil)
		if err != syscall.EINTR {
			return status
		}
	}
}

// kill ends the child and what it has started.
func (s *supervisor) kill() syscall.WaitStatus {
	syscall.Kill(s.child, syscall.SIGKILL)
	status := bury(s.child)
	s.orphan()
	return status
}

// orphan forgets the child, which has died, and ends what it has left behind.
func (s *supervisor) orphan() {
	syscall.Kill(-s.child, syscall.SIGKILL) // an error means that there is nobody
	s.child = 0
}

// startMost is how often a child may die before its first run.
const startMost = 3

var errStart = fmt.Errorf("the target has died %d times before its first run (run it with -test.run alone, and see)", startMost)

// spawn starts a process of this program for a role. It dies with this one.
func spawn(role string, args []string, files []uintptr) (pid int, err error) {
	env := append(environment(), envRole+"="+role)
	return syscall.ForkExec("/proc/self/exe", args, &syscall.ProcAttr{
		Env:   env,
		Files: files,
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
}

// environment is that of the children: one P, because the tool runs on every
// other core, and a lazy collector.
func environment() []string {
	env := os.Environ()
	for _, v := range [][2]string{{"GOMAXPROCS", "1"}, {"GOGC", "400"}} {
		if os.Getenv(v[0]) == "" {
			env = append(env, v[0]+"="+v[1])
		}
	}
	return env
}
