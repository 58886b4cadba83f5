package stat

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// An Interval is an estimate and the 95 % interval round it. Of one search it
// is a point.
type Interval struct{ Value, Low, High float64 }

// Point tells whether nothing is known of how sure the estimate is.
func (i Interval) Point() bool { return i.Low == i.High }

func (i Interval) String() string {
	switch {
	case math.IsNaN(i.Value):
		return "-"
	case i.Point():
		return fmt.Sprintf("%.2f without interval", i.Value)
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", i.Value, i.Low, i.High)
}

// Includes tells whether x may well be the true value.
func (i Interval) Includes(x float64) bool { return i.Low <= x && x <= i.High }

// A Pick chooses which of n searches count, some of them perhaps repeatedly.
type Pick func(n int) []int

// All is every search once.
func All(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// rounds is how often the estimate is made again, and drawn the seed that the
// searches are drawn from: the same costs have the same interval.
const (
	rounds = 2000
	drawn  = 1
)

// Bootstrap is the value of estimate and how far it varies with the searches
// that it sees. What is picked together varies together. An estimate that is
// NaN for some picks is judged by the others.
func Bootstrap(estimate func(Pick) float64) Interval {
	again := drawing()
	value := estimate(All)
	if math.IsNaN(value) {
		return Interval{value, value, value}
	}
	var all []float64
	for range rounds {
		if v := estimate(again); !math.IsNaN(v) {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return Interval{value, quantile(all, 0.025), quantile(all, 0.975)}
}

// drawing is a pick of n searches out of n, some of them repeatedly.
func drawing() Pick {
	rng := rand.New(rand.NewPCG(drawn, 0))
	return func(n int) []int {
		picked := make([]int, n)
		for i := range picked {
			picked[i] = rng.IntN(n)
		}
		return picked
	}
}

// MedianInterval is the 95 % interval of a median. Its ends may be known from
// below only.
func MedianInterval(costs []Cost) (low, high Cost) {
	if len(costs) == 0 {
		return Median(nil), Median(nil)
	}
	again := drawing()
	all := make([]Cost, rounds)
	some := make([]Cost, len(costs))
	for i := range all {
		for k, picked := range again(len(costs)) {
			some[k] = costs[picked]
		}
		all[i] = Median(some)
	}
	// A median that is known from below only is none of those below it.
	slices.SortFunc(all, func(a, b Cost) int {
		if c := cmp.Compare(one(a.Censored), one(b.Censored)); c != 0 {
			return c
		}
		return cmp.Compare(a.Value, b.Value)
	})
	return all[rounds/40], all[rounds-1-rounds/40]
}

// quantile of sorted numbers, linear between two.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
