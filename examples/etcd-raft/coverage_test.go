package etcdraft

import (
	"math/rand"
	"slices"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
)

// TestFactsUnderEverySetting plays random schedules under every class of
// settings and every pair of sizes until each has done everything that a
// harness has to do with raft, without the help of the quiet phase. A setting under which the cluster stalls, as
// MaxSizePerMsg 0 does, shows here.
func TestFactsUnderEverySetting(t *testing.T) {
	const enough = 200 // schedules; the slowest setting needs less than half
	want := []fact{elections, commits, applies, snapshots, compacts, restores, changes, joints, answers, crashes, restarts, losses}
	c := newCluster()
	rng := rand.New(rand.NewSource(1))
	most := 0
	for class := range byte(classes) {
		for sizes := range byte(16) {
			seen, n := uint64(0), 0
			wanted := want
			if class > 7 {
				wanted = append(slices.Clip(want), lateWrites, lateApplies)
			}
			for ; n < enough && !hasAll(seen, wanted); n++ {
				data := sim.Random(rng, format.Layout(), 400, nil)
				data[8+confFlags] = class & 7
				if class > 7 {
					data[8+confFlags] |= flagAsync
					data[8+confInflight] |= 1 << 3
				}
				data[8+confMessage] = sizes
				c.playEvents(data)
				seen |= c.reached
			}
			most = max(most, n)
			for _, f := range wanted {
				if seen>>f&1 == 0 {
					t.Errorf("%s under%s with %v", factNames[f], className(int(class)), &c.conf)
				}
			}
		}
	}
	t.Logf("at most %d schedules for a setting", most)
}

func hasAll(seen uint64, want []fact) bool {
	for _, f := range want {
		if seen>>f&1 == 0 {
			return false
		}
	}
	return true
}

// TestFeaturesSaturate counts the values of the features over random runs:
// every feature must move, and none may be near unbounded.
func TestFeaturesSaturate(t *testing.T) {
	c := newCluster()
	rng := rand.New(rand.NewSource(1))
	var seen [numFeatures]map[int]bool
	for i := range seen {
		seen[i] = map[int]bool{}
	}
	for range 300 {
		data := sim.Random(rng, format.Layout(), 200, nil)
		c.Begin(data[8:16])
		ijon.Seed(1)
		for i := range format.Events(data) {
			if c.Play(format.Event(data, i)) != nil {
				break
			}
			for f, v := range c.state.held {
				seen[f][v] = true
			}
		}
	}
	for f := range seen {
		if n := len(seen[f]); n < 4 || n > 64 {
			t.Errorf("feature %s has had %d values", features[f].name, n)
		} else {
			t.Logf("%3d values of %s", n, features[f].name)
		}
	}
}
