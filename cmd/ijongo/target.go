package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// A target is the fuzz function of a package, its campaign folder and its
// settings: what fuzz, replay and minimize have in common.
type target struct {
	pkg    *build.Package
	name   string
	dir    string // campaign folder
	as     string // name of the campaign in it
	info   campaign.Info
	stderr io.Writer
}

func (t *target) logf(format string, args ...any) {
	fmt.Fprintf(t.stderr, "ijongo: "+format+"\n", args...)
}

func (t *target) options() build.Options {
	o := build.Options{Annotations: t.info.Annotations, Dictionary: t.info.Dictionary, Target: t.name}
	if t.info.Instrument != "" {
		o.Instrument = strings.Split(t.info.Instrument, ",")
	}
	return o
}

// open takes the campaign folder and builds the target in it.
func (t *target) open(ctx context.Context) (*campaign.Folder, *build.Binary, error) {
	f, err := campaign.Open(t.dir, t.as, t.info)
	if err != nil {
		return nil, nil, err
	}
	b, err := build.Build(ctx, t.pkg, t.options(), f.Build(), t.logf)
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, b, nil
}

// binary is the built target, also while a campaign runs in the folder, as
// long as nothing has changed since that was built.
func (t *target) binary(ctx context.Context) (campaign.Target, error) {
	f, b, err := t.open(ctx)
	switch {
	case err == nil:
		err = f.Close()
	case errors.Is(err, campaign.ErrLocked):
		var current error
		b, current = build.Current(ctx, t.pkg, t.options(), filepath.Join(t.dir, "build"))
		if b != nil || current != nil {
			err = current
		}
	}
	if err != nil {
		return campaign.Target{}, err
	}
	return campaign.Target{Binary: b.Path, Dir: t.pkg.Dir, Name: t.name, MemLimit: t.info.MemLimit}, nil
}

// describe asks the target for its seeds and its layout.
func (t *target) describe(ctx context.Context, b *build.Binary) (*wire.Description, error) {
	return campaign.Describe(ctx, campaign.Target{Binary: b.Path, Dir: t.pkg.Dir, Name: t.name}, campaign.DefaultTimeout)
}

// aside is the target as the campaign folder has it, or built in a temporary
// folder, which remove removes: the campaign's is left alone.
func (t *target) aside(ctx context.Context) (b *build.Binary, remove func() error, err error) {
	b, err = build.Current(ctx, t.pkg, t.options(), filepath.Join(t.dir, "build"))
	if b != nil || err != nil {
		return b, func() error { return nil }, err
	}
	dir, err := os.MkdirTemp("", "ijongo-target-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() error { return os.RemoveAll(dir) }
	if b, err = build.Build(ctx, t.pkg, t.options(), dir, t.logf); err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return b, remove, nil
}

// useTags lets every go command that is run build with these tags.
func useTags(tags string) error {
	if tags == "" {
		return nil
	}
	return os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -tags="+tags))
}

// self is how the user calls this program.
func self() string {
	path, err := os.Executable()
	if err != nil || !strings.Contains(filepath.ToSlash(path), "/go-build") {
		return "ijongo"
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "ijongo"
	}
	if _, err := os.Stat("cmd/ijongo"); err == nil {
		return "go run ./cmd/ijongo"
	}
	return "go run " + info.Path
}

// near is path relative to the current folder when it lies in it.
func near(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return rel
}
