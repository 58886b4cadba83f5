package mutate

import (
	"bytes"
	"fmt"
	"sort"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
)

var testLayout = ijon.Layout{Header: 4, Record: 6, Kinds: []ijon.Kind{{Name: "tick", Weight: 8}, {Name: "deliver", Weight: 30}, {Name: "crash", Weight: 1}, {Name: "never"}}}

var words = Vocabulary{Words: [][]byte{[]byte("GET "), []byte("a longer word")}, Operands: true}

func makers(r *RNG, maxLen int) map[string]Maker {
	return map[string]Maker{
		"schedule": New(r, testLayout, maxLen, words),
		"narrow":   New(r, ijon.Layout{Record: 1}, maxLen, words),
		"bytes":    New(r, ijon.Layout{}, maxLen, words),
	}
}

func havocOf(m Maker) *havoc {
	if s, ok := m.(*scheduler); ok {
		return &s.havoc
	}
	return &m.(*scribe).havoc
}

// TestMadeInputsKeepTheirShape makes many inputs and looks at length, whole
// records, and the bytes behind the buffer.
func TestMadeInputsKeepTheirShape(t *testing.T) {
	const maxLen = 1000
	for name, m := range makers(NewRNG(1, 0, 0), maxLen) {
		back := bytes.Repeat([]byte{0xA5}, maxLen+8)
		buf := back[:0:maxLen]
		other := &Parent{Data: append([]byte(nil), m.Grow(m.Fresh(buf, 60), 60)...), Marks: []int{3, 17, 60}}
		other.Operands = []ijon.Operands{{A: uint64(other.Data[9]), B: 7}, {A: 1 << 40, B: 1 << 41}}
		for n := 0; n < 20000; n++ {
			switch n % 50 {
			case 0:
				buf = m.Fresh(buf, m.Lengths()[n%len(m.Lengths())])
			case 1:
				buf = m.Extend(buf)
			default:
				buf = m.Mutate(buf, other, other)
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
	for name, m := range makers(NewRNG(1, 0, 0), 100) {
		long := make([]byte, 1000)
		e := &Parent{Data: long}
		for n := 0; n < 1000; n++ {
			if got := m.Mutate(append(make([]byte, 0, 2000), long...), e, e); len(got) > 100 {
				t.Fatalf("%s: mutated to %d bytes", name, len(got))
			}
			if got := m.Extend(append(make([]byte, 0, 2000), long...)); len(got) > 100 {
				t.Fatalf("%s: extended to %d bytes", name, len(got))
			}
		}
	}
}

// TestScheduleMutationsAreEventAligned looks for every record of a mutant in
// its parents: the events that a change does not name are there unshifted.
func TestScheduleMutationsAreEventAligned(t *testing.T) {
	s := newScheduler(NewRNG(2, 0, 0), testLayout, 4000, Vocabulary{})
	parent := &Parent{Data: append([]byte(nil), s.Fresh(make([]byte, 0, 4000), 100)...), Marks: []int{50}}
	other := &Parent{Data: append([]byte(nil), s.Fresh(make([]byte, 0, 4000), 100)...), Marks: []int{20, 80}}
	s.parent, s.other = parent, other
	known := make(map[string]bool)
	for i := 0; i < 100; i++ {
		known[string(s.part(parent.Data, i, 1))] = true
		known[string(s.part(other.Data, i, 1))] = true
	}
	most := map[string]int{ // unknown events
		"field": 1, "adjust": 1, "event": 1, "insert": 1, "retarget": 100, "extend": BurstMax,
	}
	for _, m := range s.mutators {
		for n := 0; n < 300; n++ {
			child := m.change(append(make([]byte, 0, 4000), parent.Data...))
			fresh := 0
			for i := 0; i < s.Units(child); i++ {
				if !known[string(s.part(child, i, 1))] {
					fresh++
				}
			}
			if fresh > most[m.name] {
				t.Fatalf("%s: %d unknown events", m.name, fresh)
			}
		}
	}
}

// TestSplicesPreferProductiveWindows splices windows of numbered events and
// counts those that end with the one that is marked.
func TestSplicesPreferProductiveWindows(t *testing.T) {
	s := newScheduler(NewRNG(1, 0, 0), ijon.Layout{Record: 1}, 1000, Vocabulary{})
	other := &Parent{Marks: []int{57}}
	for n := byte(1); n <= 100; n++ {
		other.Data = append(other.Data, n)
	}
	s.parent, s.other = None, other
	ended := 0
	for n := 0; n < 1000; n++ {
		child := s.splice(append(make([]byte, 0, 1000), make([]byte, 20)...))
		last := byte(0)
		for _, b := range child {
			if b > last {
				last = b
			}
		}
		if last == 57 {
			ended++
		}
	}
	if ended < 500 {
		t.Errorf("%d of 1000", ended)
	}
}

func TestFreshSchedulesDrawKindsBySwarm(t *testing.T) {
	s := newScheduler(NewRNG(3, 0, 0), testLayout, 1<<16, Vocabulary{})
	buf := make([]byte, 0, 1<<16)
	mixes := make(map[string]int)
	for n := 0; n < 400; n++ {
		buf = s.Fresh(buf, 200)
		var count [4]int
		for i := 0; i < s.Units(buf); i++ {
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
	s := newScheduler(NewRNG(4, 0, 0), testLayout, 4000, Vocabulary{})
	in := s.Fresh(make([]byte, 0, 4000), 10)
	if got := s.Prefix(in, 3); s.Units(got) != 3 || len(got) != 4+3*6 {
		t.Errorf("%d bytes", len(got))
	}
	if got := s.Prefix(in, 99); len(got) != len(in) {
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
				all = append(all, NewRNG(seed, worker, restarts).Next())
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
	s := newScheduler(NewRNG(1, 0, 0), testLayout, 1<<16, Vocabulary{})
	buf := make([]byte, 0, 1<<16)
	b.ReportAllocs()
	for i := 0; i < b.N; i += 1600 {
		buf = s.Fresh(buf, 1600)
	}
}

// BenchmarkMutate reports the time for each change to an input of 1600 units.
func BenchmarkMutate(b *testing.B) {
	for name, m := range makers(NewRNG(1, 0, 0), 1<<16) {
		buf := make([]byte, 0, 1<<16)
		parent := &Parent{Data: append([]byte(nil), m.Fresh(buf, 1600)...), Marks: []int{100, 1500}}
		parent.Operands = []ijon.Operands{{A: uint64(parent.Data[9]), B: 7}, {A: 1 << 40, B: 1 << 41}}
		b.Run(name+"/all", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				buf = m.Mutate(append(buf[:0], parent.Data...), parent, parent)
				m.Credit(false)
			}
		})
		for _, mutator := range havocOf(m).mutators {
			b.Run(name+"/"+mutator.name, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; i < b.N; i++ {
					buf = mutator.change(append(buf[:0], parent.Data...))
				}
			})
		}
	}
}

// TestShortInputsArePadded changes inputs that end in a header or in a record:
// what is there of them stays, and the rest is zero.
func TestShortInputsArePadded(t *testing.T) {
	s := newScheduler(NewRNG(5, 0, 0), testLayout, 22, Vocabulary{}) // a header of 4 and three records of 6
	for in, want := range map[string]string{
		"":               "\x00\x00\x00\x00",
		"ab":             "ab\x00\x00",
		"abcd":           "abcd",
		"abcd1":          "abcd1\x00\x00\x00\x00\x00",
		"abcd123456":     "abcd123456",
		"abcd1234567":    "abcd1234567\x00\x00\x00\x00\x00",
		"abcd" + longest: "abcd" + longest[:18],
	} {
		if got := s.whole(append(make([]byte, 0, 40), in...)); string(got) != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

const longest = "123456ABCDEF123456ABC"

var nodesLayout = ijon.Layout{
	Header: 1, Record: 3,
	Kinds: []ijon.Kind{
		{Name: "tick", Weight: 1, Fields: []ijon.Field{ijon.FieldNodeOrRole, ijon.FieldOther}},
		{Name: "deliver", Weight: 1, Fields: []ijon.Field{ijon.FieldLink, ijon.FieldNode}},
	},
	Nodes: func(header []byte) int { return int(header[0]) },
}

// TestRetargetRenamesNodes lets nodes 0 and 2 of 3 change places, and then node
// 2 take the place of 0.
func TestRetargetRenamesNodes(t *testing.T) {
	for _, c := range []struct {
		turn     turn
		from, to []byte
	}{
		{turn{a: 0, b: 2, both: true, nodes: 3}, []byte{0, 3, 7}, []byte{0, 2, 7}},     // 3 picks node 0
		{turn{a: 0, b: 2, both: true, nodes: 3}, []byte{0, 4, 7}, []byte{0, 4, 7}},     // node 1
		{turn{a: 0, b: 2, both: true, nodes: 3}, []byte{0, 200, 7}, []byte{0, 200, 7}}, // a role
		{turn{a: 0, b: 2, both: true, nodes: 3}, []byte{1, 9 + 1, 5}, []byte{1, 7, 0}}, // link 0 to 1 becomes 2 to 1, node 2 becomes 0
		{turn{a: 0, b: 2, nodes: 3}, []byte{1, 2, 0}, []byte{1, 0, 0}},                 // link 0 to 2 becomes 0 to 0
	} {
		event := append([]byte(nil), c.from...)
		c.turn.event(event, nodesLayout.Kinds[event[0]].Fields)
		if !bytes.Equal(event, c.to) {
			t.Errorf("%v of %d and %d: %v, want %v", c.from, c.turn.a, c.turn.b, event, c.to)
		}
	}
}

// TestRetargetIsAlikeInAWindow looks for mutants in which a node is another one
// throughout.
func TestRetargetIsAlikeInAWindow(t *testing.T) {
	s := newScheduler(NewRNG(6, 0, 0), nodesLayout, 1000, Vocabulary{})
	parent := []byte{3}
	for n := 0; n < 20; n++ {
		parent = append(parent, 0, byte(n%2), 9)
	}
	wholly := 0
	for n := 0; n < 5000; n++ {
		child := s.retarget(append(make([]byte, 0, 1000), parent...))
		moved := 0
		for i := 0; i < s.Units(child); i++ {
			if e := s.part(child, i, 1); e[0] != 0 || e[1] > 2 || e[2] != 9 {
				t.Fatalf("event %v", e)
			} else if i%2 == 0 && e[1] == 2 {
				moved++
			}
		}
		if moved == 10 {
			wholly++
		}
	}
	if wholly == 0 {
		t.Error("no mutant in which node 2 is where node 0 was")
	}
}
