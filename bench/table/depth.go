package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/bench/stat"
	"github.com/ijongo/ijongo/bench/trial"
)

// Depth is the chapter of the extremes: the best value of each max annotation,
// the median over seeds, at the budget, and at the CPU time that all campaigns
// had.
func (r *Report) Depth() Chapter {
	var cells []*trial.Cell
	of := map[string][]*trial.Cell{}
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Measure == trial.States {
			cells = append(cells, c)
			of[c.Arm] = append(of[c.Arm], c)
		}
	}
	limit := cpuOf(cells)
	var b strings.Builder
	fmt.Fprintf(&b, "### Depth\n\nBest value of each max annotation, median over seeds: at %s eq, and at %s CPU-seconds. Above them raw states:\n"+
		"how many values of set annotations there were.\n\n", number(r.Budget), number(limit))
	var arms []string
	for _, arm := range r.Arms {
		if len(of[arm]) > 0 {
			arms = append(arms, arm)
		}
	}
	head(&b, append([]string{"max"}, arms...)...)
	fields := []string{"values of set annotations"}
	for _, arm := range arms {
		fields = append(fields, fmt.Sprintf("%.0f", values(of[arm])))
	}
	row(&b, fields...)
	for _, name := range extremes(cells) {
		fields := []string{name}
		for _, arm := range arms {
			fields = append(fields, fmt.Sprintf("%.0f, %.0f", best(of[arm], name, math.Inf(1)), best(of[arm], name, limit)))
		}
		row(&b, fields...)
	}
	return Chapter{Text: b.String()}
}

// extremes are the names of the annotations.
func extremes(cells []*trial.Cell) (names []string) {
	for _, c := range cells {
		for _, b := range c.Best {
			if !slices.Contains(names, b.Name) {
				names = append(names, b.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// best is the median of the values that the cells have at a time.
func best(cells []*trial.Cell, name string, cpu float64) float64 {
	var values []stat.Cost
	for _, c := range cells {
		v := 0.0
		for _, b := range c.Best {
			if b.Name == name && b.CPU <= cpu {
				v = max(v, b.Value)
			}
		}
		values = append(values, stat.Cost{Value: v})
	}
	return stat.Median(values).Value
}

// values is the median number of values of set annotations.
func values(cells []*trial.Cell) float64 {
	var counts []stat.Cost
	for _, c := range cells {
		counts = append(counts, stat.Cost{Value: float64(c.Values)})
	}
	return stat.Median(counts).Value
}
