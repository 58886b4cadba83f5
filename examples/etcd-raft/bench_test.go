package etcdraft

import (
	"math/rand"
	"testing"

	"github.com/ijongo/ijongo/sim"
)

// BenchmarkEvents plays random schedules of 400 events. A violation that it
// meets is no concern of a benchmark.
func BenchmarkEvents(b *testing.B) {
	const length = 400
	rng := rand.New(rand.NewSource(1))
	c := newCluster()
	p := sim.NewPlayer(&format, c)
	layout := format.Layout()
	var buf []byte
	b.ReportAllocs()
	events := 0
	for b.Loop() {
		buf = sim.Random(rng, layout, length, buf)
		p.Play(buf)
		events += length
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
}
