package ijon

import (
	"sync/atomic"
	"testing"
)

// bins makes n bins of a point.
func bins(n int) (list []BinInfo) {
	for i := 0; i < n; i++ {
		list = append(list, BinInfo{Name: string(rune('A' + i))})
	}
	return list
}

// points makes points of four bins each.
func points(n int) (list []PointSpec) {
	for i := 0; i < n; i++ {
		list = append(list, PointSpec{ItemSpec: ItemSpec{Name: string(rune('p' + i))}, Bins: bins(4)})
	}
	return list
}

func named(name string) ItemSpec { return ItemSpec{Name: name} }

func crossed(name string, points ...int) CrossSpec {
	c := CrossSpec{ItemSpec: named(name)}
	for _, p := range points {
		c.Axes = append(c.Axes, AxisSpec{Point: p})
	}
	return c
}

func eightPoints(name string) GroupSpec {
	return GroupSpec{Name: name, By: "id", Points: points(8), Crosses: []CrossSpec{
		crossed("pq", 0, 1), crossed("rs", 2, 3), crossed("tuv", 4, 5, 6),
	}}
}

func sampleEight(b *testing.B, g *Group, instances uint64) {
	enabled(b)
	for i := 0; i < b.N; i++ {
		n := i & 3
		g.Sample(uint64(i)%instances, uint64(i&7), n, n, 0, n, 1, n, 2, 3)
	}
}

// BenchmarkSample is 8 points and 3 crosses.
func BenchmarkSample(b *testing.B) {
	sampleEight(b, DeclareGroup(eightPoints("bench")), 1)
}

// BenchmarkSampleTrans is the same with the 12 pairs of a point.
func BenchmarkSampleTrans(b *testing.B) {
	s := eightPoints("bench trans")
	s.Trans = []TransSpec{{ItemSpec: named("p"), All: true}}
	sampleEight(b, DeclareGroup(s), 3)
}

// BenchmarkSampleSeq is the same with a sequence of three events.
func BenchmarkSampleSeq(b *testing.B) {
	s := eightPoints("bench seq")
	s.Events = []string{"a", "b", "c"}
	s.Seqs = []SeqSpec{{ItemSpec: named("s"), Steps: []SeqStep{{Event: 0}, {Event: 1}, {Event: 2, Next: true}}}}
	sampleEight(b, DeclareGroup(s), 3)
}

// BenchmarkSampleAcross is the same with a cross over 5 instances.
func BenchmarkSampleAcross(b *testing.B) {
	s := eightPoints("bench across")
	s.Crosses = append(s.Crosses, CrossSpec{ItemSpec: named("p@a*q@b"), Axes: []AxisSpec{{0, 'a'}, {1, 'b'}}})
	sampleEight(b, DeclareGroup(s), 5)
}

// allSpec is all of it.
func allSpec(name string) GroupSpec {
	s := eightPoints(name)
	s.Trans = []TransSpec{{ItemSpec: named("p"), All: true}}
	s.Events = []string{"a", "b", "c"}
	s.Seqs = []SeqSpec{{ItemSpec: named("s"), Steps: []SeqStep{{Event: 0}, {Event: 1}, {Event: 2, Next: true}}}}
	s.Crosses = append(s.Crosses, CrossSpec{ItemSpec: named("p@a*q@b"), Axes: []AxisSpec{{0, 'a'}, {1, 'b'}}})
	return s
}

func BenchmarkSampleAll(b *testing.B) { sampleEight(b, DeclareGroup(allSpec("bench all")), 5) }

func BenchmarkSampleInert(b *testing.B) {
	g := DeclareGroup(eightPoints("bench inert"))
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		g.Sample(1, 0, 0, 1, 2, 3, 0, 1, 2, 3)
	}
}

// BenchmarkSampleParallel is BenchmarkSampleAll on all processors at once, of
// which each has an instance.
func BenchmarkSampleParallel(b *testing.B) {
	g := DeclareGroup(allSpec("bench parallel"))
	enabled(b)
	var instances uint64
	b.RunParallel(func(pb *testing.PB) {
		by := atomic.AddUint64(&instances, 1)
		for i := 0; pb.Next(); i++ {
			n := i & 3
			g.Sample(by, uint64(i&7), n, n, 0, n, 1, n, 2, 3)
		}
	})
}

// BenchmarkRunCovered is a run of 5 samples with what an engine does round it:
// 13 bins and 5 instances are cleared and read.
func BenchmarkRunCovered(b *testing.B) {
	g := DeclareGroup(allSpec("bench run"))
	enabled(b)
	var buf []Touch
	for i := 0; i < b.N; i++ {
		Begin(uint64(i))
		for by := uint64(0); by < 5; by++ {
			g.Sample(by, 0, 0, 1, 2, 3, 0, 1, 2, 3)
		}
		End()
		buf = Run{}.Covered(buf[:0])
	}
	if len(buf) != 13 {
		b.Errorf("%d bins, want 13", len(buf))
	}
}
