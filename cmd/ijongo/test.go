package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ijongo/ijongo/cover/gotest"
	"github.com/ijongo/ijongo/cover/table"
	"github.com/ijongo/ijongo/rewrite"
)

// testFlags are the flags of ijongo test that are not go test's.
type testFlags struct {
	dir         string
	annotations list
	gates       gates
}

func (f *testFlags) set() *flag.FlagSet {
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	fs.StringVar(&f.dir, "dir", "", "keep the copy and the coverage in `DIR` (default "+gotest.DefaultDir+" in the root of the module)")
	fs.Var(&f.annotations, "annotations", "annotate by this `FILE.ijon` instead of those beside the packages; may be repeated")
	f.gates.flags(fs)
	return fs
}

func runTest(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var f testFlags
	fs := f.set()
	a, err := f.parse(fs, args, stdout)
	if err != nil {
		return err
	}
	if err := useTags(a.Tags); err != nil {
		return err
	}
	c := gotest.Config{Args: *a, Dir: f.dir, Annotations: f.annotations, Stdout: stdout, Stderr: stderr,
		Logf: func(format string, args ...any) { fmt.Fprintf(stderr, "ijongo: "+format+"\n", args...) },
		Warn: func(m *rewrite.Manifest) {
			for _, w := range m.Warnings {
				fmt.Fprintln(stderr, shortPaths(w.Error()))
			}
		},
	}
	r, err := gotest.Run(ctx, c)
	if err != nil {
		return err
	}
	if r.Profile == nil {
		if r.Code != 0 {
			return &exitError{Code: 2} // nothing ran; go test has said why
		}
		c.Logf("no tests ran: there is no coverage")
		return nil
	}
	if a.JSON {
		stdout = stderr // standard output is JSON
	}
	if err := f.report(r, stdout); err != nil {
		return err
	}
	if err := f.gates.pass(r.Profile, stderr); err != nil {
		return err
	}
	if r.Code != 0 {
		return &exitError{Code: r.Code}
	}
	return nil
}

// parse takes the arguments apart: flags of go test may stand among ours.
func (f *testFlags) parse(fs *flag.FlagSet, args []string, stdout io.Writer) (*gotest.Args, error) {
	const synopsis = "[flags] [go test flags] PACKAGES [-args …]"
	for _, arg := range args {
		if arg == "-args" || arg == "--args" {
			break
		}
		if arg == "-h" || arg == "-help" || arg == "--help" {
			return nil, parseFlags(fs, []string{"-h"}, synopsis, stdout)
		}
	}
	a, own, err := gotest.ParseArgs(args, func(name string) bool { return fs.Lookup(name) != nil })
	if err != nil {
		return nil, fmt.Errorf("ijongo test: %w", err)
	}
	if err := parseFlags(fs, own, synopsis, stdout); err != nil {
		return nil, err
	}
	return a, f.gates.check()
}

// report prints the summary and where to find more.
func (f *testFlags) report(r *gotest.Result, w io.Writer) error {
	if len(r.Profile.Items)+len(r.Profile.Edges) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if err := table.Summary(w, r.Profile); err != nil {
		return err
	}
	return tellHoles(w, r.Profile, []string{near(filepath.Dir(r.Path))})
}
