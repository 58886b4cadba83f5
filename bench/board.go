package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ijongo/ijongo/bench/rig"
	"github.com/ijongo/ijongo/bench/trial"
	"github.com/ijongo/ijongo/fuzz/campaign"
)

// A board plays the cells and keeps them.
type board struct {
	settings
	stdout, stderr io.Writer
	origin         origin
	tool           *rig.Tool    // AFL++, nil if there is none
	natural        *trial.Stand // the module as it is
	control        *trial.Control

	mu    sync.Mutex // of cells, while campaigns are played
	cells []trial.Cell
}

func (b *board) has(measure, subject, arm string, seed uint64) bool {
	return slices.ContainsFunc(b.cells, func(c trial.Cell) bool {
		return c.Measure == measure && c.Subject == subject && c.Arm == arm && c.Seed == seed
	})
}

// playAll plays what is missing, each subject in a folder below dir.
func (b *board) playAll(ctx context.Context, dir string, faults []trial.Subject) error {
	if slices.ContainsFunc(faults, func(s trial.Subject) bool { return s.Mutant != nil }) {
		var err error
		if b.control, err = trial.NewControl(ctx, ".", filepath.Join(dir, "control")); err != nil {
			return err
		}
	}
	for i, subject := range faults {
		if err := b.play(ctx, filepath.Join(dir, fmt.Sprint(i)), trial.Bugs, b.budget, subject); err != nil {
			return err
		}
	}
	if !b.measure(measureBins, measureDepth) {
		return nil
	}
	return b.play(ctx, filepath.Join(dir, "states"), trial.States, b.states, trial.Unmodified)
}

// play plays what is missing of a subject: the arms whose events are counted in
// turn, one seed after the other, and then those that are given CPU time.
func (b *board) play(ctx context.Context, dir, measure string, budget float64, subject trial.Subject) error {
	var counted, timed []trial.Plan
	for k := range b.seeds {
		for _, a := range b.arms {
			p := trial.Plan{Measure: measure, Arm: a, Seed: b.first + uint64(k), Budget: budget}
			switch {
			case b.has(measure, subject.Name, a.Name, p.Seed):
			case measure == trial.States && a.Blind():
			case a.Timed():
				timed = append(timed, p)
			default:
				counted = append(counted, p)
			}
		}
	}
	if len(counted)+len(timed) == 0 {
		return nil
	}
	stand, err := b.stand(ctx, dir, subject)
	if err != nil {
		return err
	}
	if subject.Mutant != nil {
		defer os.RemoveAll(dir)
	}
	if err := b.playCounted(ctx, stand, counted); err != nil {
		return err
	}
	return b.playTimed(ctx, stand, timed, budget)
}

// stand is a new one, but for the module as it is, which is built once.
func (b *board) stand(ctx context.Context, dir string, subject trial.Subject) (*trial.Stand, error) {
	if subject.Mutant == nil && b.natural != nil {
		return b.natural.As(subject), nil
	}
	s, err := trial.NewStand(ctx, ".", dir, subject)
	if err != nil {
		return nil, err
	}
	if s.Control = b.control; subject.Mutant == nil {
		b.natural = s
	}
	return s, nil
}

func (b *board) playCounted(ctx context.Context, stand *trial.Stand, plans []trial.Plan) error {
	targets := map[string]campaign.Target{}
	for _, p := range plans {
		t, err := stand.Target(ctx, &p.Arm)
		if err != nil {
			return err
		}
		targets[p.Arm.Name] = t
	}
	return b.each(ctx, plans, func(ctx context.Context, p trial.Plan) (trial.Cell, error) {
		if p.Arm.AFL() {
			return stand.PlayAFL(ctx, b.tool, targets[p.Arm.Name], p)
		}
		return stand.Play(ctx, targets[p.Arm.Name], p)
	})
}

func (b *board) playTimed(ctx context.Context, stand *trial.Stand, plans []trial.Plan, budget float64) error {
	if len(plans) == 0 {
		return nil
	}
	binary, err := stand.GoTarget(ctx)
	if err != nil {
		return err
	}
	cpu := budget * b.price()
	return b.each(ctx, plans, func(ctx context.Context, p trial.Plan) (trial.Cell, error) {
		p.CPU = cpu
		return stand.PlayGo(ctx, binary, p)
	})
}

// price is what an eq of swarm costs on this machine, in CPU-seconds: in all
// cells so far, because one in which the fault is found at once tells what it
// costs to start.
func (b *board) price() float64 {
	var eq, cpu float64
	for _, c := range b.cells {
		if c.Measure == trial.Bugs && c.Arm == "swarm" {
			eq, cpu = eq+c.Eq, cpu+c.CPU
		}
	}
	return cpu / eq
}

// each plays plans, so many at a time, until one cannot be played.
func (b *board) each(ctx context.Context, plans []trial.Plan, play func(context.Context, trial.Plan) (trial.Cell, error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan trial.Plan)
	var players sync.WaitGroup
	for range b.jobs {
		players.Go(func() {
			for p := range next {
				c, err := play(ctx, p)
				if err == nil {
					err = b.add(c)
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, p := range plans {
		if ctx.Err() != nil {
			break
		}
		next <- p
	}
	close(next)
	players.Wait()
	return context.Cause(ctx)
}

// add keeps a cell and tells of it.
func (b *board) add(c trial.Cell) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cells = append(b.cells, c)
	result := "not found"
	switch {
	case c.Found:
		result = c.Key
	case c.Measure == trial.States:
		result = fmt.Sprintf("%d bins", len(c.Hits))
	}
	if c.Note != "" {
		result += "; " + c.Note
	}
	fmt.Fprintf(b.stderr, "%-40s %-11s seed %d: %8.1f eq %7.2f CPU-s  %s\n", c.Subject, c.Arm, c.Seed, c.Eq, c.CPU, result)
	return b.print(line{Type: "cell", Cell: &c})
}
