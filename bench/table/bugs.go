package table

import (
	"fmt"
	"strings"

	"github.com/ijongo/ijongo/bench/stat"
	"github.com/ijongo/ijongo/bench/trial"
)

// Faults are classed by the median of the base: over deep it is deep, over
// veryDeep very deep.
const (
	deep     = 1000  // eq
	veryDeep = 20000 //
)

// The classes.
const (
	all        = "all"
	isEasy     = "easy"
	isDeep     = "deep"
	isVeryDeep = "very deep"
)

var classes = []string{isEasy, isDeep, isVeryDeep}

// class of a subject. One that the base does not find within the budget is as
// deep as that shows.
func (r *Report) class(subject string) string {
	switch m := stat.Median(costs(r.of(trial.Bugs, subject, r.Base), inEq)); {
	case m.Value > veryDeep || m.Censored && m.Value >= veryDeep:
		return isVeryDeep
	case m.Value > deep || m.Censored:
		return isDeep
	case m.Value <= deep:
		return isEasy
	}
	return "" // the base was not played
}

func costs(cells []*trial.Cell, u unit) (list []stat.Cost) {
	for _, c := range cells {
		list = append(list, stat.Cost{Value: u.of(c.Cost), Censored: !c.Found})
	}
	return list
}

func found(cells []*trial.Cell) (n int) {
	for _, c := range cells {
		if c.Found {
			n++
		}
	}
	return n
}

// Bugs are the summaries of the faults: for each arm all of them, and each
// class.
func (r *Report) Bugs() (list []Summary) {
	subjects := r.subjects(trial.Bugs)
	in := map[string][]string{all: subjects}
	for _, s := range subjects {
		in[r.class(s)] = append(in[r.class(s)], s)
	}
	for _, arm := range r.Arms {
		for _, class := range append([]string{all}, classes...) {
			if len(in[class]) > 0 {
				list = append(list, r.sumBugs(class, in[class], arm))
			}
		}
	}
	return list
}

func (r *Report) sumBugs(class string, subjects []string, arm string) Summary {
	s := Summary{Measure: trial.Bugs, Of: class, Arm: arm}
	var known []string // those that the base or the arm has found
	for _, name := range subjects {
		mine := r.of(trial.Bugs, name, arm)
		s.Found, s.Cells = s.Found+found(mine), s.Cells+len(mine)
		if found(mine)+found(r.of(trial.Bugs, name, r.Base)) > 0 {
			known = append(known, name)
		}
	}
	s.Items = len(known)
	if arm != r.Base {
		s.Eq, s.CPU = r.bugRatio(known, arm, inEq), r.bugRatio(known, arm, inCPU)
	}
	return s
}

// bugRatio is the geometric mean over faults of the mean cost to a find of the
// base over that of the arm. The campaigns of each are drawn for themselves.
func (r *Report) bugRatio(subjects []string, arm string, u unit) *stat.Interval {
	var pairs [][2][]stat.Cost
	for _, name := range subjects {
		pair := [2][]stat.Cost{costs(r.of(trial.Bugs, name, r.Base), u), costs(r.of(trial.Bugs, name, arm), u)}
		if len(pair[0]) == 0 || len(pair[1]) == 0 || stat.Mean(pair[1]).Value == 0 {
			return nil // not played, or not counted in this unit
		}
		pairs = append(pairs, pair)
	}
	return interval(stat.Bootstrap(func(pick stat.Pick) float64 {
		var ratios []float64
		for _, p := range pairs {
			base, mine := stat.Of(p[0], pick(len(p[0]))), stat.Of(p[1], pick(len(p[1])))
			ratios = append(ratios, stat.Mean(base).Value/stat.Mean(mine).Value)
		}
		return stat.GeoMean(ratios)
	}))
}

// BugTables are what each arm has of each fault, and the ratios.
func (r *Report) BugTables(list []Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### Bugs\n\nFound of seeds, median eq to the find, median CPU-seconds. At most %s eq a cell.\n\n", number(r.Budget))
	head(&b, append([]string{"fault", "class"}, r.Arms...)...)
	for _, name := range r.subjects(trial.Bugs) {
		fields := []string{name, r.class(name)}
		for _, arm := range r.Arms {
			fields = append(fields, bugField(r.of(trial.Bugs, name, arm)))
		}
		row(&b, fields...)
	}
	fmt.Fprintf(&b, "\nCost of %s over that of the arm, geometric mean over the faults that either found.\n\n", r.Base)
	head(&b, "arm", "faults", "", "found of cells", "in eq", "in CPU")
	for _, s := range list {
		row(&b, s.Arm, s.Of, fmt.Sprint(s.Items), fmt.Sprintf("%d of %d", s.Found, s.Cells), ratio(s.Eq), ratio(s.CPU))
	}
	return b.String()
}

func bugField(cells []*trial.Cell) string {
	if len(cells) == 0 {
		return "-"
	}
	eq, cpu := stat.Median(costs(cells, inEq)), stat.Median(costs(cells, inCPU))
	text := fmt.Sprintf("%d/%d, ", found(cells), len(cells))
	if eq.Value > 0 {
		text += cost(eq) + " eq, "
	}
	return text + cost(cpu) + " s"
}

// BugLine is the last word on an arm.
func (r *Report) BugLine(s Summary) string {
	text := fmt.Sprintf("%s: found %d of %d cells", s.Arm, s.Found, s.Cells)
	if s.Eq != nil {
		text += fmt.Sprintf(", %s of %s in eq", ratio(s.Eq), r.Base)
	}
	if s.CPU != nil {
		of := " of " + r.Base
		if s.Eq != nil {
			of = ""
		}
		text += fmt.Sprintf(", %s%s in CPU", ratio(s.CPU), of)
	}
	return text
}
