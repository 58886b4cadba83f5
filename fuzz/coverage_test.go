package fuzz

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// sharedCoverage is the coverage of a campaign with so many edges.
func sharedCoverage(t testing.TB, edges, workers int) *wire.Coverage {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "coverage"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for _, i := range ijon.Items() {
		n += len(i.Bins)
	}
	c, err := wire.CreateCoverage(f, wire.Size{Bins: n, Edges: edges, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// counting lets a search count in cover as that worker.
func counting(cover *wire.Coverage, worker int) func(*search) {
	return func(s *search) { s.cover = newCoverage(cover, worker) }
}

// TestCoverageIsThatOfAllRuns counts what the target itself counts, also
// without feedback, and has the first input of the bin.
func TestCoverageIsThatOfAllRuns(t *testing.T) {
	const enough = 20
	long := ijon.Declare(ijon.VerbCover, t.Name())
	bin := touchOf(t, t.Name(), "hit").Element
	for _, feedback := range [][]string{nil, everyChannel} {
		want := uint64(0)
		cover := sharedCoverage(t, 0, 1)
		config := wire.Config{Seed: 5, Execs: 2000, MaxLen: 64, Feedback: feedback}
		c := conductAs(t, t, config, ijon.Layout{}, func(_ *testing.T, in []byte) {
			if len(in) > enough {
				ijon.Cover(long)
				want++
			}
		}, counting(cover, 0))
		if got := cover.Bins(0)[bin]; got == 0 || got != want {
			t.Errorf("%v: %d hits, want %d", feedback, got, want)
		}
		firsts := 0
		for _, m := range c.covered {
			for _, first := range m.First {
				if first != bin {
					continue
				}
				firsts++
				if len(m.Input) <= enough || m.Name != corpus.Name(m.Input) {
					t.Errorf("%v: %s with %d bytes does not hit it", feedback, m.Name, len(m.Input))
				}
			}
		}
		if firsts != 1 {
			t.Errorf("%v: %d first inputs", feedback, firsts)
		}
	}
}

// TestAFailingRunIsCovered has a bin that no other run hits.
func TestAFailingRunIsCovered(t *testing.T) {
	never := ijon.Declare(ijon.VerbUnreachable, t.Name())
	bin := touchOf(t, t.Name(), "reached").Element
	cover := sharedCoverage(t, 0, 1)
	c := conductAs(t, t, wire.Config{Seed: 1, Execs: 100, MaxLen: 64}, ijon.Layout{}, func(*testing.T, []byte) {
		ijon.Unreachable(never)
	}, counting(cover, 0))
	if cover.Bins(0)[bin] != c.last.Execs || len(c.failures) != 1 {
		t.Errorf("%d hits in %d runs, %d failures", cover.Bins(0)[bin], c.last.Execs, len(c.failures))
	}
}

// TestWorkersClaimABinOnce lets two workers run one after the other.
func TestWorkersClaimABinOnce(t *testing.T) {
	hit := ijon.Declare(ijon.VerbCover, t.Name())
	bin := touchOf(t, t.Name(), "hit").Element
	cover := sharedCoverage(t, 0, 2)
	run := func(worker int) int {
		config := wire.Config{Seed: 1, Execs: 100, MaxLen: 64, Worker: worker}
		c := conductAs(t, t, config, ijon.Layout{}, func(*testing.T, []byte) { ijon.Cover(hit) }, counting(cover, worker))
		return len(c.covered)
	}
	if a, b := run(0), run(1); a != 1 || b != 0 {
		t.Errorf("%d and %d first inputs", a, b)
	}
	if cover.Bins(0)[bin] != 100 || cover.Bins(1)[bin] != 100 {
		t.Error("a worker has not counted its own hits")
	}
	cover.Release(int(bin), 0)
	if run(1) != 1 {
		t.Error("a bin that was given back is not claimed again")
	}
}

// BenchmarkCoverage is what it costs to record a run of some hundred elements
// and 1024 counters, one in eight hit.
func BenchmarkCoverage(b *testing.B) {
	counters := testCounters(1 << 10)
	cover := newCoverage(sharedCoverage(b, len(counters), 1), 0)
	ijon.Enable()
	ijon.Begin(1)
	in := make([]byte, 2000)
	mutate.NewRNG(1, 0, 0).Fill(in)
	guided(nil, in)
	ijon.End()
	var f feedback
	f.read()
	b.ReportMetric(float64(len(f.bins)), "bins")
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		cover.take(counters)
		if cover.count(&f) && i > 0 {
			b.Fatal("new")
		}
	}
}

// BenchmarkCampaign is whole runs of a guided search, of a thousand events
// with a sample each, one an operation.
func BenchmarkCampaign(b *testing.B) {
	for _, name := range []string{"uncovered", "covered"} {
		b.Run(name, func(b *testing.B) {
			tune := func(*search) {}
			if name == "covered" {
				tune = counting(sharedCoverage(b, 0, 1), 0)
			}
			b.ReportAllocs()
			hostTest(b, func(t *testing.T) {
				before := cpuTime(b)
				b.ResetTimer()
				config := wire.Config{Seed: 1, Execs: uint64(b.N), MaxLen: 2000, Feedback: everyChannel}
				conductAs(b, t, config, clusterLayout, guided, tune)
				b.StopTimer()
				b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns/op")
			})
		})
	}
}

// cpuTime is the time that this process has computed, in nanoseconds: that on
// a clock depends on what else the machine does.
func cpuTime(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
