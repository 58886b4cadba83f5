package rewrite

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/ijongo/ijongo/annot"
)

// Config says what to instrument and where the copy goes.
type Config struct {
	Dir      string   // where patterns are resolved; empty is the current folder
	Patterns []string // packages to instrument, of the main module or of dependencies
	Modules  []string // dependencies to instrument as far as Patterns import them, by module path
	Sidecars []string // annotation files; the modules they name are instrumented
	Out      string   // the copy; replaced as a whole

	// Hook turns f.Fuzz in the test files of Patterns, and in the packages
	// of the main module, into a call of the embedded engine. The packages
	// of the main module that Patterns and their tests import are
	// instrumented as well.
	Hook bool

	// Tests lets the tests in the test files of Patterns tell the runtime that
	// they start, so that coverage is put down to them.
	Tests bool

	// Counts gives the copy edge counters of 32 bits, that do not wrap in
	// practice. An engine cannot search with them.
	Counts bool

	Dictionaries []string // files with words for the dictionary, in AFL's format

	Skip       []string // packages and files to leave out: import path patterns, and names or globs that end in .go
	Generated  bool     // count in generated files too
	TestFiles  bool     // count and annotate in the test files of Patterns too
	NoCounters bool     // annotations only
	Operands   bool     // count the right sides of && and || too

	Race     bool  // counters that the race detector does not see
	Strict   bool  // warnings are errors
	Trimpath bool  // no absolute path in the copy
	Target   fs.FS // sources of the runtime: ijongo.Target

	Logf func(format string, args ...any) // progress; may be nil
}

// runtimeModule is the module that the copy requires.
const runtimeModule = "github.com/ijongo/ijongo"

// Instrument writes the instrumented copy of the main module around c.Dir to
// c.Out. On an error nothing is written; faults that have a position are
// returned as annot.Errors. What it can do without is in the manifest, as
// warnings and skipped files.
func Instrument(ctx context.Context, c Config) (*Manifest, error) {
	if c.Out == "" {
		return nil, errors.New("no output folder named")
	}
	p, err := NewPlan(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	return p.Manifest, p.Write(ctx)
}

// A Plan is what Instrument would write. It may have faults that forbid
// writing it: Err tells.
type Plan struct {
	*Manifest
	Faults annot.Errors // errors, and the warnings that are in the manifest too
	prog   *program
}

// NewPlan plans the copy and writes nothing. Out may be empty.
func NewPlan(ctx context.Context, c Config) (*Plan, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	prog, err := load(ctx, &c)
	if err != nil {
		return nil, err
	}
	if err := prog.plan(ctx); err != nil {
		return nil, err
	}
	return &Plan{prog.manifest(), prog.faults, prog}, nil
}

// Err is what forbids writing the copy, as annot.Errors.
func (p *Plan) Err() error {
	if p.Faults.Fatal(p.prog.cfg.Strict) {
		return p.Faults
	}
	return nil
}

// Write writes the copy to Out, for a plan without errors.
func (p *Plan) Write(ctx context.Context) error {
	c := p.prog.cfg
	files, err := p.prog.tree(p.Manifest)
	if err != nil {
		return err
	}
	c.Logf("writing %d files to %s", len(files), c.Out)
	return replaceTree(ctx, c.Out, files)
}

// complete makes the paths absolute and checks what must be there.
func (c *Config) complete() error {
	switch {
	case len(c.Patterns) == 0:
		return errors.New("no packages named (write ./... for all of the module)")
	case c.Target == nil:
		return errors.New("no runtime sources given")
	}
	if c.Logf == nil {
		c.Logf = func(string, ...any) {}
	}
	var err error
	if c.Dir, err = filepath.Abs(c.Dir); err != nil {
		return err
	}
	if c.Out != "" {
		if c.Out, err = filepath.Abs(c.Out); err != nil {
			return err
		}
		return checkOut(c.Out)
	}
	return nil
}

// plan decides on every edit of every file, and collects the faults. The
// files of the copy come last.
func (prog *program) plan(ctx context.Context) error {
	var errs annot.Errors
	for _, p := range prog.pkgs {
		for _, f := range p.files {
			errs = append(errs, prog.planFile(f)...)
		}
		faults, err := prog.planForeign(p)
		if err != nil {
			return err
		}
		errs = append(errs, faults...)
	}
	errs = append(errs, prog.planTestFiles()...)
	errs = append(errs, prog.planSidecars()...)
	added, err := prog.planAdds(ctx)
	if err != nil {
		return err
	}
	errs = append(errs, added...)
	errs = append(errs, prog.planGroups()...)
	errs = append(errs, prog.checkActions()...)
	errs = append(errs, prog.planWrites()...)
	for _, p := range prog.pkgs {
		for _, f := range p.files {
			p.keepImports(f)
		}
	}
	if prog.cfg.Hook {
		prog.planHooks()
	}
	if prog.cfg.Tests {
		prog.planTests()
	}
	if err := prog.planDictionary(); err != nil {
		return err
	}
	errs = append(errs, prog.planEmbeds()...)
	prog.faults = append(prog.faults, errs...)
	prog.faults.Sort()
	return prog.planFiles()
}
