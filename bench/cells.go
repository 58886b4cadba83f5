package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/bench/rig"
	"github.com/ijongo/ijongo/bench/table"
	"github.com/ijongo/ijongo/bench/trial"
)

// A line is one of -json; the field of its Type is set.
type line struct {
	Type    string
	Origin  *origin        `json:",omitempty"`
	Cell    *trial.Cell    `json:",omitempty"`
	Summary *table.Summary `json:",omitempty"`
}

func newBoard(ctx context.Context, s settings, tool *rig.Tool, stdout, stderr io.Writer) (*board, error) {
	b := &board{settings: s, tool: tool, stdout: stdout, stderr: stderr, origin: here(ctx)}
	if tool != nil && slices.ContainsFunc(s.arms, func(a trial.Arm) bool { return a.AFL() }) {
		b.origin.AFL = tool.Version
	}
	if err := b.print(line{Type: "origin", Origin: &b.origin}); err != nil {
		return nil, err
	}
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
		if err := b.take(l); err != nil {
			return fmt.Errorf("%s:%d: %w", b.from, n, err)
		}
	}
}

// take takes a line of an earlier run.
func (b *board) take(l line) error {
	if o := l.Origin; o != nil {
		if o.source() != b.origin.source() {
			return fmt.Errorf("these cells are of %s, and this is %s (they do not belong in one table)", o.source(), b.origin.source())
		}
		b.origin.Date = min(b.origin.Date, o.Date)
	}
	if c := l.Cell; c != nil && b.wants(c) {
		return b.add(*c)
	}
	return nil
}

// wants tells whether the cell is part of the run.
func (b *board) wants(c *trial.Cell) bool {
	what, budget := []string{measureBugs}, b.budget
	if c.Measure == trial.States {
		what, budget = []string{measureBins, measureDepth}, b.states
	} else if !b.only.MatchString(c.Subject) {
		return false
	}
	return b.measure(what...) && c.Budget == budget && c.Seed >= b.first && c.Seed < b.first+uint64(b.seeds) &&
		slices.Contains(trial.Names(b.arms), c.Arm) && !b.has(c.Measure, c.Subject, c.Arm, c.Seed)
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

// finish prints the tables, or with -json the summaries, and writes the tables
// to a file. The last lines are about the first measure, and the very last is
// about ours. What is wrong with the cells is said above the tables.
func (b *board) finish(wrong string) error {
	// Campaigns end in any order.
	slices.SortStableFunc(b.cells, func(x, y trial.Cell) int { return cmp.Compare(x.Seed, y.Seed) })
	text := b.heading()
	if wrong != "" {
		text += wrong + "\n"
	}
	var last []string
	for _, c := range b.chapters() {
		text += "\n" + c.Text
		if last == nil {
			last = c.Lines
		}
		for _, s := range c.Summaries {
			if err := b.print(line{Type: "summary", Summary: &s}); err != nil {
				return err
			}
		}
	}
	if !b.json {
		ours := func(text string) int { return one(strings.HasPrefix(text, "ours:")) }
		slices.SortStableFunc(last, func(x, y string) int { return ours(x) - ours(y) })
		if _, err := fmt.Fprintf(b.stdout, "%s\n%s\n", text, strings.Join(last, "\n")); err != nil {
			return err
		}
	}
	if b.out == "" {
		return nil
	}
	return os.WriteFile(b.out, []byte(text), 0o666)
}

// chapters are the measures of which there are cells.
func (b *board) chapters() (list []table.Chapter) {
	for _, m := range []struct {
		word, measure string
		budget        float64
		of            func(*table.Report) table.Chapter
	}{
		{measureBugs, trial.Bugs, b.budget, (*table.Report).Bugs},
		{measureBins, trial.States, b.states, (*table.Report).Bins},
		{measureDepth, trial.States, b.states, (*table.Report).Depth},
	} {
		there := slices.ContainsFunc(b.cells, func(c trial.Cell) bool { return c.Measure == m.measure })
		if b.measure(m.word) && there {
			list = append(list, m.of(&table.Report{Base: b.base, Arms: trial.Names(b.arms), Budget: m.budget, Cells: b.cells}))
		}
	}
	return list
}
