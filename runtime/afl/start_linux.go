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

	envMap        = "__AFL_SHM_ID"
	envCases      = "__AFL_SHM_FUZZ_ID"
	envCaseSize   = "__AFL_SHM_FUZZ_MAP_SIZE"
	envFutex      = "AFL_CHILD_SYNC_SHM"
	envNoIJON     = "AFL_NO_IJON"
	envNoAutodict = "AFL_NO_AUTODICT"
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
// without an error if the program is not meant to be a target.
func serve(p Program) error {
	set, err := settings()
	if err != nil {
		return err
	}
	if set.Target == "" && !selects(os.Args) {
		return nil
	}
	runtime.LockOSThread() // children die with the thread that has started them
	dieWithParent()
	s := &supervisor{Settings: set, program: p, layout: layoutOf(p, &set, os.Getpagesize())}
	if err := s.open(); err != nil {
		return err
	}
	if !forkServer() {
		return s.once()
	}
	s.tool = whoAsks(os.Getppid())
	if err := s.greet(); err != nil {
		return err
	}
	if err := s.serve(); err != nil {
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
