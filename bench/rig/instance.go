package rig

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/fuzz/campaign/afl"
)

// alone is what afl-fuzz needs in a container, without a screen and on a busy machine.
var alone = []string{"AFL_NO_AFFINITY=1", "AFL_SKIP_CPUFREQ=1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1", "AFL_NO_UI=1", "AFL_FORKSRV_INIT_TMOUT=60000"}

// An Instance is one afl-fuzz and its target.
type Instance struct {
	Tool   Tool
	Target []string // command line
	Env    []string
	Args   []string // of afl-fuzz, such as -V 4
	Dir    string   // where it works; queue and stats are in Dir/out/default
}

// Out is its output folder.
func (i *Instance) Out() string { return filepath.Join(i.Dir, "out", "default") }

// Start writes the seeds and starts it. What it prints goes to the file log
// in its folder.
func (i *Instance) Start(ctx context.Context, seeds ...[]byte) (*exec.Cmd, error) {
	in := filepath.Join(i.Dir, "in")
	if err := os.MkdirAll(in, 0o777); err != nil {
		return nil, err
	}
	for n, seed := range seeds {
		if err := os.WriteFile(filepath.Join(in, strconv.Itoa(n)), seed, 0o666); err != nil {
			return nil, err
		}
	}
	log, err := os.Create(i.log())
	if err != nil {
		return nil, err
	}
	defer log.Close()
	args := append([]string{"-i", in, "-o", filepath.Join(i.Dir, "out")}, i.Args...)
	c := exec.CommandContext(ctx, i.Tool.Path("afl-fuzz"), append(append(args, "--"), i.Target...)...)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) } // it ends its target
	c.WaitDelay = 10 * time.Second
	// Of a variable that begins with its name afl-fuzz thinks, for two seconds, that it is a mistake.
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, EnvTools+"=") })
	c.Env = append(append(c.Env, alone...), i.Env...)
	c.Stdout, c.Stderr = log, log
	return c, c.Start()
}

// Run runs it to its end, and answers what it has written about itself and the
// CPU time that it and its target have used, as it was shortly before.
func (i *Instance) Run(ctx context.Context, seeds ...[]byte) (stats afl.Stats, cpu time.Duration, err error) {
	c, err := i.Start(ctx, seeds...)
	if err != nil {
		return stats, 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			cpu = max(cpu, CPU(c.Process.Pid)) // less when the target has gone
			continue
		case err = <-ended:
		}
		if err != nil {
			return stats, 0, i.Explain(err)
		}
		stats, err = i.Stats()
		return stats, cpu, err
	}
}

func (i *Instance) log() string { return filepath.Join(i.Dir, "log") }

// Explain adds the end of what it has printed to an error.
func (i *Instance) Explain(err error) error {
	text, _ := os.ReadFile(i.log()) // no log, nothing to add
	return fmt.Errorf("afl-fuzz %s: %w\n%s", i.Tool.Version, err, text[max(0, len(text)-2000):])
}

// Stats is what it has written down about itself.
func (i *Instance) Stats() (afl.Stats, error) {
	s, err := afl.ReadStats(i.Out())
	if err != nil {
		err = i.Explain(err)
	}
	return s, err
}
