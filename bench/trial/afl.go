package trial

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/bench/rig"
	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/campaign/afl"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// A hunt is a campaign of one afl-fuzz.
type hunt struct {
	target  campaign.Target
	setup   afl.Instance
	use     Use
	mutator string // shared object
	dir     string
	cmd     *exec.Cmd
	said    bytes.Buffer
	tally   *afl.Tally
	ended   chan struct{}
	cost    Cost
}

// PlayAFL plays a campaign of afl-fuzz as ijongo fuzz -engine afl starts it, on
// the target of our own engine and from the inputs with which that command
// begins. What it says crashes or hangs first is run again alone, as every
// first failure is.
func (s *Stand) PlayAFL(ctx context.Context, tool *rig.Tool, t campaign.Target, p Plan) (c Cell, err error) {
	c = Cell{Measure: p.Measure, Subject: s.Name, Arm: p.Arm.Name, Seed: p.Seed, Budget: p.Budget}
	t.Env = append(slices.Clone(t.Env), s.Env...)
	h := &hunt{target: t, use: p.Arm.mutator, ended: make(chan struct{})}
	if h.dir, err = os.MkdirTemp(s.dir, "afl-"); err != nil {
		return c, err
	}
	defer os.RemoveAll(h.dir)
	desc, err := h.prepare(ctx, p)
	if err != nil {
		return c, err
	}
	if err := s.lend(ctx, h, desc); err != nil {
		return c, err
	}
	defer h.tally.Close()
	if err := h.start(tool); err != nil {
		return c, err
	}
	input, err := h.follow(ctx, p)
	if err != nil {
		return c, fmt.Errorf("%s: %s: %w", s.Name, p.Arm.Name, err)
	}
	c.Cost, c.Runs = h.cost, h.tally.Runs()
	if c.Eq > p.Budget {
		c.Eq, input = p.Budget, nil
	}
	oracle, err := h.judge(ctx, &c, input)
	if err != nil {
		return c, err
	}
	return c, s.Control.review(ctx, s, &c, find{input, oracle})
}

// most is the CPU time of an eq at which a cell ends: fifty times what one of
// random search takes, for a search whose runs play nothing.
const most = 20 * time.Millisecond

// prepare writes the seeds, and says how afl-fuzz is to be started.
func (h *hunt) prepare(ctx context.Context, p Plan) (*wire.Description, error) {
	desc, err := campaign.Describe(ctx, h.target, campaign.DefaultTimeout)
	if err != nil {
		return nil, err
	}
	if h.setup, err = Instance(h.target, desc, p.Seed, h.dir); err != nil {
		return nil, err
	}
	h.setup.Feedback = p.Arm.feedback
	h.tally, err = afl.CreateTally(h.setup.Tally)
	return desc, err
}

// Instance is afl-fuzz as ijongo fuzz -engine afl starts it, with a sync folder
// in which it finds the inputs to begin with.
func Instance(t campaign.Target, desc *wire.Description, seed uint64, dir string) (i afl.Instance, err error) {
	in := filepath.Join(dir, "in")
	if err := os.Mkdir(in, 0o777); err != nil {
		return i, err
	}
	for n, input := range campaign.Seeds(desc, seed) {
		if err := os.WriteFile(filepath.Join(in, fmt.Sprint(n)), input, 0o666); err != nil {
			return i, err
		}
	}
	return afl.Instance{
		Name: "afl0", Sync: dir, Seeds: in, Seed: seed, Timeout: campaign.DefaultTimeout, MemLimit: t.MemLimit,
		Target:  t.Command(),
		Records: desc.Record > 0, Tally: filepath.Join(dir, "tally"),
	}, nil
}

// lend gives the hunt our mutator, which is built once.
func (s *Stand) lend(ctx context.Context, h *hunt, desc *wire.Description) error {
	if h.use == Unused {
		return nil
	}
	s.lending.Lock()
	defer s.lending.Unlock()
	if s.mutator == "" {
		path := filepath.Join(s.dir, "mutator.so")
		if err := build.Mutator(ctx, &desc.Layout, path); err != nil {
			return err
		}
		s.mutator = path
	}
	h.mutator = s.mutator
	return nil
}

