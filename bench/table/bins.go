package table

import (
	"fmt"
	"maps"
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

func (r *Report) bins(arm string) *bins {
	var cells []*trial.Cell
	for _, name := range r.subjects(trial.States) {
		cells = append(cells, r.of(trial.States, name, arm)...)
	}
	return newBins(cells)
}

func newBins(cells []*trial.Cell) *bins {
	b := &bins{cells: cells, any: map[string]bool{}}
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

// halves are the bins of the campaigns with even and odd seeds.
func (b *bins) halves() [2]*bins {
	h := halves(b.cells)
	return [2]*bins{newBins(h[0]), newBins(h[1])}
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

// Bins is the chapter of the rare bins.
func (r *Report) Bins() Chapter {
	c := Chapter{Summaries: r.sumsOfBins()}
	c.Text = r.binTable(c.Summaries)
	for _, s := range c.Summaries {
		c.Lines = append(c.Lines, r.line(s, fmt.Sprintf("%d rare bins", s.Items)))
	}
	return c
}

// sumsOfBins has a summary for each arm that was played.
func (r *Report) sumsOfBins() (list []Summary) {
	base := r.bins(r.Base)
	for _, arm := range r.Arms {
		mine := r.bins(arm)
		if len(mine.cells) == 0 {
			continue
		}
		s := Summary{Measure: trial.States, Of: "rare bins", Arm: arm}
		if arm != r.Base && len(base.cells) > 0 {
			rivals := newRivals(base, mine)
			s.Items = rivals.count()
			s.Eq, s.CPU = rivals.ratio(inEq), rivals.ratio(inCPU)
		}
		list = append(list, s)
	}
	return list
}

// rivals are the base and an arm, and the rare bins to compare them by: in
// each half of the seeds those that are rare in the other half of the base,
// and that one of the two has hit in this one. The reason is that of duels.
type rivals struct {
	base, mine [2]*bins
	rare       [2][]string
}

func newRivals(base, mine *bins) *rivals {
	r := &rivals{base: base.halves(), mine: mine.halves()}
	for i := range r.rare {
		either := maps.Clone(r.base[i].any)
		maps.Copy(either, r.mine[i].any)
		for _, name := range slices.Sorted(maps.Keys(either)) {
			if m := stat.Median(r.base[1-i].costs(name, inEq)); m.Censored || m.Value > rare {
				r.rare[i] = append(r.rare[i], name)
			}
		}
	}
	return r
}

// count is how many bins there are.
func (r *rivals) count() int {
	all := map[string]bool{}
	for _, names := range r.rare {
		for _, name := range names {
			all[name] = true
		}
	}
	return len(all)
}

func (r *rivals) ratio(u unit) *stat.Interval { return interval(stat.Bootstrap(r.estimate(u))) }

// estimate is the geometric mean over bins of the mean cost to a hit of the
// base over that of the arm. A campaign is drawn with all that it has hit.
func (r *rivals) estimate(u unit) func(stat.Pick) float64 {
	var pairs [2][][2][]stat.Cost
	for i, names := range r.rare {
		for _, name := range names {
			pairs[i] = append(pairs[i], [2][]stat.Cost{r.base[i].costs(name, u), r.mine[i].costs(name, u)})
		}
	}
	return func(pick stat.Pick) float64 {
		var ratios []float64
		for i := range pairs {
			theirs, ours := pick(len(r.base[i].cells)), pick(len(r.mine[i].cells))
			for _, p := range pairs[i] {
				ratios = append(ratios, stat.MeanOf(p[0], theirs).Value/stat.MeanOf(p[1], ours).Value)
			}
		}
		return stat.GeoMean(ratios)
	}
}

// binTable is the ratios, and how many bins there were when.
func (r *Report) binTable(list []Summary) string {
	base := r.bins(r.Base)
	limit := min(countAt, cpuOf(base.cells))
	goal := math.Floor(countOf(base, limit).Value)
	var b strings.Builder
	fmt.Fprintf(&b, "### Rare bins\n\nOf the bins of the groups cluster and member, those that half of the campaigns of %s needs over %s eq for in the median,\n"+
		"or does not hit, and the other half, on which the arms are compared, or the arm has hit. Cost of %s over that of the arm, geometric mean.\n"+
		"%s eq a cell.\n\n", r.Base, number(min(rare, r.Budget)), r.Base, number(r.Budget))
	head(&b, "arm", "rare bins", "in eq", "in CPU", "bins at "+number(limit)+" CPU-s", fmt.Sprintf("CPU-s to %.0f bins", goal),
		"bins in all", "lost to "+r.Base, "not seen by "+r.Base)
	for _, s := range list {
		mine := r.bins(s.Arm)
		row(&b, s.Arm, fmt.Sprint(s.Items), ratio(s.Eq), ratio(s.CPU), fmt.Sprint(countOf(mine, limit).Value), cost(timeTo(mine, int(goal))),
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
