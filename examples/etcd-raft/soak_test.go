package etcdraft

import (
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/ijongo/ijongo/sim"
)

var (
	soakEvents = flag.Int("events", 300_000, "events of TestStepDown and of TestNatural")
	soakSeed   = flag.Int64("seed", 1, "seed of the random schedules")
	soakLength = flag.Int("length", 400, "events of one schedule")
)

// play plays an input and turns a panic of raft into a violation.
func play(p *sim.Player, data []byte) (v *sim.Violation) {
	defer func() {
		if r := recover(); r != nil {
			v = &sim.Violation{Oracle: "panic", Detail: fmt.Sprintf("%v\n%s", r, debug.Stack())}
		}
	}()
	return p.Play(data)
}

// TestStepDown plays random schedules with StepDownOnRemoval always on, with
// which no violation is known. -events 20000000 takes about a minute.
func TestStepDown(t *testing.T) {
	c := newCluster()
	c.force = stepDown
	soak(t, c)
}

// TestNatural plays random schedules under all settings: no violation comes
// but those that unmodified raft is known to show.
func TestNatural(t *testing.T) {
	defer func(old string) { tolerance = old }(tolerance)
	tolerance = passNatural
	soak(t, newCluster())
}

func soak(t *testing.T, c *cluster) {
	t.Helper()
	rng := rand.New(rand.NewSource(*soakSeed))
	p := sim.NewPlayer(&format, c)
	layout := format.Layout()
	var buf []byte
	for events := 0; events < *soakEvents; events += *soakLength {
		buf = sim.Random(rng, layout, *soakLength, buf)
		if v := play(p, buf); v != nil {
			t.Fatalf("%v\ninput %x", v, buf)
		}
	}
}

var huntSeeds = flag.Int("hunt", 0, "seeds of TestHunt; 0 skips it")

// TestHunt tells how many random events, and how much CPU time, the stale
// read by a removed leader takes, at several lengths of schedule. Run it with
// -hunt 10 -v.
func TestHunt(t *testing.T) {
	if *huntSeeds == 0 {
		t.Skip("-hunt tells how many seeds to try")
	}
	for _, length := range []int{200, 400, 800, 1600} {
		var events, millis []int
		for seed := range *huntSeeds {
			start := cpu(t)
			events = append(events, hunt(int64(seed), length))
			millis = append(millis, int((cpu(t) - start).Milliseconds()))
		}
		slices.Sort(events)
		slices.Sort(millis)
		t.Logf("length %4d: events %v, median %d; CPU ms %v, median %d",
			length, events, events[len(events)/2], millis, millis[len(millis)/2])
	}
}

// hunt plays random schedules until the violation and returns the events.
func hunt(seed int64, length int) int {
	rng := rand.New(rand.NewSource(seed))
	p := sim.NewPlayer(&format, newCluster())
	layout := format.Layout()
	var buf []byte
	for events := 0; ; events += length {
		buf = sim.Random(rng, layout, length, buf)
		if v := play(p, buf); v != nil && v.Oracle == staleReadRemoved {
			return events + v.Event
		}
	}
}

var mutantEvents = flag.Int("mutant", 0, "events of TestMutant; 0 skips it")

// TestMutant tells how soon plain random schedules find a fault that was put
// into raft, by which oracle, and how many groups of failures it makes. Run it
// with -mutant 1000000 -v, with raft replaced.
func TestMutant(t *testing.T) {
	if *mutantEvents == 0 {
		t.Skip("-mutant tells how many events to try")
	}
	defer func(old string) { tolerance = old }(tolerance)
	tolerance = passNatural
	rng := rand.New(rand.NewSource(*soakSeed))
	p := sim.NewPlayer(&format, newCluster())
	var buf []byte
	groups := make(map[string]int)
	for events := 0; events < *mutantEvents; events += *soakLength {
		buf = sim.Random(rng, format.Layout(), *soakLength, buf)
		v := play(p, buf)
		if v == nil {
			continue
		}
		if len(groups) == 0 {
			t.Logf("after %d events: %.300v", events+v.Event, v)
		}
		groups[v.Key()]++
	}
	if len(groups) == 0 {
		t.Errorf("not found in %d events", *mutantEvents)
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		t.Logf("%6d times %s", groups[key], key)
	}
}
