package fuzz

import (
	"fmt"
	"sort"

	ijon "github.com/ijongo/ijongo/runtime"
)

// A snapshot is the feedback of a run, kept to be compared with another one.
type snapshot struct {
	resumed  bool // the run went on from a saved state
	hash     uint64
	counters []byte
	feedback feedback
}

func (s *snapshot) take(counters []byte, f *feedback) {
	s.hash = f.hash(counters)
	s.counters = append(s.counters[:0], counters...)
	s.feedback.copy(f)
}

// edges tells seen which edges are not the same in the run that ended last,
// and notes them by name.
func (s *snapshot) edges(counters []byte, known *seen) {
	differ := uint64(0)
	for i, count := range counters {
		if a, b := classes[count], classes[s.counters[i]]; a != b {
			known.notes.wobble(fmt.Sprintf("counter %d", i))
			known.learnEdge(i, a|b)
			differ = 1
		}
	}
	known.notes.sources[edgesID].yield.wobbles += differ
}

// marks is edges for all other channels. It returns how many differ.
func (s *snapshot) marks(f *feedback, known *seen) int {
	ids := make(map[ijon.ID]bool)
	list := differing(&s.feedback, f)
	for _, m := range list {
		ids[m.id] = true
		known.learnMark(m)
	}
	for id := range ids {
		known.notes.wobbled(id)
	}
	return len(list)
}

// learnMark makes known what wobbles.
func (s *seen) learnMark(m mark) {
	switch m.salt {
	case saltCell:
		s.cell[m.what] |= countClass(uint32(m.value))
		s.archive.bar(setElements + int(m.what))
	case saltPair:
		s.archive.bar(int(m.what))
	case saltSlot:
		s.maxima([]ijon.Slot{{ID: m.id, By: m.what, Value: m.value}}, nil, true)
	case saltBin:
		s.archive.bar(binElements + int(m.what))
		s.goals.learn(s.goals.bin(uint32(m.what)), m.id)
	}
}

// A mark is a thing that a run touched.
type mark struct {
	salt  uint64
	id    ijon.ID
	what  uint64
	value uint64
}

// differing lists the marks that only one of two runs has, in a fixed order.
func differing(f, g *feedback) (list []mark) {
	a, b := f.marks(), g.marks()
	for m := range a {
		if !b[m] {
			list = append(list, m)
		}
	}
	for m := range b {
		if !a[m] {
			list = append(list, m)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].less(list[j]) })
	return list
}

func (m mark) less(n mark) bool {
	switch {
	case m.salt != n.salt:
		return m.salt < n.salt
	case m.id != n.id:
		return m.id < n.id
	case m.what != n.what:
		return m.what < n.what
	}
	return m.value < n.value
}

// marks is everything but the edges.
func (f *feedback) marks() map[mark]bool {
	all := make(map[mark]bool)
	for i, c := range f.cells {
		all[mark{saltCell, c.ID, uint64(c.Element), uint64(f.hits[i])}] = true
	}
	for _, p := range f.pairs {
		all[mark{saltPair, p.ID, uint64(p.Element), 0}] = true
	}
	for _, s := range f.slots {
		all[mark{saltSlot, s.ID, s.By, s.Value}] = true
	}
	for i, b := range f.bins {
		all[mark{saltBin, b.ID, uint64(b.Element), f.binHits[i]}] = true
	}
	return all
}
