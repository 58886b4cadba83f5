package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/fuzz/campaign/afl"
	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// An AFL is an afl-fuzz that searches in the place of the target's own engine.
type AFL struct {
	Tool       *afl.Tool
	Dictionary string // file of words, "" for none
	Mutator    string // shared object, "" for none
}

// Name is what the user calls it; empty for the target's own engine.
func (a *AFL) Name() string {
	if a == nil {
		return ""
	}
	return strings.TrimSpace("afl-fuzz " + a.Tool.Version)
}

// How often it is looked whether an instance has made its runs, how often its
// counts are passed on, how often its folder is looked at, and how long it may
// take to end when it is told to.
const (
	limitEvery  = 10 * time.Millisecond
	tallyEvery  = 250 * time.Millisecond
	folderEvery = time.Second
	aflGrace    = 10 * time.Second
)

// An instance is a worker that is an afl-fuzz, kept alive until its share of the
// runs is done or ctx ends. It searches on its own, in a folder of its own in
// that of the campaign; what it says crashes or hangs the dock takes from there.
type instance struct {
	*search
	index int
	quota uint64 // runs; 0 is no limit
	ran   uint64 // by processes that have ended
	idle  int    // processes in a row that died in one of their first runs
}

func (i *instance) run(ctx context.Context) error {
	for ctx.Err() == nil {
		over, err := i.session(ctx)
		if over || err != nil {
			return err
		}
		i.events <- event{worker: i.index, again: true}
	}
	return nil
}

// session is the life of one afl-fuzz. It is over when there is no more to do.
func (i *instance) session(ctx context.Context) (over bool, err error) {
	p, err := i.launch()
	if err != nil {
		return true, err
	}
	stopped := i.watch(ctx, p)
	runs := p.look()
	i.tell(p)
	err = p.tally.Close()
	i.ran += runs
	i.events <- event{worker: i.index, ended: true, runs: runs}
	state := p.cmd.ProcessState
	switch {
	case err != nil:
		return true, err
	case stopped, state.Success() && i.quota > 0 && i.ran >= i.quota:
		return true, nil
	case state.Success():
		i.Logf("afl-fuzz %s has ended by itself", p.name)
		return true, nil
	}
	return false, i.died(p, runs)
}

// died is an error unless it makes sense to start another one: afl-fuzz has
// not given up, but was killed.
func (i *instance) died(p *aflProcess, runs uint64) error {
	if i.idle++; runs > earlyRuns {
		i.idle = 1
	}
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() && i.idle < maxIdleDeaths {
		return nil
	}
	printed := afl.Plain(p.output.String())
	what := fmt.Sprintf("afl-fuzz %s ended (%v)", p.name, p.cmd.ProcessState)
	if runs == 0 {
		what = fmt.Sprintf("afl-fuzz %s could not begin (%v)", p.name, p.cmd.ProcessState)
	}
	if advice := afl.Advice(printed); advice != "" {
		what += "; " + advice
	}
	return &TargetError{what, afl.LastLines(printed)}
}

// An aflProcess is a running afl-fuzz and what is known of it.
type aflProcess struct {
	name   string
	dir    string // its folder
	cmd    *exec.Cmd
	output output
	tally  *afl.Tally
	before afl.Stats // of earlier sessions in the folder
	ended  chan struct{}

	stats  afl.Stats // as it last said
	newest corpus.File
	count  int // entries of its queue
}

func (i *instance) launch() (*aflProcess, error) {
	p := &aflProcess{name: i.Folder.instance(i.index), ended: make(chan struct{})}
	p.dir = filepath.Join(i.Folder.Dir, p.name)
	setup := i.setup(p.name)
	goesOn, err := prepareInstance(p.dir, setup.Version)
	if err != nil {
		return nil, err
	}
	if goesOn {
		setup.Seeds = ""
		if s, err := afl.ReadStats(p.dir); err == nil { // else it was killed before it had written them
			p.before = s
		}
	}
	if i.quota > 0 {
		setup.Execs = p.before.Execs + i.quota - i.ran
	}
	if p.tally, err = afl.CreateTally(setup.Tally); err != nil {
		return nil, err
	}
	command := append(i.AFL.Tool.Command[:len(i.AFL.Tool.Command):len(i.AFL.Tool.Command)], setup.Args()...)
	p.cmd = exec.Command(command[0], command[1:]...)
	p.cmd.Dir = i.Target.Dir
	p.cmd.Env = setup.Env(append(without(os.Environ(), wire.EnvConfig), i.Target.Env...))
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	p.cmd.SysProcAttr = orderlyAttributes()
	p.cmd.WaitDelay = grace // for what it has left behind
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot start afl-fuzz: %w", err), p.tally.Close())
	}
	go func() {
		p.cmd.Wait() // the state says more than the error
		close(p.ended)
	}()
	return p, nil
}

func (i *instance) setup(name string) *afl.Instance {
	t := i.Target
	return &afl.Instance{
		Version: i.AFL.Tool.Version, Name: name, Number: i.index, Sync: i.Folder.Dir, Seeds: i.Folder.begin(), Seed: i.Seed + uint64(i.index), Timeout: i.Timeout,
		Target:     t.Command(),
		Dictionary: i.AFL.Dictionary, Mutator: i.AFL.Mutator, Records: i.desc.Record > 0,
		Feedback: i.Feedback, Goal: i.Goal, MemLimit: t.MemLimit, Tally: filepath.Join(i.Folder.workshop(), name+".tally"),
	}
}

