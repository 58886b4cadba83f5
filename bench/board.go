package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ijongo/ijongo/bench/table"
	"github.com/ijongo/ijongo/bench/trial"
	"github.com/ijongo/ijongo/fuzz/campaign"
)

// A board plays the cells and keeps them.
type board struct {
	settings
	stdout, stderr io.Writer
	begin          time.Time

	mu    sync.Mutex // of cells, while campaigns are played
	cells []trial.Cell
}

// A line is one of -json.
type line struct {
	Type    string         // cell or summary
	Cell    *trial.Cell    `json:",omitempty"`
	Summary *table.Summary `json:",omitempty"`
}

func newBoard(s settings, stdout, stderr io.Writer) (*board, error) {
	b := &board{settings: s, stdout: stdout, stderr: stderr, begin: time.Now()}
	if s.from == "" {
		return b, nil
	}
	return b, b.load()
}

// load takes the cells of an earlier run that this one would play too.
func (b *board) load() error {
	f, err := os.Open(b.from)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // what a killed run left unfinished does not count
		}
		if err != nil {
			return err
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return fmt.Errorf("%s:%d: %w (give the file that -json wrote)", b.from, n, err)
		}
		if c := l.Cell; c != nil && b.wants(c) {
			if err := b.add(*c); err != nil {
				return err
			}
		}
	}
}

// wants tells whether the cell is part of the run.
func (b *board) wants(c *trial.Cell) bool {
	what := []string{measureBugs}
	if c.Measure == trial.States {
		what = []string{measureBins, measureDepth}
	} else if !b.only.MatchString(c.Subject) {
		return false
	}
	return b.measure(what...) && c.Seed >= b.first && c.Seed < b.first+uint64(b.seeds) &&
		slices.Contains(trial.Names(b.arms), c.Arm) && !b.has(c.Measure, c.Subject, c.Arm, c.Seed)
}

func (b *board) has(measure, subject, arm string, seed uint64) bool {
	return slices.ContainsFunc(b.cells, func(c trial.Cell) bool {
		return c.Measure == measure && c.Subject == subject && c.Arm == arm && c.Seed == seed
	})
}

// play plays what is missing of a subject: our own engine's arms in turn, one
// seed after the other, and then the engines that are given CPU time.
func (b *board) play(ctx context.Context, dir, measure string, budget float64, subject trial.Subject) error {
	var native, other []trial.Plan
	for k := range b.seeds {
		for _, a := range b.arms {
			p := trial.Plan{Measure: measure, Arm: a, Seed: b.first + uint64(k), Budget: budget}
			switch {
			case b.has(measure, subject.Name, a.Name, p.Seed):
			case measure == trial.States && a.Blind():
			case a.Native():
				native = append(native, p)
			default:
				other = append(other, p)
			}
		}
	}
	if len(native)+len(other) == 0 {
		return nil
	}
	defer os.RemoveAll(dir)
	stand, err := trial.NewStand(ctx, ".", dir, subject)
	if err != nil {
		return err
	}
	if err := b.playNative(ctx, stand, native); err != nil {
		return err
	}
	return b.playOther(ctx, stand, other, budget)
}

func (b *board) playNative(ctx context.Context, stand *trial.Stand, plans []trial.Plan) error {
	targets := map[string]campaign.Target{}
	for _, p := range plans {
		t, err := stand.Target(ctx, &p.Arm)
		if err != nil {
			return err
		}
		targets[p.Arm.Name] = t
	}
	return b.each(ctx, plans, func(ctx context.Context, p trial.Plan) (trial.Cell, error) {
		return stand.Play(ctx, targets[p.Arm.Name], p)
	})
}

func (b *board) playOther(ctx context.Context, stand *trial.Stand, plans []trial.Plan, budget float64) error {
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

// print prints a line of -json.
func (b *board) print(l line) error {
	if !b.json {
		return nil
	}
	text, err := json.Marshal(l)
	if err == nil {
		_, err = fmt.Fprintf(b.stdout, "%s\n", text)
	}
	return err
}

// finish prints the tables, and writes them to a file. The last line is about
// the arm that was named last among ours, or else the last one.
func (b *board) finish(ctx context.Context) error {
	slices.SortStableFunc(b.cells, func(x, y trial.Cell) int { // campaigns end in any order
		switch {
		case x.Seed < y.Seed:
			return -1
		case x.Seed > y.Seed:
			return 1
		}
		return 0
	})
	var text strings.Builder
	text.WriteString(b.origin(ctx))
	var last []string
	if b.measure(measureBugs) {
		r := b.report(b.budget)
		list := r.Bugs()
		text.WriteString("\n" + r.BugTables(list))
		for _, s := range list {
			if s.Of == "all" {
				last = append(last, r.BugLine(s))
			}
			if err := b.print(line{Type: "summary", Summary: &s}); err != nil {
				return err
			}
		}
	}
	if r := b.report(b.states); b.measure(measureBins) {
		list := r.Bins()
		text.WriteString("\n" + r.BinTable(list))
		for _, s := range list {
			if len(last) == 0 || !b.measure(measureBugs) {
				last = append(last, r.BinLine(s))
			}
			if err := b.print(line{Type: "summary", Summary: &s}); err != nil {
				return err
			}
		}
	}
	if b.measure(measureDepth) {
		text.WriteString("\n" + b.report(b.states).DepthTable())
	}
	slices.SortStableFunc(last, func(x, y string) int {
		return one(strings.HasPrefix(x, "ours:")) - one(strings.HasPrefix(y, "ours:"))
	})
	if b.out != "" {
		if err := os.WriteFile(b.out, []byte(text.String()), 0o666); err != nil {
			return err
		}
	}
	if b.json {
		return nil
	}
	_, err := fmt.Fprintf(b.stdout, "%s\n%s\n", text.String(), strings.Join(last, "\n"))
	return err
}
