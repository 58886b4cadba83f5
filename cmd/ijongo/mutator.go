package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ijongo/ijongo/fuzz/campaign/build"
)

func runMutator(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var f fuzzFlags
	fs := flag.NewFlagSet("mutator", flag.ContinueOnError)
	out := fs.String("o", "", "write the shared object to `FILE` (default FuzzXxx.so in the current folder)")
	f.buildFlags(fs)
	if err := parseFlags(fs, args, "[flags] PACKAGE", stdout); err != nil {
		return err
	}
	err := f.take(fs.Args())
	if err == nil {
		err = build.FindCompiler(ctx)
	}
	if err != nil {
		return fmt.Errorf("ijongo mutator: %w", err)
	}
	t, err := f.target(ctx, stderr)
	if err != nil {
		return err
	}
	if *out == "" {
		*out = t.name + ".so"
	}
	if *out, err = filepath.Abs(*out); err != nil { // afl-fuzz looks for a bare name elsewhere
		return err
	}
	return t.mutator(ctx, *out, stdout)
}

// mutator builds the shared object with which afl-fuzz makes inputs of the target.
func (t *target) mutator(ctx context.Context, out string, stdout io.Writer) (err error) {
	b, remove, err := t.aside(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	d, err := t.describe(ctx, b)
	if err != nil {
		return err
	}
	if d.Record == 0 {
		t.logf("%s declares no schedule: its inputs are changed as bytes, as afl-fuzz does (declare one with ijon.Schedule, or use no mutator)", t.name)
	}
	t.logf("building the mutator of %s", t.name)
	if err := build.Mutator(ctx, &d.Layout, out); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "AFL_CUSTOM_MUTATOR_LIBRARY=%s\n", out)
	return err
}
