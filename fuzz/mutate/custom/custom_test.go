package custom

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

var (
	schedules = wire.Layout{
		Header: 8, Record: 4, Words: [][]byte{[]byte("ab"), []byte("longer")},
		Kinds: []wire.KindInfo{
			{Name: "tick", Weight: 8, Fields: []ijon.Field{ijon.FieldNode}},
			{Name: "deliver", Weight: 30, Fields: []ijon.Field{ijon.FieldLink}},
			{Name: "never"},
		},
		Nodes: &wire.Nodes{At: 7, Of: func() []int {
			of := make([]int, 256)
			for i := range of {
				of[i] = 3 + i%3
			}
			return of
		}()},
	}
	mere = wire.Layout{}
)

func mutator(l wire.Layout, seed uint64) *Mutator { return New(l, seed, make([]byte, Room(&l))) }

// TestInputsFit asks for inputs of any length out of any others: they are whole
// events, where there are some, and no longer than they may be.
func TestInputsFit(t *testing.T) {
	queue := [][]byte{nil, []byte("x"), make([]byte, 8), make([]byte, 13), make([]byte, 4000), make([]byte, wire.MaxInput+5)}
	for name, l := range map[string]wire.Layout{"schedules": schedules, "bytes": mere} {
		m := mutator(l, 1)
		for n := 0; n < 6000; n++ {
			max := [...]int{wire.MaxInput, 4096, 100, 1 << 30}[n/1500]
			made := m.Fuzz(queue[n%len(queue)], queue[n/7%len(queue)], max)
			if len(made) > max || len(made) > wire.MaxInput {
				t.Fatalf("%s: %d bytes of %d", name, len(made), max)
			}
			if l.Record > 0 && (len(made)-l.Header)%l.Record != 0 {
				t.Fatalf("%s: %d bytes are not whole events", name, len(made))
			}
		}
	}
}

// TestSameSeedSameInputs compares two mutators of one seed, and one of another.
func TestSameSeedSameInputs(t *testing.T) {
	in, other := bytes.Repeat([]byte("event---"), 50), bytes.Repeat([]byte("splice"), 50)
	run := func(seed uint64) string {
		m := mutator(schedules, seed)
		var all []byte
		for n := 0; n < 300; n++ {
			all = append(append(all, m.Fuzz(in, other, 1<<16)...), m.AppendName(nil)...)
		}
		return string(all)
	}
	first := run(1)
	if run(1) != first {
		t.Error("one seed gives two runs")
	}
	if run(2) == first {
		t.Error("two seeds give one run")
	}
}

// TestNamesSayWhatWasDone sees every way of making an input.
func TestNamesSayWhatWasDone(t *testing.T) {
	m := mutator(schedules, 1)
	in := make([]byte, 8+4*50)
	seen := map[string]bool{}
	for n := 0; n < 3000; n++ {
		m.Fuzz(in, in, 1<<16)
		name := string(m.AppendName(nil))
		if !strings.HasPrefix(name, "op:") || len(name) > 150 {
			t.Fatalf("name %q", name)
		}
		for _, word := range strings.Split(name[len("op:"):], "+") {
			seen[word] = true
		}
	}
	for _, word := range strings.Fields("fresh longer field adjust event insert delete repeat swap retime retarget splice cross extend header token") {
		if !seen[word] {
			t.Errorf("nothing was made by %s", word)
		}
	}
	if seen[""] {
		t.Error("an input without a name")
	}
}

// TestPartsOfTheOtherAreTaken looks for events of another input of the queue.
func TestPartsOfTheOtherAreTaken(t *testing.T) {
	other := make([]byte, 8)
	for n := uint32(0); n < 50; n++ {
		other = binary.BigEndian.AppendUint32(other, 0x01fefe00+n)
	}
	m := mutator(schedules, 1)
	taken := 0
	for n := 0; n < 500; n++ {
		made := m.Fuzz(make([]byte, 8+4*50), other, 1<<16)
		if i := bytes.Index(made, []byte{0x01, 0xfe, 0xfe}); i >= 0 && (i-8)%4 == 0 {
			taken++
		}
	}
	if taken < 50 {
		t.Errorf("in %d of 500", taken)
	}
}

// TestCostIsShared adds up what inputs of each way, and fresh ones of each
// length, cost to run.
func TestCostIsShared(t *testing.T) {
	m := mutator(schedules, 1)
	in := make([]byte, 8+4*300)
	var all float64
	ways, lengths := map[way]float64{}, map[int]float64{}
	for n := 0; n < 3000; n++ {
		events := (len(m.Fuzz(in, in, 1<<16)) - 8) / 4
		cost := float64(100 + events)
		all += cost
		if ways[m.way] += cost; m.way == fresh {
			lengths[events] += cost
		}
	}
	for w, share := range shares {
		if got := ways[way(w)] / all; got < share-0.05 || got > share+0.05 {
			t.Errorf("way %d has %.2f of the cost, want %.2f", w, got, share)
		}
	}
	for n, cost := range lengths {
		if got := cost / ways[fresh]; got < 0.5/float64(len(lengths)) || got > 2/float64(len(lengths)) {
			t.Errorf("length %d has %.2f of the cost of fresh inputs, of %d lengths", n, got, len(lengths))
		}
	}
}

// BenchmarkFuzz makes inputs out of one of 1600 events. It must not allocate: in
// afl-fuzz there is no collector.
func BenchmarkFuzz(b *testing.B) {
	m := mutator(schedules, 1)
	in, name := make([]byte, 8+4*1600), make([]byte, 0, 256)
	m.Fuzz(in, in, wire.MaxInput)
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		m.Fuzz(in, in, wire.MaxInput)
		name = m.AppendName(name[:0])
	}
}

func TestNothingIsAllocated(t *testing.T) {
	m := mutator(schedules, 1)
	in, name := make([]byte, 8+4*1600), make([]byte, 0, 256)
	m.Fuzz(in, in, wire.MaxInput)
	if n := testing.AllocsPerRun(2000, func() {
		m.Fuzz(in, in, wire.MaxInput)
		name = m.AppendName(name[:0])
	}); n != 0 {
		t.Errorf("%v allocations an input", n)
	}
}
