package stat

import (
	"math"
	"testing"
)

func costs(values ...float64) (list []Cost) {
	for _, v := range values {
		list = append(list, Cost{math.Abs(v), v < 0}) // negative: censored
	}
	return list
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		costs []Cost
		want  Cost
	}{
		{costs(7), Cost{7, false}},
		{costs(9, 1, 5), Cost{5, false}},
		{costs(4, 1, 2, 8), Cost{3, false}},
		{costs(1, 2, 3, -10, -10), Cost{3, false}},
		{costs(1, 2, -10, -10, -10), Cost{10, true}},
		{costs(1, 2, -10, -10), Cost{10, true}},     // half found: nobody knows the other middle one
		{costs(1, -2, 3, 4, -5), Cost{4, false}},    // 4/5, then of 3: 8/15, 4/15
		{costs(1, 2, -2, -2, 6, 7), Cost{6, false}}, // 5/6, 4/6, then of 2: 1/3
		{costs(3, -3), Cost{3, true}},
		{costs(-5, -9), Cost{9, true}},
	} {
		if got := Median(test.costs); got != test.want {
			t.Errorf("%v: %v, want %v", test.costs, got, test.want)
		}
	}
	if got := Median(nil); !math.IsNaN(got.Value) {
		t.Errorf("of nothing: %v", got)
	}
}

func TestMean(t *testing.T) {
	for _, test := range []struct {
		costs []Cost
		want  Cost
	}{
		{costs(2, 4), Cost{3, false}},
		{costs(2, 4, -6), Cost{6, false}}, // 12 for two finds
		{costs(-10, -10, -10), Cost{60, true}},
	} {
		if got := Mean(test.costs); got != test.want {
			t.Errorf("%v: %v, want %v", test.costs, got, test.want)
		}
	}
}

func TestGeoMean(t *testing.T) {
	if got := GeoMean([]float64{0.5, 2, 8}); math.Abs(got-2) > 1e-12 {
		t.Errorf("%v, want 2", got)
	}
	if got := GeoMean(nil); !math.IsNaN(got) {
		t.Errorf("of nothing: %v", got)
	}
}

func TestQuantile(t *testing.T) {
	x := []float64{10, 20, 30, 40, 50}
	for q, want := range map[float64]float64{0: 10, 0.25: 20, 0.3: 22, 0.5: 30, 1: 50} {
		if got := quantile(x, q); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", q, got, want)
		}
	}
}

func mean(x []float64) func(Pick) float64 {
	return func(p Pick) float64 {
		var sum float64
		for _, i := range p(len(x)) {
			sum += x[i]
		}
		return sum / float64(len(x))
	}
}

// TestBootstrap compares with what is known of a mean: of n numbers its
// standard error is the deviation over the root of n, and the interval 1.96
// of that to either side.
func TestBootstrap(t *testing.T) {
	x := make([]float64, 100)
	for i := range x {
		x[i] = float64(i % 2) // deviation 0.5, standard error 0.05
	}
	got := Bootstrap(mean(x))
	if got.Value != 0.5 || math.Abs(got.Low-0.402) > 0.015 || math.Abs(got.High-0.598) > 0.015 {
		t.Errorf("%v, want 0.50 [0.40, 0.60]", got)
	}
	if again := Bootstrap(mean(x)); again != got {
		t.Errorf("%v, and then %v", got, again)
	}
}

func TestBootstrapOfWhatNeverVaries(t *testing.T) {
	got := Bootstrap(mean([]float64{3, 3, 3}))
	if got != (Interval{3, 3, 3}) || !got.Includes(3) || got.Includes(1) {
		t.Errorf("%v", got)
	}
	if s := got.String(); s != "3.00 without interval" {
		t.Errorf("%s", s)
	}
}

func TestBootstrapLeavesOutWhatHasNoEstimate(t *testing.T) {
	got := Bootstrap(func(p Pick) float64 {
		if p(2)[0] == 1 {
			return math.NaN()
		}
		return 4
	})
	if got != (Interval{4, 4, 4}) {
		t.Errorf("%v", got)
	}
	if none := Bootstrap(func(Pick) float64 { return math.NaN() }); none.String() != "-" {
		t.Errorf("%v", none)
	}
}

// TestMedianInterval: of nine the ends are the second and the eighth, which a
// sign test gives 96 %; the eighth is not known.
func TestMedianInterval(t *testing.T) {
	low, high := MedianInterval(costs(1, 2, 3, 4, 5, 6, 7, -10, -10))
	if low != (Cost{Value: 2}) || high != (Cost{10, true}) {
		t.Errorf("%v to %v", low, high)
	}
}
