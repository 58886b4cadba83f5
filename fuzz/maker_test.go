package fuzz

import (
	"bytes"
	"fmt"
	"sort"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
)

var testLayout = ijon.Layout{Header: 4, Record: 6, Kinds: []ijon.Kind{{Name: "tick", Weight: 8}, {Name: "deliver", Weight: 30}, {Name: "crash", Weight: 1}, {Name: "never"}}}

func makers(r *rng, maxLen int) map[string]maker {
	return map[string]maker{
		"schedule": newMaker(r, testLayout, maxLen),
		"narrow":   newMaker(r, ijon.Layout{Record: 1}, maxLen),
		"bytes":    newMaker(r, ijon.Layout{}, maxLen),
	}
}

// TestMadeInputsKeepTheirShape makes many inputs and looks at length, whole
// records, and the bytes behind the buffer.
func TestMadeInputsKeepTheirShape(t *testing.T) {
	const maxLen = 1000
	for name, m := range makers(newRNG(1, 0, 0), maxLen) {
		back := bytes.Repeat([]byte{0xA5}, maxLen+8)
		buf := back[:0:maxLen]
		other := append([]byte(nil), m.fresh(buf, 60)...)
		for n := 0; n < 20000; n++ {
			switch n % 50 {
			case 0:
				buf = m.fresh(buf, m.lengths()[n%len(m.lengths())])
			case 1:
				buf = m.extend(buf)
			default:
				buf = m.mutate(buf, other)
			}
			if len(buf) > maxLen || &buf[:1][0] != &back[0] {
				t.Fatalf("%s: length %d, or another buffer", name, len(buf))
			}
			if name == "schedule" && (len(buf)-testLayout.Header)%testLayout.Record != 0 {
				t.Fatalf("%s: length %d is not whole records", name, len(buf))
			}
			if !bytes.Equal(back[maxLen:], bytes.Repeat([]byte{0xA5}, 8)) {
				t.Fatalf("%s: wrote behind the buffer", name)
			}
		}
	}
}

// TestLongerInputsAreCut changes entries of a corpus made with a greater limit.
func TestLongerInputsAreCut(t *testing.T) {
	for name, m := range makers(newRNG(1, 0, 0), 100) {
		long := make([]byte, 1000)
		for n := 0; n < 1000; n++ {
			if got := m.mutate(append(make([]byte, 0, 2000), long...), long); len(got) > 100 {
				t.Fatalf("%s: mutated to %d bytes", name, len(got))
			}
			if got := m.extend(append(make([]byte, 0, 2000), long...)); len(got) > 100 {
				t.Fatalf("%s: extended to %d bytes", name, len(got))
			}
		}
	}
}

// TestScheduleMutationsAreEventAligned looks for every record of a mutant in
// its parents: the events that a mutation does not name are there unshifted.
func TestScheduleMutationsAreEventAligned(t *testing.T) {
	s := newScheduler(newRNG(2, 0, 0), testLayout, 4000)
	parent := s.fresh(make([]byte, 0, 4000), 100)
	known := make(map[string]bool)
	for i := 0; i < 100; i++ {
		known[string(parent[s.at(i):s.at(i+1)])] = true
	}
	for n := 0; n < 2000; n++ {
		child := s.change(append(make([]byte, 0, 4000), parent...), nil)
		fresh := 0
		for i := 0; i < s.units(child); i++ {
			if !known[string(child[s.at(i):s.at(i+1)])] {
				fresh++
			}
		}
		if fresh > burstMax {
			t.Fatalf("%d unknown events", fresh)
		}
	}
}

func TestFreshSchedulesDrawKindsBySwarm(t *testing.T) {
	s := newScheduler(newRNG(3, 0, 0), testLayout, 1<<16)
	buf := make([]byte, 0, 1<<16)
	mixes := make(map[string]int)
	for n := 0; n < 400; n++ {
		buf = s.fresh(buf, 200)
		var count [4]int
		for i := 0; i < s.units(buf); i++ {
			count[buf[s.at(i)]]++
		}
		if count[3] != 0 && count[3] != 200 {
			t.Fatalf("a kind of weight 0 was mixed in: %v", count)
		}
		mixes[fmt.Sprint(count[0] > 0, count[1] > 0, count[2] > 0)]++
	}
	if len(mixes) < 7 {
		t.Errorf("only these mixes of kinds: %v", mixes)
	}
}

func TestPrefixIsWholeEvents(t *testing.T) {
	s := newScheduler(newRNG(4, 0, 0), testLayout, 4000)
	in := s.fresh(make([]byte, 0, 4000), 10)
	if got := s.prefix(in, 3); s.units(got) != 3 || len(got) != 4+3*6 {
		t.Errorf("%d bytes", len(got))
	}
	if got := s.prefix(in, 99); len(got) != len(in) {
		t.Errorf("%d bytes", len(got))
	}
}

func TestRotate(t *testing.T) {
	p := []byte("abcdef")
	if rotate(p, 2); string(p) != "cdefab" {
		t.Errorf("%s", p)
	}
}

func TestStreamsDiffer(t *testing.T) {
	var all []uint64
	for seed := uint64(0); seed < 3; seed++ {
		for worker := 0; worker < 3; worker++ {
			for restarts := 0; restarts < 3; restarts++ {
				all = append(all, newRNG(seed, worker, restarts).next())
			}
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			t.Fatal("two workers have the same stream")
		}
	}
}

// BenchmarkFresh reports the time for an event of a random schedule.
func BenchmarkFresh(b *testing.B) {
	s := newScheduler(newRNG(1, 0, 0), testLayout, 1<<16)
	buf := make([]byte, 0, 1<<16)
	b.ReportAllocs()
	for i := 0; i < b.N; i += 1600 {
		buf = s.fresh(buf, 1600)
	}
}

func BenchmarkMutate(b *testing.B) {
	for name, m := range makers(newRNG(1, 0, 0), 1<<16) {
		b.Run(name, func(b *testing.B) {
			buf := make([]byte, 0, 1<<16)
			parent := append([]byte(nil), m.fresh(buf, 1600)...)
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				buf = m.mutate(append(buf[:0], parent...), parent)
			}
		})
	}
}
