package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/bench/mutant"
	"github.com/ijongo/ijongo/bench/trial"
)

const usage = `usage: go run ./bench [flags]          compare ways of searching on etcd/raft
       go run ./bench COMMAND [flags]  measure something else; the top of bench/main.go lists the commands

Each arm searches for each fault with each seed: a cell, one worker, that ends at its first failure or after -execs eq. One eq is
200 events played, prefixes that are played again included, so that an arm with long runs gets no more than one with short ones;
what is loaded from a snapshot costs CPU alone. As it is, all of it takes about an hour on two cores. docs/benchmark.md says what
is measured and how. The exit code is 0 whatever was found, and 2 when it cannot be measured.

`

// settings are the flags of the benchmark.
type settings struct {
	mutants  string
	seeds    int
	first    uint64
	budget   float64
	states   float64
	arms     []trial.Arm
	base     string
	only     *regexp.Regexp
	measures []string
	json     bool
	out      string
	from     string
	jobs     int
}

const defaultArms = "swarm,swarm-1600,swarm-200,blind-1600,edges,set,ours,ours-nosnap,go,afl-edges,afl-levels,afl-slots,afl-both,afl-beside,afl-mutator"

// The words of -measure.
const (
	measureBugs  = "bugs"
	measureBins  = "bins"
	measureDepth = "depth"
)

func parseSettings(args []string, to io.Writer) (s settings, err error) {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(to)
	fs.StringVar(&s.mutants, "mutants", "bench/mutants.rules", "read the faults from `FILE`")
	fs.IntVar(&s.seeds, "seeds", 10, "play each arm with `N` seeds")
	fs.Uint64Var(&s.first, "first", 1001, "the first seed is `SEED`; those below 1001 are for tuning")
	fs.Float64Var(&s.budget, "execs", 4000, "spend at most `N` eq in a cell of bugs")
	fs.Float64Var(&s.states, "states", 20000, "spend `N` eq in a cell of bins and depth")
	arms := fs.String("arms", defaultArms, "play the arms of `LIST`:\n"+describeArms())
	fs.StringVar(&s.base, "base", "swarm", "compare with `ARM`")
	only := fs.String("only", "", "play only faults whose name matches `REGEXP`")
	measures := fs.String("measure", "bugs,bins,depth", "measure what is in `LIST`")
	fs.BoolVar(&s.json, "json", false, "print a JSON object a line, one for each cell and one for each summary, instead of tables")
	fs.StringVar(&s.out, "o", "", "write the tables to `FILE` too")
	fs.StringVar(&s.from, "from", "", "take the cells that are in `FILE`, which -json wrote, and play what is missing")
	fs.IntVar(&s.jobs, "j", runtime.NumCPU(), "play `N` campaigns at a time")
	fs.Usage = func() {
		fmt.Fprint(to, usage)
		fs.PrintDefaults()
	}
	if err := fs.Parse(args); err != nil {
		return s, err
	}
	if fs.NArg() > 0 {
		return s, fmt.Errorf("%s: the benchmark takes flags alone (a command comes first)", fs.Arg(0))
	}
	if s.arms, err = trial.ParseArms(*arms); err != nil {
		return s, fmt.Errorf("-arms %s: %w", *arms, err)
	}
	if s.only, err = regexp.Compile(*only); err != nil {
		return s, fmt.Errorf("-only %s: %w", *only, err)
	}
	s.measures = strings.Split(*measures, ",")
	return s, s.check()
}

func (s *settings) check() error {
	words := []string{measureBugs, measureBins, measureDepth}
	for _, m := range s.measures {
		if !slices.Contains(words, m) {
			return fmt.Errorf("-measure: no measure %q (there are %s)", m, strings.Join(words, ", "))
		}
	}
	names := trial.Names(s.arms)
	switch {
	case s.seeds < 1:
		return fmt.Errorf("-seeds %d (at least 1)", s.seeds)
	case s.jobs < 1:
		return fmt.Errorf("-j %d (at least 1)", s.jobs)
	case s.budget < 1 || s.states < 1:
		return errors.New("-execs and -states are at least 1")
	case s.out != "" && !isFolder(filepath.Dir(s.out)):
		return fmt.Errorf("-o %s: there is no such folder", s.out)
	case len(names) > 1 && !slices.Contains(names, s.base):
		return fmt.Errorf("-base %s is not in -arms %s (add it, or name another)", s.base, strings.Join(names, ","))
	case slices.Contains(names, "go") && !slices.Contains(names, "swarm"):
		return errors.New("-arms: go needs swarm, whose speed its budget of CPU time is computed from")
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (s *settings) measure(what ...string) bool {
	return slices.ContainsFunc(what, func(w string) bool { return slices.Contains(s.measures, w) })
}

func describeArms() string {
	var b strings.Builder
	for _, a := range trial.Arms {
		fmt.Fprintf(&b, "%-12s %s\n", a.Name, a.Is)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// contest plays the benchmark.
func contest(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parseSettings(args, stderr)
	if err != nil {
		return err
	}
	subjects, err := s.subjects(stderr)
	if err != nil {
		return err
	}
	tool := newestTool()
	s.arms = slices.DeleteFunc(s.arms, func(a trial.Arm) bool {
		why := a.Missing(ctx, tool)
		if why != nil {
			fmt.Fprintf(stderr, "arm %s is left out: %v\n", a.Name, why)
		}
		return why != nil
	})
	if len(s.arms) == 0 {
		return errors.New("no arm is left to play")
	}
	b, err := newBoard(ctx, s, tool, stdout, stderr)
	if err != nil {
		return err
	}
	dir, remove, err := workspace()
	if err != nil {
		return err
	}
	defer remove()
	if err := b.playAll(ctx, dir, subjects); err != nil {
		if len(b.cells) > 0 {
			err = errors.Join(err, b.finish("not complete: "+err.Error()))
		}
		return err
	}
	return b.finish("")
}

// subjects are the faults to find: those of the rules, and the natural ones.
func (s *settings) subjects(stderr io.Writer) (list []trial.Subject, err error) {
	if !s.measure(measureBugs) {
		return nil, nil
	}
	f, err := os.Open(s.mutants)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mutants, err := mutant.Parse(s.mutants, f)
	if err != nil {
		return nil, err
	}
	for i := range mutants {
		m := &mutants[i]
		switch {
		case !s.only.MatchString(m.Name):
		case m.Lacks != "":
			fmt.Fprintf(stderr, "%s is left out: the harness lacks %s\n", m.Name, m.Lacks)
		default:
			list = append(list, trial.Mutated(m))
		}
	}
	for _, n := range trial.Natural {
		if s.only.MatchString(n.Name) {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("-only %s: no fault has such a name", s.only)
	}
	return list, nil
}
