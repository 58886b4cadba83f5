package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/ijongo/ijongo"
	"github.com/ijongo/ijongo/rewrite"
)

func runInstrument(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c := rewrite.Config{Dir: ".", Target: ijongo.Target}
	var modules, sidecars list
	fs := flag.NewFlagSet("instrument", flag.ContinueOnError)
	fs.StringVar(&c.Out, "o", "", "write the copy to `DIR`, which must be new, empty, or a copy already")
	fs.Var(&modules, "module", "instrument the packages of this dependency that are imported; may be repeated")
	fs.Var(&sidecars, "annotations", "annotate by this `FILE.ijon`, and instrument the module it names; may be repeated")
	fs.BoolVar(&c.Hook, "hook", false, "let f.Fuzz call the embedded engine")
	fs.BoolVar(&c.Race, "race", false, "hide the counters from the race detector")
	fs.BoolVar(&c.Strict, "strict", false, "take warnings for errors")
	fs.BoolVar(&c.Trimpath, "trimpath", false, "write no absolute path into the copy")
	verbose := fs.Bool("v", false, "print what is done")
	if err := parseFlags(fs, args, "[flags] -o DIR PACKAGES", stdout); err != nil {
		return err
	}
	if c.Out == "" {
		return errors.New("ijongo instrument: no output folder (write -o DIR)")
	}
	if fs.NArg() == 0 {
		return errors.New("ijongo instrument: no packages named (write ./... for all of the module)")
	}
	c.Patterns, c.Modules, c.Sidecars = fs.Args(), modules, sidecars
	if *verbose {
		c.Logf = func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	}
	m, err := rewrite.Instrument(ctx, c)
	if err != nil {
		return err
	}
	report(m, stdout, stderr)
	return nil
}

// report prints warnings and a line about the copy.
func report(m *rewrite.Manifest, stdout, stderr io.Writer) {
	for _, w := range m.Warnings {
		fmt.Fprintln(stderr, shortPaths(w.Error()))
	}
	fmt.Fprintf(stdout, "%s: %d packages, %d counters, %d annotations, %d files skipped\n",
		m.Module, len(m.Packages), len(m.Counters), len(m.Annotations), len(m.Skipped))
}

// list is a flag that may be repeated.
type list []string

func (l *list) String() string { return strings.Join(*l, " ") }

func (l *list) Set(s string) error {
	*l = append(*l, s)
	return nil
}
