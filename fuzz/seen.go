package fuzz

import (
	"github.com/ijongo/ijongo/fuzz/mutate"
	ijon "github.com/ijongo/ijongo/runtime"
)

// seen is all that the runs of a campaign have touched, channel by channel.
//
// Each channel can be asked in two ways: look counts what is new in the run
// that ended last and changes nothing; learn counts and remembers.
type seen struct {
	edge []byte // classes seen of each counter

	cell    [1 << 16]byte // classes seen of each cell of set and inc
	archive *archive

	slotOf map[uint64]int // (annotation, by) to slots
	slots  []slotBest

	goals *goals

	edgesHit, cellsHit int
	finds              news // elements of all inputs that were kept
	notes              *notes
}

// A slotBest is the best value of a max-like annotation, and the input of
// the run that reached it.
type slotBest struct {
	id     ijon.ID
	by     uint64
	value  uint64
	from   *entry
	events int // of the input, until the value was reached
	picks  int

	retired bool // the clause until was true: it guides no more
}

func newSeen(counters int, n *notes) *seen {
	g := newGoals(n)
	return &seen{
		edge:    make([]byte, counters),
		archive: newArchive(n, g),
		slotOf:  make(map[uint64]int),
		goals:   g,
		notes:   n,
	}
}

// edges compares the counters of the run, eight zero ones at a time.
func (s *seen) edges(counters []byte, learn bool) (found int) {
	for i := 0; i < len(counters); i += 8 {
		word := counterWord(counters, i)
		for at := i; word != 0; at, word = at+1, word>>8 {
			class := classes[byte(word)]
			if class&^s.edge[at] == 0 {
				continue
			}
			found++
			if learn {
				s.learnEdge(at, class)
			}
		}
	}
	return found
}

// newEdge tells whether the run took an edge that none has taken before.
func (s *seen) newEdge(counters []byte) bool {
	for i := 0; i < len(counters); i += 8 {
		word := counterWord(counters, i)
		for at := i; word != 0; at, word = at+1, word>>8 {
			if byte(word) != 0 && s.edge[at] == 0 {
				return true
			}
		}
	}
	return false
}

func (s *seen) learnEdge(at int, class byte) {
	if s.edge[at] == 0 {
		s.edgesHit++
	}
	s.edge[at] |= class
}

// set compares the cells of set and inc. What a muted annotation says is
// remembered and not counted.
func (s *seen) set(f *feedback, learn bool) (found int) {
	for i, c := range f.cells {
		class := countClass(f.hits[i])
		if class&^s.cell[c.Element] == 0 {
			continue
		}
		muted := s.notes.muted(c.ID)
		if !muted {
			found++
		}
		if learn || muted {
			s.learnCell(c, class)
		}
	}
	return found
}

func (s *seen) learnCell(c ijon.Touch, class byte) {
	if s.cell[c.Element] == 0 {
		s.cellsHit++
		s.notes.value(c.ID)
	}
	s.cell[c.Element] |= class
	s.notes.admit(set, c.ID)
}

// maxima compares the slots. With learn, from is what reached them.
func (s *seen) maxima(reached []ijon.Slot, from *entry, learn bool) (found int) {
	for _, r := range reached {
		i, ok := s.slotOf[slotKey(r)]
		if ok && (s.slots[i].retired || r.Value <= s.slots[i].value && !r.Retired) {
			continue
		}
		muted := s.notes.muted(r.ID)
		if !muted {
			found++
		}
		if learn || muted {
			s.learnSlot(r, from)
		}
	}
	return found
}

func slotKey(r ijon.Slot) uint64 { return ijon.HashUint(uint64(r.ID), r.By) }

func (s *seen) learnSlot(r ijon.Slot, from *entry) {
	i, ok := s.slotOf[slotKey(r)]
	if !ok {
		i = len(s.slots)
		s.slotOf[slotKey(r)] = i
		s.slots = append(s.slots, slotBest{id: r.ID, by: r.By})
	}
	b := &s.slots[i]
	if r.Value > b.value {
		b.value = r.Value
	}
	b.picks, b.retired = 0, r.Retired
	if from != nil {
		b.from, b.events = from, int(r.Event)+1
	}
	s.notes.admit(slots, r.ID)
}

// pickSlot is the slot that has been picked least since it was raised, of
// four drawn ones; nil if there is none with an entry.
func (s *seen) pickSlot(r *mutate.RNG) *slotBest {
	var best *slotBest
	for n := 0; n < 4 && len(s.slots) > 0; n++ {
		b := &s.slots[r.Intn(len(s.slots))]
		if b.from != nil && !b.retired && !s.notes.muted(b.id) && (best == nil || b.picks < best.picks) {
			best = b
		}
	}
	if best != nil {
		best.picks++
	}
	return best
}
