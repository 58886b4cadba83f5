package etcdraft

import (
	"math/rand"
	"syscall"
	"testing"
	"time"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
)

// BenchmarkEvents plays random schedules of 400 events. A violation that it
// meets is no concern of a benchmark.
func BenchmarkEvents(b *testing.B) {
	b.Run("features=off", benchmarkEvents)
	ijon.Enable()
	b.Run("features=on", benchmarkEvents)
}

func benchmarkEvents(b *testing.B) {
	const length = 400
	rng := rand.New(rand.NewSource(1))
	p := sim.NewPlayer(&format, newCluster())
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

// cpu is the CPU time that the process has used, garbage collection included.
func cpu(b testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
