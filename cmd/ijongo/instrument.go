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
	fs := flag.NewFlagSet("instrument", flag.ContinueOnError)
	fs.StringVar(&c.Out, "o", "", "write the copy to `DIR`, which must be new, empty, or a copy already")
	selectionFlags(fs, &c)
	fs.BoolVar(&c.Operands, "operands", false, "count the right sides of && and || too")
	fs.BoolVar(&c.Race, "race", false, "hide the counters from the race detector")
	fs.BoolVar(&c.Strict, "strict", false, "take warnings for errors")
	fs.BoolVar(&c.Trimpath, "trimpath", false, "write no absolute path into the copy")
	diff := fs.Bool("diff", false, "print a unified diff of every Go file against its original; writes the copy only with -o")
	dry := fs.Bool("n", false, "print what would be done, and write nothing")
	verbose := fs.Bool("v", false, "print what is done")
	if err := parseFlags(fs, args, "[flags] -o DIR PACKAGES", stdout); err != nil {
		return err
	}
	if c.Out == "" && !*diff && !*dry {
		return errors.New("ijongo instrument: no output folder (write -o DIR)")
	}
	if err := packageArgs(fs, &c); err != nil {
		return err
	}
	if *verbose {
		c.Logf = func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	}
	p, err := rewrite.NewPlan(ctx, c)
	if err != nil {
		return err
	}
	if err := p.Err(); err != nil {
		return err
	}
	if err := carryOut(ctx, p, c.Out != "" && !*dry, *diff, *dry, stdout); err != nil {
		return err
	}
	summary := stdout
	if *diff {
		summary = stderr // standard output is the diff
	}
	report(p.Manifest, summary, stderr)
	return nil
}

// carryOut writes the plan, or shows it.
func carryOut(ctx context.Context, p *rewrite.Plan, write, diff, dry bool, stdout io.Writer) error {
	if diff {
		if err := p.Diff(stdout); err != nil {
			return err
		}
	} else if dry {
		if err := p.Actions(stdout); err != nil {
			return err
		}
	}
	if write {
		return p.Write(ctx)
	}
	return nil
}

// selectionFlags are the flags that say what is instrumented, of all commands
// that plan a copy.
func selectionFlags(fs *flag.FlagSet, c *rewrite.Config) {
	annotationsFlag(fs, c)
	fs.Var((*list)(&c.Modules), "module", "instrument the packages of this dependency that are imported; may be repeated")
	fs.Var((*list)(&c.Skip), "skip", "leave out what matches `PATTERN`: an import path, which may end in /..., or a file such as *.pb.go; may be repeated")
	fs.BoolVar(&c.Generated, "generated", false, "count in generated files too")
	fs.BoolVar(&c.TestFiles, "testfiles", false, "count and annotate in the test files of the packages too")
	hookFlag(fs, c)
}

func hookFlag(fs *flag.FlagSet, c *rewrite.Config) {
	fs.BoolVar(&c.Hook, "hook", false, "as ijongo fuzz does: let f.Fuzz call the embedded engine, and instrument what the packages and their tests import of the module")
}

func annotationsFlag(fs *flag.FlagSet, c *rewrite.Config) {
	fs.Var((*list)(&c.Sidecars), "annotations", "annotate by this `FILE.ijon`, and instrument the module it names; may be repeated")
}

// packageArgs takes the patterns behind the flags.
func packageArgs(fs *flag.FlagSet, c *rewrite.Config) error {
	if fs.NArg() == 0 {
		return fmt.Errorf("ijongo %s: no packages named (write ./... for all of the module)", fs.Name())
	}
	for _, arg := range fs.Args() {
		if strings.HasPrefix(arg, "-") {
			return fmt.Errorf("ijongo %s: flag %s behind the packages (flags go before them)", fs.Name(), arg)
		}
	}
	c.Patterns = fs.Args()
	return nil
}

// report prints warnings and a line about the copy.
func report(m *rewrite.Manifest, stdout, stderr io.Writer) {
	for _, w := range m.Warnings {
		fmt.Fprintln(stderr, shortPaths(w.Error()))
	}
	fmt.Fprintf(stdout, "%s: %d packages, %d counters, %d annotations, %d files skipped\n",
		m.Module, len(m.Packages), len(m.Counters), m.Annotated(), m.SkippedFiles())
}

// list is a flag that may be repeated.
type list []string

func (l *list) String() string { return strings.Join(*l, " ") }

func (l *list) Set(s string) error {
	*l = append(*l, s)
	return nil
}
