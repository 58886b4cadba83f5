package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/ijongo/ijongo/cover"
	page "github.com/ijongo/ijongo/cover/report"
	"github.com/ijongo/ijongo/fuzz/campaign"
)

// writeHTML writes the report of a profile that was read from paths. If that
// is one campaign, its growth and failures are in it.
func writeHTML(ctx context.Context, w io.Writer, p *cover.Profile, paths []string) error {
	s := sources{module: p.Module, root: moduleRoot(p.Module, paths), cache: moduleCache(ctx)}
	d := page.Data{
		Title: p.Module, Profile: p, Source: s.read,
		Command: func(first string) string { return again(paths, first) },
	}
	if len(paths) == 1 {
		if err := addCampaign(&d, campaignDir(paths[0])); err != nil {
			return err
		}
	}
	return page.Write(w, d)
}

// campaignDir is the folder that a profile is in, or is.
func campaignDir(path string) string {
	if filepath.Base(path) == cover.FileName {
		return filepath.Dir(path)
	}
	return path
}

// addCampaign adds what is known of the campaign in dir; nothing if there is
// none.
func addCampaign(d *page.Data, dir string) error {
	info, err := campaign.ReadInfo(dir)
	if err != nil {
		return notThere(err)
	}
	d.Title = info.Target + " of " + info.Package
	progress, err := campaign.LoadProgress(dir)
	if notThere(err) != nil {
		return err
	}
	for _, p := range progress {
		d.Samples = append(d.Samples, sampleOf(p))
	}
	failures, err := campaign.LoadFailures(dir)
	if notThere(err) != nil {
		return err
	}
	for _, f := range failures {
		title, _, _ := strings.Cut(f.Text, "\n")
		d.Failures = append(d.Failures, page.Failure{
			Title: title, Key: f.Key, Text: f.Text, Timeline: f.Timeline,
			Note:    fmt.Sprintf("fails in %s runs, %d %s, %d before it was minimised", f.Rate(), f.Size, f.Unit(), f.Found),
			Command: fmt.Sprintf("%s replay %s", self(), shellWord(near(filepath.Join(f.Dir, "input")))),
		})
	}
	return nil
}

// notThere is err, unless that is a file that does not exist.
func notThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}

func sampleOf(p campaign.Progress) page.Sample {
	s := page.Sample{Elapsed: p.Elapsed, Runs: p.Runs, Failures: p.Failures}
	for _, c := range []page.Count{
		{Name: "corpus", N: uint64(p.Corpus)}, {Name: "edges", N: uint64(p.Edges)}, {Name: "cells", N: uint64(p.Cells)},
		{Name: "pairs", N: uint64(p.Pairs)}, {Name: "bins", N: uint64(p.Bins)},
	} {
		if c.N > 0 {
			s.Counts = append(s.Counts, c)
		}
	}
	for _, b := range p.Best {
		s.Best = append(s.Best, page.Best(b))
	}
	for _, a := range p.Arms {
		s.Arms = append(s.Arms, page.Arm{Name: a.Name, Share: a.Share})
	}
	return s
}

// sources finds the files that a profile names.
type sources struct {
	module string // path of the main module
	root   string // its folder; empty if it is not known
	cache  string // the module cache
}

// read reads a file of the main module, or one named MODULE@VERSION/FILE.
func (s *sources) read(name string) ([]byte, error) {
	path, rest, ok := strings.Cut(name, "@")
	if !ok {
		if s.root == "" {
			return nil, fmt.Errorf("the folder of module %s is not known: run the command in it", s.module)
		}
		return readBelow(s.root, name)
	}
	version, file, _ := strings.Cut(rest, "/")
	path, err := module.EscapePath(path)
	if err != nil {
		return nil, err
	}
	if version, err = module.EscapeVersion(version); err != nil {
		return nil, err
	}
	return readBelow(filepath.Join(s.cache, filepath.FromSlash(path)+"@"+version), file)
}

// readBelow reads a file of the folder dir. A profile may come from anybody:
// what it names outside is not read into a report that is passed on.
func readBelow(dir, name string) ([]byte, error) {
	name = filepath.FromSlash(name)
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%s is not a file of %s", name, dir)
	}
	return os.ReadFile(filepath.Join(dir, name))
}

// moduleRoot is the folder of a module, which is above the current folder or
// above a profile; empty if it is not.
func moduleRoot(path string, profiles []string) string {
	for _, start := range append([]string{"."}, profiles...) {
		dir, err := filepath.Abs(start)
		if err != nil {
			continue
		}
		for {
			if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && modfile.ModulePath(text) == path {
				return dir
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	return ""
}

// moduleCache is the folder of the module cache; empty if the go command does
// not tell.
func moduleCache(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE").Output()
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(out))
}
