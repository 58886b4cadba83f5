package etcdraft

import (
	"math/rand"
	"syscall"
	"testing"
	"time"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
)

// BenchmarkEvents plays random schedules of 400 events. A violation that it
// meets is no concern of a benchmark.
func BenchmarkEvents(b *testing.B) {
	b.Run("features=off", benchmarkEvents(newCluster()))
	ijon.Enable()
	c := newCluster()
	c.ungrouped = true
	b.Run("groups=off", benchmarkEvents(c))
	b.Run("features=on", benchmarkEvents(newCluster()))
}

func benchmarkEvents(c *cluster) func(b *testing.B) {
	return func(b *testing.B) { playEvents(b, c) }
}

func playEvents(b *testing.B, c *cluster) {
	const length = 400
	rng := rand.New(rand.NewSource(1))
	p := sim.NewPlayer(&format, c)
	layout := format.Layout()
	var buf []byte
	b.ReportAllocs()
	events, start := 0, cpu(b)
	for b.Loop() {
		buf = sim.Random(rng, layout, length, buf)
		ijon.Begin(0)
		p.Play(buf)
		events += length
	}
	used := cpu(b) - start
	b.ReportMetric(float64(events)/used.Seconds(), "events/cpu-s")
	b.ReportMetric(float64(used.Nanoseconds())/float64(events), "cpu-ns/event")
}

// BenchmarkGroups plays each schedule twice, with and without sampling the
// covergroups, and tells how fast it is with them: 100 % if they cost nothing.
func BenchmarkGroups(b *testing.B) {
	const length = 400
	ijon.Enable()
	rng := rand.New(rand.NewSource(1))
	c := newCluster()
	p := sim.NewPlayer(&format, c)
	layout := format.Layout()
	var buf []byte
	var used [2]time.Duration
	for i := 0; b.Loop(); i++ {
		buf = sim.Random(rng, layout, length, buf)
		for k := range used {
			without := (i + k) % 2 // in turn the first
			c.ungrouped = without == 1
			start := cpu(b)
			ijon.Begin(0)
			p.Play(buf)
			used[without] += cpu(b) - start
		}
	}
	b.ReportMetric(100*used[1].Seconds()/used[0].Seconds(), "%speed")
	b.ReportMetric(float64(length*b.N)/used[0].Seconds(), "events/cpu-s")
}

// BenchmarkObserve is what an event costs that changes a node: features and
// covergroups, which come to other bins each time.
func BenchmarkObserve(b *testing.B) {
	ijon.Enable()
	ijon.Begin(0)
	c := newCluster()
	c.Begin(make([]byte, configBytes))
	n := &c.nodes[1]
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		n.role, n.lead = raft.StateFollower, raft.None
		if i%2 == 0 {
			n.role, n.lead = raft.StateLeader, n.id
		}
		c.dirty = single(n.id)
		c.observe()
	}
}

// cpu is the CPU time that the process has used, garbage collection included.
func cpu(b testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
