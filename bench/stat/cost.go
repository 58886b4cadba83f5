package stat

import (
	"cmp"
	"math"
	"slices"
)

// A Cost is what a search cost until its find or, censored, until it was
// stopped without one.
type Cost struct {
	Value    float64
	Censored bool
}

// Median is the cost after which half of the searches have their find. It is
// censored, at the largest cost seen, if so many never had it; and NaN without
// searches.
func Median(costs []Cost) Cost {
	sorted := slices.SortedFunc(slices.Values(costs), compare)
	if len(sorted) == 0 {
		return Cost{Value: math.NaN()}
	}
	const rounding = 1e-9
	without := 1.0 // share of searches that go on without a find
	half := -1     // the find that left exactly half
	for i, c := range sorted {
		if c.Censored {
			continue
		}
		if half >= 0 {
			return Cost{Value: (sorted[half].Value + c.Value) / 2}
		}
		without *= 1 - 1/float64(len(sorted)-i)
		switch {
		case without < 0.5-rounding:
			return c
		case without < 0.5+rounding:
			half = i
		}
	}
	return Cost{sorted[len(sorted)-1].Value, true}
}

// compare has who was stopped at a cost behind who had a find at it, because
// it was still without one then.
func compare(a, b Cost) int {
	if c := cmp.Compare(a.Value, b.Value); c != 0 {
		return c
	}
	return cmp.Compare(one(a.Censored), one(b.Censored))
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Mean is what a find costs on average: the cost of all searches over the
// number of finds. It is censored where nothing was found, and NaN without
// searches.
func Mean(costs []Cost) Cost { return MeanOf(costs, All(len(costs))) }

// MeanOf is the mean of the costs that a pick has chosen.
func MeanOf(costs []Cost, picked []int) Cost {
	if len(picked) == 0 {
		return Cost{Value: math.NaN()}
	}
	var sum, finds float64
	for _, i := range picked {
		sum += costs[i].Value
		finds += float64(one(!costs[i].Censored))
	}
	if finds == 0 {
		return Cost{sum / 0.5, true}
	}
	return Cost{Value: sum / finds}
}

// GeoMean is the geometric mean, NaN of nothing.
func GeoMean(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	var sum float64
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x)))
}
