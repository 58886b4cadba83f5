package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

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
