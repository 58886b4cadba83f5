package table

import (
	"fmt"
	"math"
	"strings"

	"github.com/ijongo/ijongo/bench/stat"
	"github.com/ijongo/ijongo/bench/trial"
)

// A Report is the cells of a benchmark.
type Report struct {
	Base   string   // name of the arm that the others are compared with
	Arms   []string // in the order of the columns
	Budget float64  // eq of a cell
	Cells  []trial.Cell
}

// A Chapter is one measure.
type Chapter struct {
	Text      string // tables
	Summaries []Summary
	Lines     []string // the last word on each arm
}

// A Summary is a ratio of an arm to the base.
type Summary struct {
	Measure string
	Of      string // which faults or bins
	Arm     string
	Found   int            `json:",omitempty"` // cells, of Bugs
	Cells   int            `json:",omitempty"`
	Items   int            // faults or bins that the ratio is over
	Unfound int            `json:",omitempty"` // of these faults, those that the arm never found
	Eq, CPU *stat.Interval `json:",omitempty"` // nil where there is none
}

// subjects are the names of those of a measure, in the order in which they
// come.
func (r *Report) subjects(measure string) (names []string) {
	seen := map[string]bool{}
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Measure == measure && !seen[c.Subject] {
			seen[c.Subject] = true
			names = append(names, c.Subject)
		}
	}
	return names
}

// of are the cells of an arm on a subject.
func (r *Report) of(measure, subject, arm string) (cells []*trial.Cell) {
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Measure == measure && c.Subject == subject && c.Arm == arm {
			cells = append(cells, c)
		}
	}
	return cells
}

// A unit is how cost is counted.
type unit struct {
	short string
	of    func(trial.Cost) float64
}

var (
	inEq  = unit{"eq", func(c trial.Cost) float64 { return c.Eq }}
	inCPU = unit{"s", func(c trial.Cost) float64 { return c.CPU }}
)

// interval is nil where nothing is known.
func interval(i stat.Interval) *stat.Interval {
	if math.IsNaN(i.Value) || math.IsNaN(i.Low) || math.IsInf(i.Value, 0) {
		return nil
	}
	return &i
}

// ratio is an interval as a table shows it.
func ratio(i *stat.Interval) string {
	if i == nil {
		return "-"
	}
	return i.String() + doubt(i)
}

// doubt says that there may be no difference.
func doubt(i *stat.Interval) string {
	if i.Includes(1) && !i.Point() {
		return " (may be 1)"
	}
	return ""
}

// line is the last word on an arm: what it came to, and the ratios.
func (r *Report) line(s Summary, what string) string {
	text, of := s.Arm+": "+what, " of "+r.Base
	for _, part := range []struct {
		ratio *stat.Interval
		in    string
	}{{s.Eq, "eq"}, {s.CPU, "CPU"}} {
		if part.ratio != nil {
			text += fmt.Sprintf(", %v%s in %s%s", *part.ratio, of, part.in, doubt(part.ratio))
			of = ""
		}
	}
	return text
}

// cost is a cost that may be known from below only.
func cost(c stat.Cost) string {
	switch {
	case math.IsNaN(c.Value):
		return "-"
	case c.Censored:
		return "over " + number(c.Value)
	}
	return number(c.Value)
}

// number has two digits behind the point only where they say something.
func number(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// row is a line of a table.
func row(b *strings.Builder, fields ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(fields, " | "))
}

// head is its first line and the one below.
func head(b *strings.Builder, fields ...string) {
	row(b, fields...)
	b.WriteString("|" + strings.Repeat("---|", len(fields)) + "\n")
}
