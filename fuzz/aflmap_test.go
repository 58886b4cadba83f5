package fuzz

import (
	"math"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/runtime/afl"
)

// slotValue is the value of a slot for an integer, as the runtime has it.
func slotValue(v int64) uint64 { return uint64(v) ^ 1<<63 + 1 }

func TestLevelsRise(t *testing.T) {
	ends := []uint64{1, 2, 3, 511, 512, 513, 514, 600, 1 << 20, 1 << 40, 1<<62 - 1}
	var values []uint64
	values = append(values, ends...) // counts
	for i := len(ends) - 1; i >= 0; i-- {
		values = append(values, slotValue(-int64(ends[i])))
	}
	values = append(values, slotValue(0))
	for _, e := range ends {
		values = append(values, slotValue(int64(e)))
	}
	for i := len(ends) - 1; i >= 0; i-- {
		values = append(values, ^ends[i]) // distances
	}
	for i := 1; i < len(values); i++ {
		a, b := level(values[i-1]), level(values[i])
		if values[i-1] > values[i] || a > b {
			t.Errorf("level of %#x is %d, of %#x %d", values[i-1], a, values[i], b)
		}
	}
}

func TestSmallValuesHaveLevelsOfTheirOwn(t *testing.T) {
	for v := int64(-512); v < 511; v++ {
		if level(slotValue(v)) == level(slotValue(v+1)) {
			t.Errorf("%d and %d are one level", v, v+1)
		}
	}
	for n := uint64(0); n < 511; n++ {
		if level(n+1) == level(n+2) {
			t.Errorf("counts %d and %d are one level", n, n+1)
		}
		if level(^n) == level(^(n+1)) && n > 1 { // of the two best values one is stored
			t.Errorf("distances %d and %d are one level", n, n+1)
		}
	}
	for x := uint64(512); x < 1<<62; x *= 2 {
		if n := level(2*x) - level(x); n != 8 {
			t.Errorf("the octave from %d has %d levels", x, n)
		}
	}
}

// projected is the map after a run of body.
func projected(t *testing.T, p *projection, body func()) *projection {
	t.Helper()
	ijon.Begin(1)
	body()
	ijon.End()
	p.project()
	return p
}

func newTestProjection(channels ...string) *projection {
	c := &afl.Child{Area: make([]byte, 1<<16), Slots: make([]uint64, 512)}
	for _, name := range channels {
		switch name {
		case "set":
			c.Set = true
		case "bins":
			c.Bins = true
		case "levels":
			c.Levels = true
		case "slots":
			c.Maxima = true
		}
	}
	return newProjection(c)
}

var (
	aflMax   = ijon.DeclareNumber(ijon.VerbMax, ijon.KindInt, "afl max")
	aflFloat = ijon.DeclareNumber(ijon.VerbMax, ijon.KindFloat, "afl float")
	aflSet   = ijon.Declare(ijon.VerbSet, "afl set")
	aflInc   = ijon.Declare(ijon.VerbInc, "afl inc")
	aflCover = ijon.Declare(ijon.VerbCover, "afl cover")
)

// report reports something in every channel.
func report() {
	ijon.MaxInt(aflMax, 5)
	ijon.MaxFloat(aflFloat, math.Pi)
	ijon.SetTuple(aflSet, ijon.HashUint(ijon.Hash, 3))
	for i := 0; i < 300; i++ {
		ijon.Inc(aflInc, ijon.Hash)
	}
	ijon.Cover(aflCover)
}

func TestChannelsAreProjected(t *testing.T) {
	ijon.Enable()
	for _, c := range []struct {
		channel      string
		bytes, slots int
	}{{"", 0, 0}, {"set", 2, 0}, {"bins", 1, 0}, {"levels", 2, 0}, {"slots", 0, 2}} {
		p := projected(t, newTestProjection(c.channel), report)
		bytes, slots := 0, 0
		for _, b := range p.area {
			if b != 0 {
				bytes++
			}
		}
		for _, s := range p.best {
			if s != 0 {
				slots++
			}
		}
		if bytes != c.bytes || slots != c.slots {
			t.Errorf("%s: %d bytes, %d slots", c.channel, bytes, slots)
		}
	}
}

func TestSlotsAreOnlyRaised(t *testing.T) {
	ijon.Enable()
	p := newTestProjection("slots")
	slot := &p.best[uint64(aflMax)%512]
	var seen []uint64
	for _, v := range []int64{5, 3, 7} {
		projected(t, p, func() { ijon.MaxInt(aflMax, v) })
		seen = append(seen, *slot)
	}
	if seen[0] != seen[1] || seen[2] != seen[0]+2 {
		t.Errorf("%d", seen)
	}
	projected(t, p, func() { ijon.MaxInt(aflMax, 1); ijon.Until(aflMax, 0, true) })
	if *slot != math.MaxUint64 {
		t.Errorf("a slot that is enough has %d", *slot)
	}
}

func BenchmarkProject(b *testing.B) {
	ijon.Enable()
	p := newTestProjection("set", "bins", "levels", "slots")
	ijon.Begin(1)
	for i := 0; i < 100; i++ { // as much as a run of etcd/raft touches
		ijon.SetTuple(aflSet, ijon.HashUint(ijon.Hash, uint64(i)))
		ijon.MaxIntBy(aflMax, uint64(i%8), int64(i))
	}
	ijon.End()
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		p.project()
	}
}
