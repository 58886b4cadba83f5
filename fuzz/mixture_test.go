package fuzz

import (
	"math"
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// even takes the adaptation from a mixture: every mutator keeps the share that
// its weight gives it.
func even(h *havoc) {
	total := 0
	for _, m := range h.mutators {
		total += m.weight
	}
	for i, m := range h.mutators {
		h.parts.parts[i].floor = float64(m.weight) / float64(total)
	}
	h.parts.divide()
	h.divide()
}

func havocOf(m maker) *havoc {
	if s, ok := m.(*scheduler); ok {
		return &s.havoc
	}
	return &m.(*scribe).havoc
}

// ladder is a way through a schedule of which each step needs a field of its
// own, and on which later events with the wrong one lead back.
func ladder(_ *testing.T, in []byte) {
	at := 0
	for ; len(in) >= 2; in = in[2:] {
		if in[0]%3 == 1 && int(in[1])/16 == at%16 {
			at++
		} else if in[0]%3 == 2 && at > 0 {
			at--
		}
		ijon.MaxInt(depth, int64(at))
		ijon.Step()
	}
	if at >= 24 {
		ijon.Violated("top")
	}
}

// BenchmarkMixture compares mutators drawn by what they find with mutators
// drawn by their weights alone: the geometric mean of the runs until a search
// finds its goal, of b.N seeds that alternate between the two.
func BenchmarkMixture(b *testing.B) {
	for _, c := range []struct {
		name   string
		layout ijon.Layout
		fn     func(*testing.T, []byte)
		length int
	}{{"maze", ijon.Layout{}, maze, 64}, {"ladder", walkLayout, ladder, 400}, {"safe", ijon.Layout{}, safe, 400}} {
		b.Run(c.name, func(b *testing.B) {
			var sum [2]float64
			hostTest(b, func(t *testing.T) {
				for seed := 1; seed <= b.N; seed++ {
					for k, tune := range []func(*search){func(*search) {}, func(s *search) { even(havocOf(s.maker)) }} {
						config := wire.Config{Seed: uint64(seed), Execs: 1000000, MaxLen: c.length, Feedback: []string{"max"}}
						sum[k] += math.Log(float64(conductAs(b, t, config, c.layout, c.fn, tune).last.Execs))
					}
				}
			})
			b.ReportMetric(math.Exp(sum[0]/float64(b.N)), "adaptive-runs")
			b.ReportMetric(math.Exp(sum[1]/float64(b.N)), "even-runs")
			b.ReportMetric(math.Exp((sum[1]-sum[0])/float64(b.N)), "ratio")
		})
	}
}
