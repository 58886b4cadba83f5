package fuzz

import (
	"fmt"
	"testing"

	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// counters makes n counters of which one in eight is hit.
func testCounters(n int) []byte {
	c := make([]byte, n)
	for i := 0; i < n; i += 8 {
		c[i] = byte(i)
	}
	return c
}

// BenchmarkEdges compares 16384 counters with those seen before: all of them
// zero, and one in eight hit.
func BenchmarkEdges(b *testing.B) {
	const n = 1 << 14
	for name, counters := range map[string][]byte{"zero": make([]byte, n), "eighth": testCounters(n)} {
		b.Run(name, func(b *testing.B) {
			s := newSeen(n, newNotes(channels{}, ""))
			s.edges(counters, true)
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				if s.edges(counters, false) != 0 {
					b.Fatal("new")
				}
			}
		})
	}
}

// BenchmarkLook compares the feedback of one run, some hundred elements, with
// what has been seen.
func BenchmarkLook(b *testing.B) {
	ijon.Enable()
	ijon.Begin(1)
	in := make([]byte, 2000)
	mutate.NewRNG(1, 0, 0).Fill(in)
	machine(nil, in)
	ijon.End()
	s := &search{notes: newNotes(channels{}, ""), maker: mutate.New(nil, ijon.Layout{}, 0, mutate.Vocabulary{}), run: &runner{counters: testCounters(1 << 10)}}
	s.seen = newSeen(1<<10, s.notes)
	s.feedback.read()
	s.look(nil)
	b.ReportMetric(float64(len(s.feedback.cells)+len(s.feedback.pairs)), "elements")
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		s.feedback.read()
		if s.look(nil).any() {
			b.Fatal("new")
		}
	}
}

// BenchmarkEmptyTarget is whole runs of a search on a function that does
// nothing, one an operation.
func BenchmarkEmptyTarget(b *testing.B) {
	for _, c := range []struct {
		name     string
		feedback []string
	}{{"random", nil}, {"guided", everyChannel}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			hostTest(b, func(t *testing.T) {
				b.ResetTimer()
				conduct(b, t, wire.Config{Seed: 1, Execs: uint64(b.N), MaxLen: 64, Feedback: c.feedback}, ijon.Layout{}, func(*testing.T, []byte) {})
				b.StopTimer()
			})
		})
	}
}

// hostTest gives a benchmark a test to make runs in.
func hostTest(b *testing.B, f func(*testing.T)) {
	ok := testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "host", F: f}})
	if !ok {
		b.Fatal("the host failed")
	}
}

// BenchmarkCharge books a run of a mutant of the first entry of a corpus, which
// was kept for a hundred annotations.
func BenchmarkCharge(b *testing.B) {
	n := newNotes(channels{slots: true}, "")
	n.keep(false)
	for k := 0; k < 100; k++ {
		n.because(ijon.Declare(ijon.VerbMax, fmt.Sprint("charged ", k)))
	}
	n.kept()
	n.lineage.from(n.lineage.current(), anyReason)
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		n.charge(1, false)
	}
}
