package fuzz

import (
	"math/bits"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/runtime/afl"
)

// A projection puts what a run has touched into the map that a tool of AFL++
// reads. Edges are there already.
type projection struct {
	afl.Settings
	area     []byte   // nil if the map is too small
	best     []uint64 // IJON's slots; nil without
	notes    *notes   // of what only observes
	feedback feedback
}

func newProjection(c *afl.Child) *projection {
	ijon.SetPairing(false)
	return &projection{Settings: c.Settings, area: c.Area, best: c.Slots, notes: newNotes(channels{}, c.Goal)}
}

// project is called when a run is over.
func (p *projection) project() {
	p.feedback.read()
	if p.area != nil {
		p.cells()
		p.bins()
		p.levels()
	}
	if p.best != nil && p.Maxima {
		p.maxima()
	}
}

// cells are where they are in the runtime's own map, which is as large.
func (p *projection) cells() {
	if !p.Set {
		return
	}
	for i, c := range p.feedback.cells {
		if !p.notes.muted(c.ID) {
			p.raise(uint64(c.Element), byteOf(p.feedback.hits[i]))
		}
	}
}

func (p *projection) bins() {
	if !p.Bins {
		return
	}
	for _, b := range p.feedback.bins {
		if !p.notes.muted(b.ID) {
			p.raise(feature(saltBin, uint64(b.Element), 0), 1)
		}
	}
}

// levels gives each level of a maximum a byte and one of AFL's eight classes of
// counts: a level that was never reached is something new.
func (p *projection) levels() {
	if !p.Levels {
		return
	}
	for _, s := range p.feedback.slots {
		if !p.notes.muted(s.ID) {
			level := p.level(s)
			p.raise(slotHash(s)+level/8, classLeast[level%8])
		}
	}
}

// maxima raises the slots of IJON, which are never cleared: the tool keeps the
// input that came with the best value of each.
func (p *projection) maxima() {
	for _, s := range p.feedback.slots {
		if p.notes.muted(s.ID) {
			continue
		}
		value := s.Value
		if s.Retired {
			value = ^uint64(0) // the tool can retire the slot
		}
		if best := &p.best[slotIndex(s)%uint64(len(p.best))]; value > *best {
			*best = value
		}
	}
}

// slotIndex is the number of an annotation as long as it has no keys, so that
// each of the first 512 has a slot of its own.
func slotIndex(s ijon.Slot) uint64 {
	if s.By == 0 {
		return uint64(s.ID)
	}
	return slotHash(s)
}

func slotHash(s ijon.Slot) uint64 { return feature(saltSlot, uint64(s.ID), s.By) }

// raise makes a byte of the area n, unless it is more.
func (p *projection) raise(at uint64, n byte) {
	if b := &p.area[at%uint64(len(p.area))]; *b < n {
		*b = n
	}
}

func (p *projection) level(s ijon.Slot) uint64 {
	if s.Retired {
		return retiredLevel
	}
	if p.notes.kind(s.ID) == ijon.KindFloat {
		return s.Value >> 49 // sign, exponent and three bits: eight levels to the octave
	}
	return level(s.Value)
}

// The levels of integers: one for each value as long as these are near to an
// end of the order, or to the 0 of signed ones, and eight to the octave beyond.
const (
	fineLevels   = 512
	sideLevels   = fineLevels + 8*(64-9) // at least those of one side
	retiredLevel = 1 << 15
)

// level is the level of a value of a slot: more is better.
func level(value uint64) uint64 {
	if value != ^uint64(0) {
		value-- // see Slot.Value
	}
	const zero = 1 << 63 // of signed numbers
	switch value >> 62 {
	case 0:
		return levelsTo(value)
	case 1:
		return 2*sideLevels - levelsTo(zero-value)
	case 2:
		return 2*sideLevels + levelsTo(value-zero)
	}
	return 4*sideLevels - levelsTo(^value)
}

// levelsTo is how far a value is from one end, in levels.
func levelsTo(n uint64) uint64 {
	if n < fineLevels {
		return n
	}
	octave := uint64(bits.Len64(n)) - 10 // 0 for the first one beyond
	return fineLevels + 8*octave + n>>(octave+6)&7
}