// Command is how afl-fuzz is started for an instance, with a mutator of ours or not.
func Command(ctx context.Context, tool *rig.Tool, t campaign.Target, i afl.Instance, use Use, mutator string, env ...string) *exec.Cmd {
	env = append(append(os.Environ(), t.Env...), env...)
	switch use {
	case Beside:
		env = append(env, "AFL_CUSTOM_MUTATOR_LIBRARY="+mutator)
	case Only:
		i.Mutator = mutator // without its own, as ijongo fuzz starts it
	}
	c := exec.CommandContext(ctx, tool.Path("afl-fuzz"), i.Args()...)
	c.Dir, c.Env = t.Dir, i.Env(env)
	return c
}

// ending has afl-fuzz end with the first crash, so that nothing more is
// counted, and take a seed that crashes for one.
var ending = []string{"AFL_BENCH_UNTIL_CRASH=1", "AFL_CRASHING_SEEDS_AS_NEW_CRASH=1"}

func (h *hunt) start(tool *rig.Tool) error {
	h.cmd = Command(context.Background(), tool, h.target, h.setup, h.use, h.mutator, ending...) // end ends it
	h.cmd.Stdout, h.cmd.Stderr = &h.said, &h.said
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	h.cmd.WaitDelay = time.Second
	if err := h.cmd.Start(); err != nil {
		return err
	}
	go func() {
		h.cmd.Wait() // the state says more than the error
		close(h.ended)
	}()
	return nil
}

// follow waits for a failure or the end of the budget, and answers the input
// that fails; nil if there is none. Of one that is at its end with nothing
// found the CPU time is as it was when last looked at, because what its target
// has used is lost with that.
func (h *hunt) follow(ctx context.Context, p Plan) (input []byte, err error) {
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			h.end()
			return nil, ctx.Err()
		case <-look.C:
			h.spend(rig.CPU(h.cmd.Process.Pid))
			if h.within(p.Budget) && !h.saved() {
				continue
			}
			h.end()
		case <-h.ended:
		}
		state := h.cmd.ProcessState
		h.spend(state.UserTime() + state.SystemTime())
		input, err = h.first()
		if input == nil && err == nil && h.within(p.Budget) {
			err = fmt.Errorf("afl-fuzz ended (%v)\n%s", state, afl.LastLines(afl.Plain(h.said.String())))
		}
		return input, err
	}
}

// spend notes what has been spent; of two ways to look at CPU time each may
// miss a process.
func (h *hunt) spend(cpu time.Duration) {
	h.cost = Cost{float64(h.tally.Events()) / Eq, max(h.cost.CPU, seconds(cpu))}
}

// within tells whether there is more to spend.
func (h *hunt) within(budget float64) bool {
	return h.cost.Eq < budget && h.cost.CPU < budget*most.Seconds()
}

// end ends it in order: it takes its target with it.
func (h *hunt) end() {
	h.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-h.ended:
	case <-time.After(10 * time.Second):
		syscall.Kill(-h.cmd.Process.Pid, syscall.SIGKILL)
		<-h.ended
	}
}

// failures are the files of inputs that are said to fail.
func (h *hunt) failures() (paths []string) {
	for _, kind := range []string{"crashes", "hangs"} {
		more, _ := filepath.Glob(filepath.Join(h.dir, "afl0", kind, "id:*")) // the pattern is good
		paths = append(paths, more...)
	}
	return paths
}

func (h *hunt) saved() bool { return len(h.failures()) > 0 }

// first is the input that failed first.
func (h *hunt) first() ([]byte, error) {
	paths := h.failures()
	if len(paths) == 0 {
		return nil, nil
	}
	return os.ReadFile(paths[0])
}

// judge runs the input again, alone, and answers the oracle that it violates.
func (h *hunt) judge(ctx context.Context, c *Cell, input []byte) (oracle string, err error) {
	if input == nil {
		return "", nil
	}
	r := campaign.NewRunner(h.target, campaign.DefaultTimeout)
	defer r.Fresh()
	o, err := r.Run(ctx, input, false)
	switch {
	case err != nil:
	case o.Fault == wire.OK:
		c.Note = "a failure that did not come again"
	default:
		c.Found, c.Key = true, o.Key
	}
	return o.Oracle, err
}
