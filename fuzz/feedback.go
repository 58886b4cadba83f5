package fuzz

import (
	"encoding/binary"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// classes maps a hit count to AFL's eight classes, one bit each.
var classes = func() (class [256]byte) {
	for c, least := range classLeast {
		for n := int(least); n < 256; n++ {
			class[n] = 1 << uint(c)
		}
	}
	return class
}()

// classLeast is the least count of each class.
var classLeast = [8]byte{1, 2, 3, 4, 8, 16, 32, 128}

// countClass is the class of a count that may exceed a byte.
func countClass(n uint32) byte { return classes[byteOf(n)] }

// byteOf is a count as far as a byte reaches.
func byteOf(n uint32) byte {
	if n > 255 {
		return 255
	}
	return byte(n)
}

// seedOf is the seed of a run of input: the same input has the same
// randomness, and so has each start of a schedule. What is missing of a header
// is zero.
func seedOf(input []byte) uint64 {
	size := len(input)
	if l := ijon.Declared(); l.Record > 0 {
		size = l.Header
		input = input[:least(len(input), size)]
	}
	h := ijon.HashUint(ijon.Hash, uint64(size))
	for ; size >= 0; size -= 8 {
		var word [8]byte
		input = input[copy(word[:], input):]
		h = ijon.HashUint(h, binary.LittleEndian.Uint64(word[:]))
	}
	return h
}

// Salts keep an edge from cancelling a cell of the same number.
const (
	saltEdge = iota + 1
	saltCell
	saltPair
	saltSlot
	saltBin
	saltRetired
)

// feature is the hash of one element of the feedback: what it is, and how it was.
func feature(salt, element, value uint64) uint64 {
	return ijon.HashUint(ijon.HashUint(salt<<56, element), value)
}

// feedback is what a run touched.
type feedback struct {
	cells []ijon.Touch
	hits  []uint32 // of each cell
	pairs []ijon.Touch
	slots []ijon.Slot

	bins    []ijon.Touch // with the ID of an item
	binHits []uint64     // of each bin

	units int // that were played: what was touched after them was when the system came to rest
}

// read fetches the feedback of the run that ended last.
func (f *feedback) read() {
	run := ijon.Run{}
	f.units = int(ijon.Event())
	f.cells = run.Cells(f.cells[:0])
	f.hits = f.hits[:0]
	for _, c := range f.cells {
		f.hits = append(f.hits, run.Hits(c.Element))
	}
	f.pairs = run.Pairs(f.pairs[:0])
	f.slots = run.Slots(f.slots[:0])
	f.bins = run.Covered(f.bins[:0])
	f.binHits = f.binHits[:0]
	for k := range f.bins {
		f.bins[k].ID += itemIDs
		f.binHits = append(f.binHits, run.BinHits(f.bins[k].Element))
	}
}

func (f *feedback) copy(from *feedback) {
	f.cells = append(f.cells[:0], from.cells...)
	f.hits = append(f.hits[:0], from.hits...)
	f.pairs = append(f.pairs[:0], from.pairs...)
	f.slots = append(f.slots[:0], from.slots...)
	f.bins = append(f.bins[:0], from.bins...)
	f.binHits = append(f.binHits[:0], from.binHits...)
	f.units = from.units
}

// at sets the event of everything touched to the last of n, for a harness
// that does not tell.
func (f *feedback) at(n int) {
	if f.units = n; n == 0 {
		return
	}
	for _, touches := range [][]ijon.Touch{f.cells, f.pairs, f.bins} {
		for i := range touches {
			touches[i].Event = uint32(n - 1)
		}
	}
	for i := range f.slots {
		f.slots[i].Event = uint32(n - 1)
	}
}

// during tells whether something was touched while the input was played. No
// input that goes on from there leads to what comes later.
func (f *feedback) during(t ijon.Touch) bool { return int(t.Event) < f.units }

// cut leaves the situations that were reached in the first n units, and of
// their counts that they were reached.
func (f *feedback) cut(n int) {
	f.cells = cutTouches(f.cells, n)
	f.pairs = cutTouches(f.pairs, n)
	f.bins = cutTouches(f.bins, n)
	f.hits, f.binHits = f.hits[:len(f.cells)], f.binHits[:len(f.bins)]
	for i := range f.hits {
		f.hits[i] = 1
	}
	for i := range f.binHits {
		f.binHits[i] = 1
	}
	f.slots = f.slots[:0]
}

func cutTouches(touches []ijon.Touch, n int) []ijon.Touch {
	kept := touches[:0]
	for _, t := range touches {
		if int(t.Event) < n {
			kept = append(kept, t)
		}
	}
	return kept
}

// touched is a hash of the situations and of the events in which they were
// reached.
func (f *feedback) touched() (sum uint64) {
	for _, c := range f.cells {
		sum += feature(saltCell, uint64(c.Element), uint64(c.Event))
	}
	for _, p := range f.pairs {
		sum += feature(saltPair, uint64(p.Element), uint64(p.Event))
	}
	for _, b := range f.bins {
		sum += feature(saltBin, uint64(b.Element), uint64(b.Event))
	}
	return sum
}

// touches is what the run brings, for one who looks for inputs that together
// bring all.
func (f *feedback) touches(counters []byte) *wire.Touched {
	t := new(wire.Touched)
	add := func(salt, element, value uint64) { t.Features = append(t.Features, feature(salt, element, value)) }
	for at, n := range counters {
		if n != 0 {
			add(saltEdge, uint64(at), uint64(classes[n]))
		}
	}
	for i, c := range f.cells {
		add(saltCell, uint64(c.Element), uint64(countClass(f.hits[i])))
	}
	for _, p := range f.pairs {
		add(saltPair, uint64(p.Element), 0)
	}
	for _, b := range f.bins {
		add(saltBin, uint64(b.Element), 0)
	}
	for _, s := range f.slots {
		slot := ijon.HashUint(uint64(s.ID), s.By)
		t.Slots = append(t.Slots, wire.Reach{Slot: slot, Value: s.Value})
		if s.Retired {
			add(saltRetired, slot, 0)
		}
	}
	return t
}

// hash is a hash of the whole feedback, whatever the order in which it was
// touched.
func (f *feedback) hash(counters []byte) uint64 {
	sum := hashCounters(counters)
	for i, c := range f.cells {
		sum += feature(saltCell, uint64(c.Element), uint64(f.hits[i]))
	}
	for _, p := range f.pairs {
		sum += feature(saltPair, uint64(p.Element), 0)
	}
	for _, s := range f.slots {
		sum += feature(saltSlot, ijon.HashUint(uint64(s.ID), s.By), s.Value)
		if s.Retired {
			sum += feature(saltRetired, uint64(s.ID), s.By)
		}
	}
	for i, b := range f.bins {
		sum += feature(saltBin, uint64(b.Element), f.binHits[i])
	}
	return sum
}

func hashCounters(counters []byte) (sum uint64) {
	for i := 0; i < len(counters); i += 8 {
		word := counterWord(counters, i)
		for at := uint64(i); word != 0; at, word = at+1, word>>8 {
			if n := byte(word); n != 0 {
				sum += feature(saltEdge, at, uint64(classes[n]))
			}
		}
	}
	return sum
}

// counterWord is eight counters; there may be fewer at the end.
func counterWord(counters []byte, i int) uint64 {
	if i+8 <= len(counters) {
		return binary.LittleEndian.Uint64(counters[i:])
	}
	var word [8]byte
	copy(word[:], counters[i:])
	return binary.LittleEndian.Uint64(word[:])
}

// least is the smaller one.
func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}
