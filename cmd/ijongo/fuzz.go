package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/campaign/afl"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
	"github.com/ijongo/ijongo/rewrite"
)

// fuzzFlags are the flags of ijongo fuzz.
type fuzzFlags struct {
	run, engine, dir, name, feedback, goal, instrument, dict, tags string
	mutator                                                        string
	annotations                                                    list
	time, timeout                                                  time.Duration
	execs, events, seed                                            uint64
	workers, length                                                int
	keepGoing, json, ui, why, snapshots                            bool
	memLimit                                                       size
	pkg                                                            string
	given                                                          map[string]bool // flags on the command line
}

// channels are the words that -feedback takes, but for allPairs.
var channels = []string{"edges", "set", "max", "bins", "archive"}

// allPairs makes pairs of held values cells of the archive also where crosses
// are declared.
const allPairs = "pairs"

// steadyShare is the share of equal second runs under which feedback is noise.
const steadyShare = 0.95

func runFuzz(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var f fuzzFlags
	if err := f.parse(args, stdout); err != nil {
		return err
	}
	feedback, err := f.channels()
	if err != nil {
		return err
	}
	fuzzer, err := f.fuzzer(ctx)
	if err != nil {
		return err
	}
	if f.ui {
		if err := isScreen(stdout); err != nil {
			return fmt.Errorf("ijongo fuzz: %w", err)
		}
	}
	// A second interrupt ends the program at once.
	context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt, syscall.SIGTERM) })
	t, err := f.target(ctx, stderr)
	if err != nil {
		return err
	}
	folder, bin, err := t.open(ctx)
	if errors.Is(err, context.Canceled) {
		return errors.New("ijongo: interrupted before the search began")
	}
	if err != nil {
		return err
	}
	defer folder.Close() // the lock goes with the process in any case
	describeBinary(t, bin)
	t.logf("seed %d, %s%s, campaign folder %s", f.seed, count(f.workers, "worker"), with(fuzzer.Name()), near(filepath.Join(t.dir, f.name)))
	out := &teller{target: t, stdout: stdout, stderr: stderr, json: f.json, why: f.why, atOnce: f.keepGoing && !f.ui}
	c := campaign.Config{
		Target: campaign.Target{Binary: bin.Path, Dir: t.pkg.Dir, Name: t.name, MemLimit: int64(f.memLimit)},
		Folder: folder, Testdata: f.testdata(t), Edges: edgesOf(bin.Manifest),
		Time: f.time, Execs: f.execs, Events: f.events, Length: f.length, Seed: f.seed, Workers: f.workers, Feedback: feedback, Goal: f.goal,
		Timeout: f.timeout, KeepGoing: f.keepGoing, NoSnapshots: !f.snapshots, AFL: fuzzer,
		Progress: out.progress, Failed: out.failed, Minimized: out.minimized, Logf: t.logf,
	}
	out.start(&c, bin.Manifest)
	run := campaign.Run
	if f.ui {
		run = out.onScreen
	}
	r, err := run(ctx, c)
	if err != nil {
		return err
	}
	return out.end(r)
}

func (f *fuzzFlags) parse(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	f.buildFlags(fs)
	fs.StringVar(&f.engine, "engine", native, "search with `ENGINE`: native, or afl for the afl-fuzz in PATH, or that of "+afl.EnvTool)
	fs.DurationVar(&f.time, "time", 0, "stop after `D`, such as 60s; 0 is never")
	fs.Uint64Var(&f.execs, "execs", 0, "stop after `N` runs; 0 is never")
	fs.Uint64Var(&f.events, "events", 0, "stop after `N` events, at the end of a run; 0 is never")
	fs.IntVar(&f.length, "length", 0, "make random inputs of `N` events, or of up to N bytes where there are none; 0 is whichever length finds most")
	fs.Uint64Var(&f.seed, "seed", rand.Uint64N(1e9), "draw from seed `N`; with -workers 1 and -execs or -events a campaign can be repeated to the byte")
	fs.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "search in `N` processes")
	fs.StringVar(&f.dir, "dir", "", "keep the campaign and its failures in `DIR`, and write nothing beside the package (default .ijongo/FuzzXxx there)")
	fs.StringVar(&f.name, "name", "", "call this campaign `NAME`: campaigns of different names, on one machine or several, can share a folder and feed each other")
	fs.StringVar(&f.feedback, "feedback", strings.Join(channels, ","), "be guided by `LIST`; none is random search, for comparison; pairs are pairs of held values beside declared crosses")
	fs.StringVar(&f.goal, "goal", "", "search for what annotations of goal `TAG` want")
	fs.BoolVar(&f.snapshots, "snapshots", true, "go back to a situation by loading it, where the harness can; false plays what led there")
	fs.DurationVar(&f.timeout, "timeout", campaign.DefaultTimeout, "a run that takes longer than `D` hangs; 0 is never")
	f.memLimit = campaign.DefaultMemLimit
	fs.Var(&f.memLimit, "memlimit", "a process that takes more than `SIZE` of memory, such as 512MB, fails (Linux); 0 is no limit")
	fs.BoolVar(&f.keepGoing, "keep-going", false, "go on after a failure")
	fs.BoolVar(&f.json, "json", false, "print a JSON object a line on standard output")
	fs.BoolVar(&f.ui, "ui", false, "show the campaign on the whole screen; q stops it")
	fs.BoolVar(&f.why, "why", false, "print at the end what each annotation has brought, what it has cost, and what to do about it")
	fs.StringVar(&f.mutator, "mutator", "", "let afl-fuzz use the custom mutator in `FILE`, which ijongo mutator has made")
	if err := parseFlags(fs, args, "[flags] PACKAGE", stdout); err != nil {
		return err
	}
	f.given = make(map[string]bool)
	fs.Visit(func(given *flag.Flag) { f.given[given.Name] = true })
	return f.check(fs.Args())
}

