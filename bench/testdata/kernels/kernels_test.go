package kernels

import (
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
)

// measure reports the CPU time of op: on a machine that does other things the
// time by the clock says little.
func measure(b *testing.B, op func()) {
	start := cpu(b)
	for b.Loop() {
		op()
	}
	b.ReportMetric(float64(cpu(b)-start)/float64(b.N), "cpu-ns/op")
}

// cpu is the CPU time of the process in nanoseconds.
func cpu(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

func BenchmarkSort(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	source := make([]int, 4096)
	for i := range source {
		source[i] = rng.IntN(1 << 20)
	}
	a := make([]int, len(source))
	measure(b, func() {
		copy(a, source)
		Sort(a)
	})
	if !slices.IsSorted(a) {
		b.Fatal("not sorted")
	}
}

func BenchmarkInterpret(b *testing.B) {
	const limit = 100
	want := 0
	for n := 1; n < limit; n++ {
		for x := n; x > 1; want++ {
			if x%2 == 0 {
				x /= 2
			} else {
				x = 3*x + 1
			}
		}
	}
	sum := 0
	measure(b, func() { sum = Interpret(Collatz, [8]int{1: limit}) })
	if sum != want {
		b.Fatalf("%d steps, want %d", sum, want)
	}
}

func BenchmarkPropose(b *testing.B) {
	c, err := NewCluster()
	if err != nil {
		b.Fatal(err)
	}
	data := []byte("what the cluster agrees on")
	n := 0
	measure(b, func() {
		if err := c.Propose(data); err != nil {
			b.Fatal(err)
		}
		if c.applied != members {
			b.Fatalf("%d nodes applied it", c.applied)
		}
		if n++; n%1000 == 0 {
			if err := c.Compact(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
