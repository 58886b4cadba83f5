package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/ijongo/ijongo/cmd/ijongo/screen"
	"github.com/ijongo/ijongo/fuzz/campaign"
)

// isScreen is an error when -ui has nothing to draw on.
func isScreen(stdout io.Writer) error {
	if f, ok := stdout.(*os.File); ok && screen.IsTerminal(f) {
		return nil
	}
	return errors.New("-ui: standard output is not a terminal (leave -ui out, or use -json)")
}

// onScreen is campaign.Run with the whole screen instead of lines. What is
// logged meanwhile is shown at the foot, and printed when the screen is gone.
func (o *teller) onScreen(ctx context.Context, c campaign.Config) (*campaign.Result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	place := fmt.Sprintf("seed %d, %s, campaign folder %s", c.Seed, count(c.Workers, "worker"), near(o.target.dir))
	s := screen.New(o.stdout, o.target.name+" of "+o.target.pkg.ImportPath, place, stop)
	var notes bytes.Buffer
	stderr := o.target.stderr
	o.target.stderr = io.MultiWriter(s, &notes)
	c.Progress = s.Progress
	c.Failed, c.Minimized = s.Failure, s.Failure
	type ending struct {
		result *campaign.Result
		err    error
	}
	done := make(chan ending, 1)
	go func() {
		r, err := campaign.Run(ctx, c)
		done <- ending{r, err}
		s.Close()
	}()
	if err := s.Run(); err != nil {
		return nil, fmt.Errorf("ijongo fuzz: -ui: %w", err)
	}
	end := <-done
	o.target.stderr = stderr
	_, err := notes.WriteTo(stderr)
	return end.result, errors.Join(end.err, err)
}

// followEvery is how often a folder is looked at.
const followEvery = time.Second

// follow shows the campaign in a folder on the whole screen until a key ends
// it; the campaign itself does not notice.
func follow(ctx context.Context, stdout io.Writer, dir string) error {
	status, err := liveliest(dir)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := screen.New(stdout, status.Target+" of "+status.Package, near(dir), stop)
	failed := make(chan error, 1)
	go func() {
		failed <- feed(ctx, s, dir)
		s.Close()
	}()
	if err := s.Run(); err != nil {
		return err
	}
	stop()
	return <-failed
}

// liveliest is the status of the campaign in dir that has reported last.
func liveliest(dir string) (*campaign.Status, error) {
	all, err := campaign.ReadStatus(dir)
	if err != nil {
		return nil, err
	}
	return slices.MaxFunc(all, func(a, b *campaign.Status) int { return a.Updated.Compare(b.Updated) }), nil
}

func feed(ctx context.Context, s *screen.Screen, dir string) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		status, err := liveliest(dir)
		if err != nil {
			return err
		}
		s.State(status.State())
		if status.Progress != nil {
			s.Progress(*status.Progress)
		}
		for _, f := range status.Failures {
			s.Failure(f)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
