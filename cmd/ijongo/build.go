package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
	"github.com/ijongo/ijongo/fuzz/corpus"
)

// A building is what ijongo build is asked for.
type building struct {
	fuzzFlags
	out, seeds string
}

func runBuild(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var f building
	if err := f.parse(args, stdout); err != nil {
		return err
	}
	t, err := f.target(ctx, stderr)
	if err != nil {
		return err
	}
	if f.out == "" {
		f.out = t.name + "." + f.engine
	}
	if info, err := os.Stat(f.out); err == nil && info.IsDir() {
		return fmt.Errorf("ijongo build: -o %s is a folder (name a file)", f.out)
	}
	bin, remove, err := t.aside(ctx)
	if err != nil {
		return err
	}
	describeBinary(t, bin)
	if err := errors.Join(f.deliver(ctx, t, bin), remove()); err != nil {
		return err
	}
	return f.usage(stdout, t)
}

func (f *building) parse(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("build", flag.ContinueOnError)
	fs.StringVar(&f.engine, "engine", aflEngine, "build for `ENGINE`: afl, or native; it is the same binary by another name")
	fs.StringVar(&f.out, "o", "", "write the binary to `FILE` (default FuzzXxx.afl or FuzzXxx.native in the current folder)")
	fs.StringVar(&f.seeds, "seeds", "", "write inputs to begin with to `DIR`: those of f.Add and testdata/fuzz, and random schedules where inputs are schedules")
	fs.Uint64Var(&f.seed, "seed", 1, "draw random schedules from seed `N`")
	f.buildFlags(fs)
	if err := parseFlags(fs, args, "[flags] PACKAGE", stdout); err != nil {
		return err
	}
	if f.engine != native && f.engine != aflEngine {
		return fmt.Errorf("ijongo build: -engine %s (there are %s and %s)", f.engine, native, aflEngine)
	}
	if err := f.take(fs.Args()); err != nil {
		return fmt.Errorf("ijongo build: %w", err)
	}
	return nil
}

// deliver writes the seeds and then the binary, so that who waits for it has
// all.
func (f *building) deliver(ctx context.Context, t *target, b *build.Binary) error {
	if f.seeds != "" {
		if err := f.writeSeeds(ctx, t, b); err != nil {
			return err
		}
	}
	return build.Install(b.Path, f.out)
}

// writeSeeds writes the inputs to begin with.
func (f *building) writeSeeds(ctx context.Context, t *target, b *build.Binary) error {
	d, err := t.describe(ctx, b)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.seeds, 0o755); err != nil {
		return err
	}
	for _, input := range campaign.Seeds(d, f.seed) {
		if _, _, err := corpus.Add(f.seeds, input); err != nil {
			return err
		}
	}
	return nil
}

// usage says how the binary is used.
func (f *building) usage(w io.Writer, t *target) error {
	path := near(f.out)
	if !strings.ContainsRune(path, filepath.Separator) {
		path = "." + string(filepath.Separator) + path
	}
	if f.engine == native {
		_, err := fmt.Fprintf(w, "%s -test.run='^%s$' -test.v\n", path, t.name)
		return err
	}
	seeds := f.seeds
	if seeds == "" {
		seeds = "SEEDS"
	}
	_, err := fmt.Fprintf(w, "afl-fuzz -i %s -o FINDINGS -m none -t 10000 -- %s\n", seeds, path)
	return err
}
