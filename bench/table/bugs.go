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

// class of a fault by the campaigns of the base. One that they do not find
// within the budget is as deep as that shows; there is none without campaigns.
func class(base []*trial.Cell) string {
	switch m := stat.Median(costs(base, inEq)); {
	case m.Value > veryDeep || m.Censored && m.Value >= veryDeep:
		return isVeryDeep
	case m.Value > deep || m.Censored:
		return isDeep
	case m.Value <= deep:
		return isEasy
	}
	return ""
}

func (r *Report) class(subject string) string { return class(r.of(trial.Bugs, subject, r.Base)) }

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

// Bugs is the chapter of the faults.
func (r *Report) Bugs() Chapter {
	c := Chapter{Summaries: r.sumsOfBugs()}
	c.Text = r.bugTables(c.Summaries)
	for _, s := range c.Summaries {
		if s.Of == all {
			c.Lines = append(c.Lines, r.line(s, fmt.Sprintf("found %d of %d cells", s.Found, s.Cells)))
		}
	}
	return c
}

// sumsOfBugs has for each arm a summary of all faults, and of each class.
func (r *Report) sumsOfBugs() (list []Summary) {
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

func (r *Report) sumBugs(of string, subjects []string, arm string) Summary {
	s := Summary{Measure: trial.Bugs, Of: of, Arm: arm}
	for _, name := range subjects {
		mine := r.of(trial.Bugs, name, arm)
		s.Found, s.Cells = s.Found+found(mine), s.Cells+len(mine)
	}
	if arm == r.Base {
		return s
	}
	duels := r.duels(of, arm)
	faults := map[string]int{} // finds
	for _, d := range duels {
		faults[d.fault] += found(d.mine)
	}
	for _, finds := range faults {
		s.Items++
		if finds == 0 {
			s.Unfound++
		}
	}
	s.Eq, s.CPU = bugRatio(duels, inEq), bugRatio(duels, inCPU)
	return s
}

// A duel is the campaigns of the base and of another arm on one fault.
type duel struct {
	fault      string
	base, mine []*trial.Cell
}

// duels are those on the faults of a class that one of the two has found. What
// class a fault is of is told by half of the base's campaigns and the duel is
// fought by the other seeds: by the same, a fault would be deep because the
// base had bad luck, and that luck count for the arm.
func (r *Report) duels(of, arm string) (list []duel) {
	for _, name := range r.subjects(trial.Bugs) {
		base, mine := r.of(trial.Bugs, name, r.Base), r.of(trial.Bugs, name, arm)
		whole := []duel{{name, base, mine}}
		if of != all {
			whole = nil
			b, m := halves(base), halves(mine)
			for i := range b {
				if class(b[i]) == of {
					whole = append(whole, duel{name, b[1-i], m[1-i]})
				}
			}
		}
		for _, d := range whole {
			if found(d.base)+found(d.mine) > 0 {
				list = append(list, d)
			}
		}
	}
	return list
}

// halves are the campaigns with even and odd seeds; twice all of them where
// there is only one kind.
func halves(cells []*trial.Cell) (half [2][]*trial.Cell) {
	for _, c := range cells {
		half[c.Seed%2] = append(half[c.Seed%2], c)
	}
	if len(half[0]) == 0 || len(half[1]) == 0 {
		return [2][]*trial.Cell{cells, cells}
	}
	return half
}

// bugRatio is the geometric mean over duels of the mean cost to a find of the
// base over that of the arm. The campaigns of each are drawn for themselves.
func bugRatio(duels []duel, u unit) *stat.Interval {
	var pairs [][2][]stat.Cost
	for _, d := range duels {
		pair := [2][]stat.Cost{costs(d.base, u), costs(d.mine, u)}
		if len(pair[0]) == 0 || len(pair[1]) == 0 || stat.Mean(pair[1]).Value == 0 {
			return nil // not played, or not counted in this unit
		}
		pairs = append(pairs, pair)
	}
	return interval(stat.Bootstrap(func(pick stat.Pick) float64 {
		var ratios []float64
		for _, p := range pairs {
			base, mine := stat.MeanOf(p[0], pick(len(p[0]))), stat.MeanOf(p[1], pick(len(p[1])))
			ratios = append(ratios, base.Value/mine.Value)
		}
		return stat.GeoMean(ratios)
	}))
}

// bugTables are what each arm has of each fault, and the ratios.
func (r *Report) bugTables(list []Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### Bugs\n\nFound of seeds, median eq and CPU-seconds to the find with their 95 %% intervals. At most %s eq a cell.\n\n", number(r.Budget))
	head(&b, append([]string{"fault", "class"}, r.Arms...)...)
	for _, name := range r.subjects(trial.Bugs) {
		fields := []string{name, r.class(name)}
		for _, arm := range r.Arms {
			fields = append(fields, bugField(r.of(trial.Bugs, name, arm)))
		}
		row(&b, fields...)
	}
	fmt.Fprintf(&b, "\nCost of %s over that of the arm, geometric mean over the faults that either found (in a class: over halves of the seeds,\n"+
		"classed by the other half). Where the arm has never found it half a find is assumed.\n\n", r.Base)
	head(&b, "arm", "faults", "found of cells", "compared", "never found", "in eq", "in CPU")
	for _, s := range list {
		row(&b, s.Arm, s.Of, fmt.Sprintf("%d of %d", s.Found, s.Cells), fmt.Sprint(s.Items), fmt.Sprint(s.Unfound), ratio(s.Eq), ratio(s.CPU))
	}
	return b.String()
}

func bugField(cells []*trial.Cell) string {
	if len(cells) == 0 {
		return "-"
	}
	text := fmt.Sprintf("%d/%d", found(cells), len(cells))
	for _, u := range []unit{inEq, inCPU} {
		if all := costs(cells, u); stat.Mean(all).Value > 0 {
			text += ", " + cost(stat.Median(all))
			if low, high := stat.MedianInterval(all); low != high {
				text += fmt.Sprintf(" [%s, %s]", cost(low), cost(high))
			}
			text += " " + u.short
		}
	}
	return text
}