// buildFlags are the flags that say what is built.
func (f *fuzzFlags) buildFlags(fs *flag.FlagSet) {
	fs.StringVar(&f.run, "run", "", "fuzz the function that matches `REGEXP`; not needed when there is one")
	fs.Var(&f.annotations, "annotations", "annotate by this `FILE.ijon` instead of those beside the package; may be repeated")
	fs.StringVar(&f.dict, "dict", "", "try the words in `FILE`, a dictionary as AFL and libFuzzer have it, beside the constants of the code")
	fs.StringVar(&f.instrument, "instrument", "", "instrument these `PATTERNS` too, separated by commas; none for annotations without counters")
	fs.StringVar(&f.tags, "tags", "", "build with these `TAGS`, separated by commas")
}

// take takes the package, and checks buildFlags.
func (f *fuzzFlags) take(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("no package (write the folder of a package with a fuzz function, such as ./examples/etcd-raft)")
	case len(args) > 1:
		return fmt.Errorf("%d packages (name one; flags go before it)", len(args))
	case f.instrument != build.NoCounters && slices.Contains(strings.Split(f.instrument, ","), build.NoCounters):
		return fmt.Errorf("-instrument %s (none stands alone)", f.instrument)
	}
	f.pkg = args[0]
	return nil
}

func (f *fuzzFlags) check(args []string) error {
	if err := f.take(args); err != nil {
		return fmt.Errorf("ijongo fuzz: %w", err)
	}
	switch {
	case f.engine != native && f.engine != aflEngine:
		return fmt.Errorf("ijongo fuzz: -engine %s (there are %s and %s)", f.engine, native, aflEngine)
	case f.workers < 1:
		return fmt.Errorf("ijongo fuzz: -workers %d (at least 1)", f.workers)
	case f.length < 0:
		return fmt.Errorf("ijongo fuzz: -length %d (at least 1, or 0 for a tuned one)", f.length)
	case f.ui && f.json:
		return errors.New("ijongo fuzz: -ui and -json both want standard output")
	case f.memLimit != 0 && f.memLimit < leastMemory:
		return fmt.Errorf("ijongo fuzz: -memlimit %v (at least %v, or 0 for none)", f.memLimit, size(leastMemory))
	case f.time < 0 || f.timeout < 0:
		return errors.New("ijongo fuzz: a negative duration")
	}
	if err := campaign.CheckName(f.name); err != nil {
		return fmt.Errorf("ijongo fuzz: -name: %w", err)
	}
	return f.checkEngine()
}

// channels is the -feedback list.
func (f *fuzzFlags) channels() ([]string, error) {
	if f.engine == aflEngine {
		return f.aflChannels()
	}
	if f.feedback == "none" {
		return nil, nil
	}
	list := strings.Split(f.feedback, ",")
	for _, c := range list {
		if c != allPairs && !slices.Contains(channels, c) {
			return nil, fmt.Errorf("ijongo fuzz: -feedback %s: no channel %q (there are %s and %s, or none)", f.feedback, c, strings.Join(channels, ", "), allPairs)
		}
	}
	return list, nil
}

// target finds what is to be fuzzed.
func (f *fuzzFlags) target(ctx context.Context, stderr io.Writer) (*target, error) {
	if err := useTags(f.tags); err != nil {
		return nil, err
	}
	pkg, err := build.Find(ctx, f.pkg)
	if err != nil {
		return nil, err
	}
	name, err := pkg.Select(f.run)
	if err != nil {
		return nil, err
	}
	dir := f.dir
	if dir == "" {
		dir = filepath.Join(pkg.Dir, ".ijongo", name)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	info := campaign.Info{Target: name, Package: pkg.ImportPath, Dir: pkg.Dir, Instrument: f.instrument, Tags: f.tags, Timeout: f.timeout, MemLimit: int64(f.memLimit)}
	if f.dict != "" {
		if info.Dictionary, err = filepath.Abs(f.dict); err != nil {
			return nil, err
		}
	}
	for _, a := range f.annotations {
		if a, err = filepath.Abs(a); err != nil {
			return nil, err
		}
		info.Annotations = append(info.Annotations, a)
	}
	return &target{pkg, name, dir, f.name, info, stderr}, nil
}

// testdata is where go test looks for inputs, unless nothing is to be written
// beside the package.
func (f *fuzzFlags) testdata(t *target) string {
	if f.dir != "" {
		return ""
	}
	return filepath.Join(t.pkg.Dir, "testdata", "fuzz", t.name)
}

// edgesOf is what the counters of a copy count.
func edgesOf(m *rewrite.Manifest) []*cover.Edge {
	edges := make([]*cover.Edge, len(m.Counters))
	for k, c := range m.Counters {
		edges[k] = &cover.Edge{Package: c.Package, Func: c.Func, Kind: string(c.Kind), Pos: c.Pos}
	}
	return edges
}

// describeBinary says what is instrumented.
func describeBinary(t *target, b *build.Binary) {
	for _, w := range b.Manifest.Warnings {
		fmt.Fprintln(t.stderr, shortPaths(w.Error()))
	}
	t.logf("%s of %s: %s, %s in %s", t.name, t.pkg.ImportPath,
		count(len(b.Manifest.Counters), "counter"), count(b.Manifest.Annotated(), "annotation"), strings.Join(b.Manifest.Packages, ", "))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
