package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ijongo/ijongo"
	"github.com/ijongo/ijongo/rewrite"
)

// Options are the settings that change what is built.
type Options struct {
	Annotations []string // sidecar files; nil is every *.ijon file in the package's folder
	Instrument  []string // further packages to instrument, or NoCounters alone
	Dictionary  string   // file of words in AFL's format; empty is none
	Target      string   // the fuzz function that the binary runs for AFL++ if nobody says another; empty is none
}

// NoCounters in place of packages leaves the annotations as the only feedback.
const NoCounters = "none"

// A Binary is a built target.
type Binary struct {
	Path     string
	Manifest *rewrite.Manifest
}

// The files of the build folder.
const (
	copyDir = "copy"
	binary  = "target.test"
	keyFile = "key"
)

// Build makes the target in dir unless what is there is up to date.
func Build(ctx context.Context, p *Package, o Options, dir string, logf func(string, ...any)) (*Binary, error) {
	old, key, err := current(ctx, p, &o, dir)
	if old != nil || err != nil {
		return old, err
	}
	m, err := construct(ctx, p, o, dir, logf)
	if err != nil {
		return nil, err
	}
	return &Binary{filepath.Join(dir, binary), m}, os.WriteFile(filepath.Join(dir, keyFile), []byte(key), 0o644)
}

// Current is the target in dir if it is up to date, else nil.
func Current(ctx context.Context, p *Package, o Options, dir string) (*Binary, error) {
	b, _, err := current(ctx, p, &o, dir)
	return b, err
}

func current(ctx context.Context, p *Package, o *Options, dir string) (b *Binary, key string, err error) {
	if err := o.complete(p); err != nil {
		return nil, "", err
	}
	if key, err = fingerprint(ctx, p, *o); err != nil {
		return nil, "", err
	}
	old, err := os.ReadFile(filepath.Join(dir, keyFile))
	if err != nil || string(old) != key {
		return nil, key, nil
	}
	m, err := rewrite.ReadManifest(filepath.Join(dir, copyDir))
	if err != nil {
		return nil, key, nil // made again, and with it what is wrong here
	}
	path := filepath.Join(dir, binary)
	if _, err := os.Stat(path); err != nil {
		return nil, key, nil
	}
	return &Binary{path, m}, key, nil
}

func (o *Options) complete(p *Package) error {
	if o.Annotations == nil {
		found, err := filepath.Glob(filepath.Join(p.Dir, "*.ijon"))
		o.Annotations = found
		return err
	}
	for i, path := range o.Annotations {
		abs, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		o.Annotations[i] = abs
	}
	return nil
}

// construct instruments and builds. The key of the last build goes first: a build
// that is killed half way is none.
func construct(ctx context.Context, p *Package, o Options, dir string, logf func(string, ...any)) (*rewrite.Manifest, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.Remove(filepath.Join(dir, keyFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	logf("instrumenting %s", p.ImportPath)
	out := filepath.Join(dir, copyDir)
	c := rewrite.Config{
		Dir:        p.Dir,
		Patterns:   []string{"."},
		Sidecars:   o.Annotations,
		Out:        out,
		Hook:       true,
		NoCounters: slices.Equal(o.Instrument, []string{NoCounters}),
		Target:     ijongo.Target,
	}
	if !c.NoCounters {
		c.Patterns = append(c.Patterns, o.Instrument...)
	}
	if o.Dictionary != "" {
		c.Dictionaries = []string{o.Dictionary}
	}
	m, err := rewrite.Instrument(ctx, c)
	if err != nil {
		return nil, err
	}
	logf("building %s", p.ImportPath)
	return m, compile(ctx, p, o.Target, out, filepath.Join(dir, binary))
}

func compile(ctx context.Context, p *Package, target, out, path string) error {
	rel, err := p.Rel()
	if err != nil {
		return err
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", linkTarget(target), "-o", path+".new", "./"+filepath.ToSlash(rel))
	cmd.Dir = out
	cmd.Env = rewrite.GoEnv(out)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s does not build:\n%s", p.ImportPath, strings.TrimSpace(said.String()))
	}
	return os.Rename(path+".new", path) // a process that runs the old one keeps it
}

// linkTarget names the fuzz function to the linker. What the user's GOFLAGS say
// to the linker is said again: the command line would take its place.
func linkTarget(target string) string {
	flags := ""
	for _, f := range strings.Fields(os.Getenv("GOFLAGS")) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "ldflags="); ok {
			flags = v + " "
		}
	}
	return "-ldflags=" + flags + "-X " + targetVariable + "=" + target
}

const targetVariable = "github.com/ijongo/ijongo/runtime/afl.target"
