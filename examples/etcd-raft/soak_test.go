package etcdraft

import (
	"flag"
	"fmt"
	"math/rand"
	"runtime/debug"
	"testing"

	"github.com/ijongo/ijongo/sim"
)

var (
	soakEvents = flag.Int("events", 300_000, "events of TestStepDown")
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

// stepDown switches StepDownOnRemoval on.
func stepDown(s *settings) { s.raft.StepDownOnRemoval = true }

// TestStepDown plays random schedules with StepDownOnRemoval always on, with
// which no violation is known. -events 20000000 takes about a minute.
func TestStepDown(t *testing.T) {
	rng := rand.New(rand.NewSource(*soakSeed))
	c := newCluster()
	c.force = stepDown
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
