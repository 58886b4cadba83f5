//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// The descriptors of the fork server, and what the tool says in the environment.
const (
	controlFD = 198 // requests
	statusFD  = 199 // answers

	envMap   = "__AFL_SHM_ID"
	envCases = "__AFL_SHM_FUZZ_ID"
)

func start(p Program) {
	keepSignatures()
	role := os.Getenv(envRole)
	var err error
	switch {
	case role == victimRole:
		beVictim()
	case role != "":
		current, err = enter(p, role)
	case os.Getenv(envMap) != "":
		err = serve(p)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "ijongo: AFL++: %v\n", err)
		os.Exit(2)
	}
}

// keepSignatures lets the linker keep them.
func keepSignatures() {
	for i := range signatures {
		runtime.KeepAlive(&signatures[i])
	}
}

// serve is the whole life of a process that a tool has started. It returns
// only if the program is not meant to be a target.
func serve(p Program) error {
	set, err := settings()
	if err != nil {
		return err
	}
	if set.Target == "" && !selects(os.Args) {
		return nil // an ordinary program
	}
	runtime.LockOSThread() // children die with the thread that started them
	s := &supervisor{Settings: set, program: p, layout: layoutOf(p, os.Getpagesize())}
	if err := s.open(); err != nil {
		return err
	}
	if !forkServer() {
		s.once()
	}
	dieWithParent()
	if err := s.greet(); err != nil {
		return err
	}
	if err := s.pipe(); err != nil {
		return err
	}
	os.Exit(0)
	return nil
}

// forkServer tells whether the tool has opened the pipes of a fork server. If
// not it wants a single run.
func forkServer() bool {
	var stat syscall.Stat_t
	return syscall.Fstat(statusFD, &stat) == nil
}
