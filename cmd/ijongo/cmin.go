package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
)

func runCmin(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("cmin", flag.ContinueOnError)
	out := fs.String("o", "", "write the smaller corpus to `DIR`, a new campaign folder, and leave the old one as it is")
	run := fs.String("run", "", "of a package, take the function that matches `REGEXP`; not needed when there is one")
	timeout := timeoutFlag(fs)
	if err := parseFlags(fs, args, "[flags] DIR|PACKAGE", stdout); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return fmt.Errorf("ijongo cmin: %d folders (name one: that of a campaign, such as .ijongo/FuzzXxx, or a package)", fs.NArg())
	}
	t, err := campaignOf(ctx, fs.Arg(0), *run, stderr)
	if err != nil {
		return err
	}
	if *timeout == 0 {
		*timeout = 2 * t.info.Timeout
	}
	return t.shrink(ctx, *out, *timeout, stdout)
}

// campaignOf is the target of a campaign folder, or of that of a package.
func campaignOf(ctx context.Context, arg, run string, stderr io.Writer) (*target, error) {
	dir, err := filepath.Abs(arg)
	if err != nil {
		return nil, err
	}
	if t, err := targetOf(ctx, dir, stderr); t != nil || err != nil {
		return t, err
	}
	pkg, err := build.Find(ctx, arg)
	if source, _ := filepath.Glob(filepath.Join(dir, "*.go")); err != nil && len(source) == 0 {
		return nil, fmt.Errorf("ijongo cmin: neither a package nor a campaign: %w", campaign.NoFolder(arg))
	}
	if err != nil {
		return nil, err
	}
	name, err := pkg.Select(run)
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(pkg.Dir, ".ijongo", name)
	t, err := targetOf(ctx, dir, stderr)
	if t == nil && err == nil {
		err = fmt.Errorf("ijongo cmin: %s: no campaign folder (run ijongo fuzz first, or name the folder)", dir)
	}
	return t, err
}

// shrink makes the corpus of the campaign smaller, or writes a smaller one.
func (t *target) shrink(ctx context.Context, out string, timeout time.Duration, stdout io.Writer) error {
	folder, bin, err := t.open(ctx)
	if err != nil {
		return err
	}
	defer folder.Close() // the lock goes with the process in any case
	release, err := folder.Alone()
	if err != nil {
		return err
	}
	defer release() // as above
	runner := campaign.NewRunner(campaign.Target{Binary: bin.Path, Dir: t.pkg.Dir, Name: t.name, MemLimit: t.info.MemLimit}, timeout)
	defer runner.Fresh()
	m, err := folder.Minimum(ctx, runner)
	if err != nil {
		return err
	}
	for _, bad := range m.Bad {
		t.logf("%v; left out", bad)
	}
	switch {
	case out != "":
		err = m.WriteTo(out, t.info)
	case len(m.Bad) > 0:
		err = errors.New("ijongo cmin: there are damaged entries (restore or delete them, or write the smaller corpus elsewhere with -o)")
	default:
		err = folder.Replace(m)
	}
	if err != nil {
		return err
	}
	failing := ""
	if m.Failed > 0 {
		failing = fmt.Sprintf(", of which %d fail", m.Failed)
	}
	_, err = fmt.Fprintf(stdout, "%d of %d inputs%s, %d of %d bytes, bring all %d features\n", len(m.Inputs), m.Of, failing, m.Bytes, m.All, m.Brings)
	return err
}
