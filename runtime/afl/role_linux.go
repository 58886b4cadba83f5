//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// envRole tells a process that a supervisor has started what it is.
const envRole = "IJONGO_AFL_ROLE"

// A role is what a child is told.
type role struct {
	form   string
	fd     int // of the control
	cases  bool
	slots  bool
	futex  int
	target string // anyTarget if the arguments say what to run
}

const anyTarget = "*"

const roleFormat = "%s %d %t %t %d %s"

func (r role) String() string {
	return fmt.Sprintf(roleFormat, r.form, r.fd, r.cases, r.slots, r.futex, r.target)
}

func parseRole(text string) (r role, err error) {
	if _, err = fmt.Sscanf(text, roleFormat, &r.form, &r.fd, &r.cases, &r.slots, &r.futex, &r.target); err != nil {
		err = fmt.Errorf("%s=%s: %v", envRole, text, err)
	}
	return r, err
}

// breed starts a child, which has a run to make.
func (s *supervisor) breed(form string) (err error) {
	r := role{form, s.ledger.fd, s.cases, s.slots, s.futex, s.Target}
	args := os.Args
	if selects(args) {
		r.target = anyTarget
	} else {
		args = append([]string{args[0], "-test.run=^" + s.Target + "$", "-test.paniconexit0", "-test.timeout=0"}, args[1:]...)
	}
	s.child, err = spawn(r.String(), args, environment(s.MemLimit), []uintptr{0, 1, 2})
	s.tally.child()
	return err
}

// spawn starts a process of this program for a role. It dies with this one.
func spawn(role string, args, env []string, files []uintptr) (pid int, err error) {
	pid, err = syscall.ForkExec("/proc/self/exe", args, &syscall.ProcAttr{
		Env:   append(env, envRole+"="+role),
		Files: files,
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
	return pid, os.NewSyscallError("fork", err)
}

// halting makes what the race detector finds a crash, unless the user has
// decided that.
func halting(env []string) []string {
	const name, halt = "GORACE=", "halt_on_error=1"
	for i, v := range env {
		if !strings.HasPrefix(v, name) {
			continue
		}
		if !strings.Contains(v, "halt_on_error") {
			env[i] = v + " " + halt
		}
		return env
	}
	return append(env, name+halt)
}

// environment is that of the child, which is as a target of ijongo fuzz: one
// P, because there is a process for every core, and a lazy collector, until
// memory gets short.
func environment(memory int64) []string {
	env := halting(os.Environ())
	set := func(name, value string) {
		if os.Getenv(name) == "" {
			env = append(env, name+"="+value)
		}
	}
	set("GOMAXPROCS", "1")
	set("GOGC", "400")
	if memory > 0 {
		set("GOMEMLIMIT", strconv.FormatInt(memory/4*3, 10))
	}
	return env
}

// selects tells whether arguments say what to run.
func selects(args []string) bool {
	for _, a := range args[1:] {
		if name := strings.TrimLeft(a, "-"); name != a && (name == "test.run" || strings.HasPrefix(name, "test.run=")) {
			return true
		}
	}
	return false
}

// enter makes this process a child.
func enter(p Program, text string) (*Child, error) {
	r, err := parseRole(text)
	if err != nil {
		return nil, err
	}
	set, err := settings()
	if err != nil {
		return nil, err
	}
	if set.Target = r.target; r.target == anyTarget {
		set.Target = ""
	}
	c := &Child{Settings: set}
	if err := c.open(p, r); err != nil {
		return nil, err
	}
	// Not for what the target starts.
	for _, fd := range []int{controlFD, statusFD, r.fd} {
		syscall.CloseOnExec(fd)
	}
	for _, name := range []string{envRole, envMap, envCases} {
		os.Unsetenv(name)
	}
	debug.SetTraceback("crash") // so that whatever ends the process is a signal
	return c, nil
}

func (c *Child) open(p Program, r role) error {
	mem, err := attach(envMap)
	if err != nil {
		return err
	}
	if r.cases {
		if c.cases.shared, err = attach(envCases); err != nil {
			return err
		}
	}
	if c.tally, err = openTally(c.Settings.tally); err != nil {
		return err
	}
	shared, ledger, err := openControl(r.fd)
	if err != nil {
		return err
	}
	switch r.form {
	case "once":
		c.form = &single{}
	case "futex":
		c.form = &turns{shared: shared, word: wordAt(mem, r.futex)}
	case "stop":
		c.form = &stopped{shared: shared}
	default:
		c.form = newPiped(shared, ledger)
	}
	return c.share(p, mem, r.slots)
}

// share lays the map out. A segment that is too small gets what fits.
func (c *Child) share(p Program, mem segment, slots bool) error {
	page := os.Getpagesize()
	l := layoutOf(p, &c.Settings, page)
	c.mem = mem
	if size := l.size(slots); len(mem) > size {
		c.mem = mem[:size]
	}
	if end := l.area + l.room; l.room > 0 && len(c.mem) >= end {
		c.Area = c.mem[l.area:end]
	}
	if slots && len(c.mem) == l.size(true) {
		at := l.area + l.room
		c.Slots = (*[slotSize / 8]uint64)(unsafe.Pointer(&c.mem[at]))[:]
	}
	if !c.Edges {
		return nil
	}
	if head := p.head(page); page <= p.First && l.k == p.First-head {
		n := roundUp(l.k+l.edges, page)
		if most := roundUp(len(c.mem), page); n > most {
			n = most
		}
		return mem.alias(p.Cov[head:], n)
	}
	if n := len(c.mem) - l.k; l.edges > n {
		l.edges = n
	}
	c.edges, c.counted = c.mem[l.k:l.k+l.edges], p.Cov[p.First:p.First+l.edges]
	return nil
}
