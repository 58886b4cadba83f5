package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
)

// An arm is a way of searching.
type arm struct {
	name     string
	feedback []string
}

var arms = []arm{
	{"guided", []string{"edges", "set", "max", "bins", "archive"}},
	{"random", nil}, // swarm at a length that it tunes itself
}

// A hit is what one campaign of one arm came to.
type hit struct {
	found  bool
	key    string
	after  time.Duration
	runs   uint64
	events uint64
	size   int // of the minimised schedule
}

func find(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("find", flag.ContinueOnError)
	seeds := fs.Int("seeds", 10, "campaigns of each arm")
	first := fs.Uint64("first", 1, "seed of the first")
	limit := fs.Duration("time", time.Minute, "longest campaign")
	pkg := fs.String("package", "./examples/etcd-raft", "package of the fuzz test")
	dir, remove, err := begin(fs, args)
	if err != nil {
		return err
	}
	defer remove()
	target, err := makeTarget(ctx, *pkg, dir)
	if err != nil {
		return err
	}
	hits := make([][]hit, len(arms))
	fmt.Printf("%5s %-6s %8s %8s %10s %9s  %s\n", "seed", "arm", "seconds", "runs", "events", "minimised", "violated")
	for seed := *first; seed < *first+uint64(*seeds); seed++ {
		for i, a := range arms {
			h, err := search(ctx, target, a, seed, *limit, filepath.Join(dir, a.name, strconv.FormatUint(seed, 10)))
			if err != nil {
				return err
			}
			hits[i] = append(hits[i], h)
			fmt.Printf("%5d %-6s %8.2f %8d %10d %9d  %s\n", seed, a.name, h.after.Seconds(), h.runs, h.events, h.size, h.key)
		}
	}
	for i, a := range arms {
		fmt.Println(sum(a, hits[i]))
	}
	return nil
}

func makeTarget(ctx context.Context, pkg, dir string) (campaign.Target, error) {
	p, err := build.Find(ctx, pkg)
	if err != nil {
		return campaign.Target{}, err
	}
	name, err := p.Select("")
	if err != nil {
		return campaign.Target{}, err
	}
	quiet := func(string, ...any) {}
	b, err := build.Build(ctx, p, build.Options{}, filepath.Join(dir, "build"), quiet)
	if err != nil {
		return campaign.Target{}, err
	}
	return campaign.Target{Binary: b.Path, Dir: p.Dir, Name: name}, nil
}

// search is a campaign of one worker that ends with its first failure.
func search(ctx context.Context, t campaign.Target, a arm, seed uint64, limit time.Duration, dir string) (h hit, err error) {
	folder, err := campaign.Open(dir, "", campaign.Info{Target: t.Name, Dir: t.Dir})
	if err != nil {
		return h, err
	}
	defer folder.Close()
	begin := time.Now()
	r, err := campaign.Run(ctx, campaign.Config{
		Target: t, Folder: folder, Time: limit, Seed: seed, Workers: 1, Feedback: a.feedback, Timeout: campaign.DefaultTimeout,
		Failed: func(f *campaign.Failure) {
			if !h.found {
				h.found, h.key, h.after = true, f.Key, time.Since(begin)
			}
		},
	})
	if err != nil {
		return h, err
	}
	if !h.found {
		h.after = time.Since(begin)
	}
	for _, f := range r.Found {
		h.size = f.Size
	}
	h.runs, h.events = r.Runs, r.Events
	return h, nil
}

// sum is the last word on an arm. A campaign that found nothing counts with
// its whole time.
func sum(a arm, hits []hit) string {
	var seconds, sizes []float64
	found := 0
	for _, h := range hits {
		seconds = append(seconds, h.after.Seconds())
		if h.found {
			found++
			sizes = append(sizes, float64(h.size))
		}
	}
	return fmt.Sprintf("%s: found %d of %d, median %.2f s, longest %.2f s; schedules of at most %.0f events",
		a.name, found, len(hits), median(seconds), slices.Max(seconds), slices.Max(append(sizes, 0)))
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	if n := len(x); n%2 == 0 {
		return (x[n/2-1] + x[n/2]) / 2
	}
	return x[len(x)/2]
}
