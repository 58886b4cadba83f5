package etcdraft

import (
	"flag"
	"fmt"
	"math/rand"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
)

var fingerprints = flag.Int("fingerprint", 100, "schedules of TestFingerprint")

// A fingerprint is a hash of everything that runs have done, part by part: who
// makes the harness faster compares those of before and after.
type fingerprint struct{ states, violations, cells, pairs, slots, bins, edges uint64 }

func (f fingerprint) String() string {
	return fmt.Sprintf("states %x, violations %x, cells %x, pairs %x, slots %x, bins %x, edges %x",
		f.states, f.violations, f.cells, f.pairs, f.slots, f.bins, f.edges)
}

// TestFingerprint plays random schedules on a cluster that is used again and
// on fresh ones: state after every event, violations, and all feedback with
// the event that brought it and how often it came are the same. With -v it
// prints the fingerprint; in an instrumented copy that is of raft's, too.
func TestFingerprint(t *testing.T) {
	ijon.Enable()
	rng := rand.New(rand.NewSource(1))
	c := newCluster()
	var again, fresh fingerprint
	for i := range *fingerprints {
		data := sim.Random(rng, format.Layout(), [...]int{50, 200, 400, 1600}[i%4], nil)
		again.add(c, data)
		fresh.add(newCluster(), data)
		if again != fresh {
			t.Fatalf("schedule %d: on a cluster that has been used\n%v, on a fresh one\n%v", i, again, fresh)
		}
	}
	t.Log(again)
}

// add plays a schedule.
func (f *fingerprint) add(c *cluster, data []byte) {
	clear(ijon.Counters())
	ijon.Begin(0)
	c.digesting = true
	v := sim.NewPlayer(&format, c).Play(data)
	ijon.End()
	f.states = ijon.HashUint(f.states, c.digest)
	if v != nil {
		f.violations = ijon.HashString(ijon.HashUint(f.violations, uint64(v.Event)), v.Oracle+v.Detail)
	}
	var r ijon.Run
	for _, x := range r.Cells(nil) {
		f.cells = hashed(f.cells, uint64(x.Element), uint64(x.Event), uint64(r.Hits(x.Element)))
	}
	for _, x := range r.Pairs(nil) {
		f.pairs = hashed(f.pairs, uint64(x.Element), uint64(x.Event))
	}
	for _, x := range r.Slots(nil) {
		f.slots = hashed(f.slots, uint64(x.ID), x.By, x.Value, uint64(x.Event))
	}
	for _, x := range r.Covered(nil) {
		f.bins = hashed(f.bins, uint64(x.Element), uint64(x.Event), r.BinHits(x.Element))
	}
	for i, n := range ijon.Counters() {
		f.edges = hashed(f.edges, uint64(i), uint64(n))
	}
}

func hashed(h uint64, values ...uint64) uint64 {
	for _, v := range values {
		h = ijon.HashUint(h, v)
	}
	return h
}