// prepareInstance makes the folder of an instance ready for another session, and
// tells whether there is one to go on from. What earlier ones have saved is put
// by: afl-fuzz would delete it or give it new names. What another version has
// noted beside its queue this one would not know how to clear away.
func prepareInstance(dir, version string) (goesOn bool, err error) {
	for _, kind := range []string{"crashes", "hangs"} {
		if err := putBy(filepath.Join(dir, kind)); err != nil {
			return false, err
		}
	}
	stats, err := afl.ReadStats(dir)
	other := err == nil && stats.Version != version
	for _, queue := range []string{"queue", "_resume"} {
		queue = filepath.Join(dir, queue)
		files, err := os.ReadDir(queue)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return false, err
		}
		for _, f := range files {
			goesOn = goesOn || strings.HasPrefix(f.Name(), "id:")
		}
		if !other {
			continue
		}
		if err := os.RemoveAll(filepath.Join(queue, ".state")); err != nil {
			return false, err
		}
	}
	return goesOn, nil
}

// putBy renames a folder in which there is something.
func putBy(dir string) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(files) == 0 {
		return nil
	}
	for n := 0; err == nil; n++ {
		to := fmt.Sprintf("%s.%d", dir, n)
		if _, err := os.Lstat(to); errors.Is(err, os.ErrNotExist) {
			return os.Rename(dir, to)
		}
	}
	return err
}

// without is env without the variable called name.
func without(env []string, name string) (out []string) {
	for _, v := range env {
		if !strings.HasPrefix(v, name+"=") {
			out = append(out, v)
		}
	}
	return out
}

// watch passes on what the instance does until it has ended, and tells whether
// it was told to.
func (i *instance) watch(ctx context.Context, p *aflProcess) (stopped bool) {
	tick, look := time.NewTicker(tallyEvery), time.NewTicker(folderEvery)
	defer tick.Stop()
	defer look.Stop()
	var limit <-chan time.Time
	if i.quota > 0 {
		often := time.NewTicker(limitEvery)
		defer often.Stop()
		limit = often.C
	}
	halt := ctx.Done()
	stop := func() {
		if stopped {
			return
		}
		stopped = true
		p.cmd.Process.Signal(syscall.SIGINT) // an error means that it has ended
		time.AfterFunc(aflGrace, p.abandon)
	}
	for {
		select {
		case <-p.ended:
			return stopped
		case <-halt:
			halt = nil
			stop()
		case <-limit:
			if i.ran+p.runs() >= i.quota {
				stop() // afl-fuzz looks at its own limit less often
			}
		case <-tick.C:
			i.tell(p)
		case <-look.C:
			count := p.count
			p.look()
			if p.count > count && count > 0 {
				name := filepath.Base(p.newest.Path)
				i.events <- event{worker: i.index, find: &wire.Find{File: name, Why: madeBy(name)}}
			}
		}
	}
}

// madeBy is how an entry came about, as its name tells: by a mutator, or from
// the queue of somebody else.
func madeBy(name string) string {
	for _, part := range strings.Split(name, ",") {
		for prefix, say := range map[string]string{"op:": "afl-fuzz ", "sync:": "from "} {
			if how, ok := strings.CutPrefix(part, prefix); ok {
				return say + how
			}
		}
	}
	return "afl-fuzz"
}

// abandon kills what does not end; a process that has is not hit.
func (p *aflProcess) abandon() {
	select {
	case <-p.ended:
	default:
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // an error means that there is nobody left
	}
}

// runs is how many runs the process has made. A target that does not count
// leaves what afl-fuzz says.
func (p *aflProcess) runs() uint64 {
	said := uint64(0)
	if p.stats.Execs > p.before.Execs {
		said = p.stats.Execs - p.before.Execs
	}
	return max(p.tally.Runs(), said)
}

// look reads the folder of the instance, as far as it can be read now.
func (p *aflProcess) look() (runs uint64) {
	if s, err := afl.ReadStats(p.dir); err == nil {
		p.stats = s
	}
	root, writer := filepath.Split(p.dir)
	if files, err := corpus.Files(root, writer); err == nil && len(files) > 0 {
		p.count, p.newest = len(files), files[len(files)-1]
	}
	p.stats.Crashes, p.stats.Hangs = p.saved("crashes"), p.saved("hangs")
	return p.runs()
}

// saved counts the inputs that the process has put into a folder.
func (p *aflProcess) saved(kind string) (n int) {
	files, err := os.ReadDir(filepath.Join(p.dir, kind))
	if err != nil {
		return 0 // not yet made
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "id:") {
			n++
		}
	}
	return n
}

// tell passes on the counts.
func (i *instance) tell(p *aflProcess) {
	s := p.stats
	i.events <- event{worker: i.index, afl: &s, stats: &wire.Stats{Execs: p.runs(), Events: p.tally.Events(), Corpus: p.count, Edges: s.Edges}}
}
