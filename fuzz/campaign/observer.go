package campaign

import (
	"context"
	"errors"
	"time"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// An observer runs what the instances of AFL++ in a campaign keep, so that it
// is known what that covers: afl-fuzz has one map for all that guides it.
type observer struct {
	*search
	runner *Runner
	seen   sightings // of files that were run
	news   watched
}

// watched is what an observer has seen: so many runs, and what the last one was
// the first to cover.
type watched struct {
	runs  uint64
	first *wire.Covered
	over  bool
	err   error
}

// How often an observer looks for new inputs, and how long it may go on when the
// instances have ended; the next campaign runs what is left.
const (
	observeEvery = time.Second
	observeLast  = 5 * time.Second
)

// observe lets an observer begin.
func (s *search) observe(ctx context.Context) {
	if s.cover.shared == nil {
		return // there is nothing to cover
	}
	o := &observer{search: s, runner: NewRunner(s.Target, 2*s.Timeout), seen: make(sightings)}
	o.runner.cover = s.cover
	o.runner.first = func(c *wire.Covered) { o.news.first = c }
	s.watching = true
	go func() {
		err := o.run(ctx)
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
		o.runner.Fresh()
		s.events <- event{watched: &watched{runs: o.news.runs, over: true, err: err}}
	}()
}

func (s *search) hearObserver(w *watched) {
	s.cover.watched = w.runs
	if w.first != nil {
		s.fail(s.cover.hear(w.first, time.Since(s.tally.begin)))
	}
	s.watching = s.watching && !w.over
	s.fail(w.err)
}

func (o *observer) run(ctx context.Context) error {
	tick := time.NewTicker(observeEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-o.idle:
			last, cancel := context.WithTimeout(ctx, observeLast)
			defer cancel()
			return o.look(last, true)
		case <-tick.C:
			if err := o.look(ctx, false); err != nil {
				return err
			}
		}
	}
}

// look runs what is new in the queues. All of it is complete when their writers
// have ended.
func (o *observer) look(ctx context.Context, final bool) error {
	writers, err := corpus.Writers(o.Folder.Dir)
	if err != nil {
		return err
	}
	for _, w := range writers {
		if !o.Folder.ownsInstance(w) {
			continue
		}
		files, err := corpus.Files(o.Folder.Dir, w)
		if err != nil {
			return err
		}
		for _, f := range files {
			if !o.seen.take(f, final) {
				continue
			}
			if err := o.play(ctx, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// play runs the input in a file. What cannot be read, or fails or hangs, is
// left to those whose business it is.
func (o *observer) play(ctx context.Context, f corpus.File) error {
	input, err := f.Read()
	if err != nil {
		return nil
	}
	_, err = o.runner.Run(ctx, input, false)
	if errors.Is(err, errBusy) || errors.Is(err, errIdle) {
		return nil
	}
	if err != nil {
		return err
	}
	o.news.runs++
	news := o.news
	o.news.first = nil
	o.events <- event{watched: &news}
	return nil
}
