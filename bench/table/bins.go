package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/bench/stat"
	"github.com/ijongo/ijongo/bench/trial"
)

// A bin is rare if the median of the base is over rare eq, and the count of
// bins is compared at countAt CPU-seconds, or at what there is.
const (
	rare    = 10000
	countAt = 20
)

// bins is what the campaigns of one arm have hit, and when.
type bins struct {
	cells []*trial.Cell
	first []map[string]trial.Cost // of each cell, by bin
	any   map[string]bool         // hit by one of them
}

func (r *Report) bins(arm string) bins {
	b := bins{any: map[string]bool{}}
	for _, name := range r.subjects(trial.States) {
		b.cells = append(b.cells, r.of(trial.States, name, arm)...)
	}
	for _, c := range b.cells {
		first := make(map[string]trial.Cost, len(c.Hits))
		for _, h := range c.Hits {
			first[h.Bin] = h.Cost
			b.any[h.Bin] = true
		}
		b.first = append(b.first, first)
	}
	return b
}

// costs are what the campaigns spent until they hit a bin.
func (b *bins) costs(bin string, u unit) (list []stat.Cost) {
	for i, c := range b.cells {
		if at, ok := b.first[i][bin]; ok {
			list = append(list, stat.Cost{Value: u.of(at)})
		} else {
			list = append(list, stat.Cost{Value: u.of(c.Cost), Censored: true})
		}
	}
	return list
}

// Bins are the summaries of the rare bins, one for each arm.
func (r *Report) Bins() (list []Summary) {
	base := r.bins(r.Base)
	for _, arm := range r.Arms {
		mine := r.bins(arm)
		if len(mine.cells) == 0 {
			continue
		}
		known := r.rareBins(&base, &mine)
		s := Summary{Measure: trial.States, Of: "rare bins", Arm: arm, Items: len(known)}
		if arm != r.Base && len(base.cells) > 0 {
			s.Eq, s.CPU = binRatio(known, &base, &mine, inEq), binRatio(known, &base, &mine, inCPU)
		}
		list = append(list, s)
	}
	return list
}

// rareBins are the bins that the base rarely hits and at least one of the two
// has hit.
func (r *Report) rareBins(base, mine *bins) (names []string) {
	either := map[string]bool{}
	for _, b := range []*bins{base, mine} {
		for name := range b.any {
			either[name] = true
		}
	}
	for name := range either {
		if m := stat.Median(base.costs(name, inEq)); m.Censored || m.Value > rare {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// binRatio is the geometric mean over bins of the mean cost to a hit of the
// base over that of the arm. A campaign is drawn with all that it has hit.
func binRatio(names []string, base, mine *bins, u unit) *stat.Interval {
	var pairs [][2][]stat.Cost
	for _, name := range names {
		pairs = append(pairs, [2][]stat.Cost{base.costs(name, u), mine.costs(name, u)})
	}
	return interval(stat.Bootstrap(func(pick stat.Pick) float64 {
		theirs, ours := pick(len(base.cells)), pick(len(mine.cells))
		var sum float64
		for _, p := range pairs {
			sum += math.Log(stat.Mean(stat.Of(p[0], theirs)).Value / stat.Mean(stat.Of(p[1], ours)).Value)
		}
		return math.Exp(sum / float64(len(pairs)))
	}))
}

// BinTable is the ratios, and how many bins there were when.
func (r *Report) BinTable(list []Summary) string {
	base := r.bins(r.Base)
	limit := min(countAt, cpuOf(base.cells))
	goal := math.Floor(countOf(&base, limit).Value)
	var b strings.Builder
	fmt.Fprintf(&b, "### Rare bins\n\nOf the bins of the groups cluster and member, those that %s needs over %s eq for in the median, or does not hit.\n"+
		"Cost of %s over that of the arm, geometric mean. At most %s eq a cell.\n\n", r.Base, number(min(rare, r.Budget)), r.Base, number(r.Budget))
	head(&b, "arm", "rare bins", "in eq", "in CPU", "bins at "+number(limit)+" CPU-s", fmt.Sprintf("CPU-s to %.0f bins", goal),
		"bins in all", "lost to "+r.Base, "not seen by "+r.Base)
	for _, s := range list {
		mine := r.bins(s.Arm)
		row(&b, s.Arm, fmt.Sprint(s.Items), ratio(s.Eq), ratio(s.CPU), fmt.Sprint(countOf(&mine, limit).Value), cost(timeTo(&mine, int(goal))),
			fmt.Sprint(len(mine.any)), fmt.Sprint(missing(base.any, mine.any)), fmt.Sprint(missing(mine.any, base.any)))
	}
	return b.String()
}

// cpuOf is the CPU-seconds that each of the cells had at least.
func cpuOf(cells []*trial.Cell) float64 {
	least := math.Inf(1)
	for _, c := range cells {
		least = min(least, c.CPU)
	}
	return least
}

// countOf is the median number of bins at a time.
func countOf(b *bins, cpu float64) stat.Cost {
	var counts []stat.Cost
	for _, c := range b.cells {
		n := 0
		for _, h := range c.Hits {
			if h.CPU <= cpu {
				n++
			}
		}
		counts = append(counts, stat.Cost{Value: float64(n)})
	}
	return stat.Median(counts)
}

// timeTo is the median time to so many bins.
func timeTo(b *bins, count int) stat.Cost {
	var times []stat.Cost
	for _, c := range b.cells {
		t := stat.Cost{Value: c.CPU, Censored: true}
		if count > 0 && count <= len(c.Hits) {
			t = stat.Cost{Value: c.Hits[count-1].CPU} // they are in the order of time
		}
		times = append(times, t)
	}
	return stat.Median(times)
}

// missing counts what is in a and not in b.
func missing(a, b map[string]bool) (n int) {
	for name := range a {
		if !b[name] {
			n++
		}
	}
	return n
}

// BinLine is the last word on an arm.
func (r *Report) BinLine(s Summary) string {
	return fmt.Sprintf("%s: %d rare bins, %s of %s in eq, %s in CPU", s.Arm, s.Items, ratio(s.Eq), r.Base, ratio(s.CPU))
}
