package ijon

import (
	"fmt"
	"math/rand"
	"testing"
)

// wideSpec has more tuples than a tally holds, and a cross.
func wideSpec(name string, n int) GroupSpec {
	s := GroupSpec{Name: name, Crosses: []CrossSpec{crossed("c", 0, 1)}}
	for i := 0; i < n; i++ {
		s.Points = append(s.Points, PointSpec{ItemSpec: named(fmt.Sprint("p", i)), Bins: bins(30)})
	}
	return s
}

// TestTalliesCountWhatSamplesHit compares the hits of samples with a count of
// them that is kept beside: few tuples that come often, more than a tally holds,
// and tuples for which there is no key. Somebody asks in the middle, too.
func TestTalliesCountWhatSamplesHit(t *testing.T) {
	for _, tt := range []struct {
		points, bins int
		keyed        bool
	}{{2, 3, true}, {2, 30, true}, {8, 2, true}, {20, 2, false}} {
		name := fmt.Sprint("tally ", tt.points, "x", tt.bins)
		g := DeclareGroup(wideSpec(name, tt.points))
		if got := g.tally.tuples != nil; got != tt.keyed {
			t.Errorf("%s: keyed %v", name, got)
		}
		rng := rand.New(rand.NewSource(1))
		want := map[string]uint64{}
		got := hitsOf(t, func() {
			sample := make([]int, tt.points)
			for k := 0; k < 2000; k++ {
				for i := range sample {
					sample[i] = rng.Intn(tt.bins)
					want[fmt.Sprintf("point p%d: %c", i, 'A'+sample[i])]++
				}
				want[fmt.Sprintf("cross c: %c*%c", 'A'+sample[0], 'A'+sample[1])]++
				g.Sample(0, 0, sample...)
				if k%500 == 0 {
					Run{}.BinHits(0)
				}
			}
		})
		equal(t, got, want)
	}
}

// TestTalliesAreOfOneRun samples the same tuple in two runs: the second begins
// at nothing, and its first hit is its own.
func TestTalliesAreOfOneRun(t *testing.T) {
	g := DeclareGroup(wideSpec("tally runs", 2))
	for _, n := range []int{3, 1, 2} {
		got := hitsOf(t, func() {
			for i := 0; i < n; i++ {
				g.Sample(0, 0, 1, 2)
			}
		})
		equal(t, got, map[string]uint64{"point p0: B": uint64(n), "point p1: C": uint64(n), "cross c: B*C": uint64(n)})
	}
}

// TestTalliedNeverFailsEachTime samples a Never bin again: it fails again.
func TestTalliedNeverFailsEachTime(t *testing.T) {
	g := DeclareGroup(nodeSpec("tally never"))
	failed := 0
	hits := hitsOf(t, func() {
		for i := 0; i < 3; i++ {
			func() {
				defer func() {
					if _, ok := recover().(*Violation); ok {
						failed++
					}
				}()
				g.Sample(1, 0, 0, 2)
			}()
		}
	})
	if failed != 3 || hits["point lag: 8.."] != 3 {
		t.Errorf("failed %d times, hits %v", failed, hits)
	}
}
