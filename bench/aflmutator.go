package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/bench/rig"
	"github.com/ijongo/ijongo/bench/trial"
	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/campaign/afl"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// A mixture is who makes the inputs of afl-fuzz.
type mixture struct {
	name string
	use  trial.Use
}

var mixtures = []mixture{{"its own", trial.Unused}, {"both", trial.Beside}, {"ours", trial.Only}}

// A yield is what campaigns of a mixture came to, by rounds.
type yield struct{ runs, perRun, events, edges, bins []float64 }

// A mill is what all campaigns have in common.
type mill struct {
	dir     string
	target  campaign.Target
	desc    *wire.Description
	mutator string // shared object
	cpu     time.Duration
}

// aflMutator compares the mutators of afl-fuzz with ours on etcd/raft, for
// equal CPU time.
func aflMutator(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("afl mutator", flag.ContinueOnError)
	cpu := fs.Duration("cpu", 20*time.Second, "CPU time of a campaign, of the tool and the target")
	rounds := fs.Int("rounds", 3, "campaigns of each version and mixture")
	first := fs.Uint64("first", 1001, "seed of the first")
	dir, remove, err := begin(fs, args)
	if err != nil {
		return err
	}
	defer remove()
	versions, err := tools()
	if err != nil {
		return err
	}
	m := &mill{dir: dir, cpu: *cpu}
	if err := m.build(ctx); err != nil {
		return err
	}
	fmt.Printf("etcd/raft for %v of CPU time, %d rounds in turn: median [least, most].\n\n", *cpu, *rounds)
	fmt.Println("| AFL++ | mutators | runs a CPU-second | events a run | events a CPU-second | edges | bins |\n|---|---|---|---|---|---|---|")
	for _, t := range versions {
		yields := make([]yield, len(mixtures))
		for r := range *rounds {
			for k := range mixtures {
				if err := m.play(ctx, t, mixtures[k], *first+uint64(r), &yields[k]); err != nil {
					return fmt.Errorf("AFL++ %s, %s: %w", t.Version, mixtures[k].name, err)
				}
			}
		}
		for k, y := range yields {
			fmt.Printf("| %s | %s | %s | %s | %s | %s | %s |\n", t.Version, mixtures[k].name,
				spread(y.runs, "%.0f"), spread(y.perRun, "%.0f"), spread(y.events, "%.0f"), spread(y.edges, "%.0f"), spread(y.bins, "%.0f"))
		}
	}
	return nil
}

// build builds the target, the mutator and the inputs to begin with.
func (m *mill) build(ctx context.Context) error {
	p, err := build.Find(ctx, "./examples/etcd-raft")
	if err != nil {
		return err
	}
	b, err := build.Build(ctx, p, build.Options{}, filepath.Join(m.dir, "build"), func(string, ...any) {})
	if err != nil {
		return err
	}
	m.target = campaign.Target{Binary: b.Path, Dir: p.Dir, Name: "FuzzRaft", Env: []string{"RAFT_KNOWN=pass"}}
	if m.desc, err = campaign.Describe(ctx, m.target, campaign.DefaultTimeout); err != nil {
		return err
	}
	m.mutator = filepath.Join(m.dir, "mutator.so")
	return build.Mutator(ctx, &m.desc.Layout, m.mutator)
}

// play plays a campaign and notes what came of it.
func (m *mill) play(ctx context.Context, t rig.Tool, mix mixture, seed uint64, y *yield) error {
	dir, err := os.MkdirTemp(m.dir, "campaign-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	i, err := trial.Instance(m.target, m.desc, seed, dir)
	if err != nil {
		return err
	}
	tally, err := afl.CreateTally(i.Tally)
	if err != nil {
		return err
	}
	defer tally.Close()
	used, err := m.run(ctx, m.command(ctx, t, mix, i))
	if err != nil {
		return err
	}
	r, err := m.covered(ctx, filepath.Join(dir, i.Name), filepath.Join(dir, "replay"))
	if err != nil {
		return err
	}
	runs, events := float64(tally.Runs()), float64(tally.Events())
	y.runs = append(y.runs, runs/used.Seconds())
	y.perRun = append(y.perRun, events/runs)
	y.events = append(y.events, events/used.Seconds())
	y.edges = append(y.edges, float64(r.Edges))
	y.bins = append(y.bins, float64(r.Bins))
	return nil
}

// command is how afl-fuzz is started for an instance.
func (m *mill) command(ctx context.Context, t rig.Tool, mix mixture, i afl.Instance) *exec.Cmd {
	c := trial.Command(ctx, &t, m.target, i, mix.use, m.mutator)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) } // it ends its target
	c.WaitDelay = 10 * time.Second
	return c
}

// run runs it until it has used its CPU time.
func (m *mill) run(ctx context.Context, c *exec.Cmd) (used time.Duration, err error) {
	if err := c.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for used < m.cpu {
		select {
		case err := <-ended:
			return used, errors.Join(ctx.Err(), fmt.Errorf("afl-fuzz ended after %v of CPU time (%v)", used, err))
		case <-time.After(50 * time.Millisecond):
			used = max(used, rig.CPU(c.Process.Pid))
		}
	}
	return used, errors.Join(c.Cancel(), <-ended)
}

// covered is what the queue covers, run again.
func (m *mill) covered(ctx context.Context, instance, dir string) (*campaign.Result, error) {
	f, err := campaign.Open(dir, "", campaign.Info{Target: m.target.Name, Dir: m.target.Dir})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	queue := filepath.Join(instance, "queue")
	if err := os.CopyFS(filepath.Join(dir, "afl0", "queue"), os.DirFS(queue)); err != nil {
		return nil, err
	}
	inputs, err := filepath.Glob(filepath.Join(queue, "id:*"))
	if err != nil {
		return nil, err
	}
	return campaign.Run(ctx, campaign.Config{Target: m.target, Folder: f, Execs: uint64(len(inputs)), Workers: 1, Seed: 1, Timeout: campaign.DefaultTimeout})
}
