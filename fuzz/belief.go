package fuzz

import (
	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// checkEvery is the part of the cost that second runs may have: one in so
// many. A young search finds something new in most of its runs, and to make
// each of them twice would take half of its time.
const checkEvery = 10

// early is the cost up to which nothing that a search comes to is rare.
const early = 1 << 17

// mayCheck tells whether there is time for a second run. For an edge or a
// property that no run has come to before there is, but at first: those are few,
// and may not come again.
func (s *search) mayCheck() bool {
	if s.checking*checkEvery <= s.total || !leads() {
		return true
	}
	return s.total > early && (s.news[bins] > 0 || s.news[edges] > 0 && s.seen.newEdge(s.run.counters))
}

// leads tells whether the start of the input in hand leads to its cells, whatever
// comes behind it. Where it does not, no later run is a second run, and each find
// has one of its own.
func leads() bool { return ijon.Declared().Record > 0 && ijon.Event() > 0 }

// believe takes up the cells and the best values of a run that there is no time
// to check. The first run that goes back to such a cell is its second run: until
// then it is not in the corpus, and a best value is not before a better one is
// checked. What else was new is found again later.
func (s *search) believe(input []byte, cost float64) {
	found := news{cells: s.news[cells]}
	if s.states != nil { // a step that is lost is one that was not taken
		found[slots] = s.news[slots]
	}
	s.charge(cost, found, found.any())
	until := 0
	if s.guides[cells] {
		until = s.visit.until
	}
	if found[slots] > 0 {
		until = s.maker.Units(input)
	}
	if until == 0 {
		return
	}
	if s.unsteady() {
		s.seen.archive.barNew(&s.feedback)
		return
	}
	s.notes.keep(false)
	defer s.notes.kept()
	kept := s.entry(s.maker.Prefix(input, until))
	if found[slots] > 0 {
		s.seen.maxima(s.feedback.slots, kept, true)
	}
	if s.guides[cells] {
		s.seen.archive.learn(&s.feedback, way{input: kept.Data, prefix: s.maker.Prefix, believed: true, resumed: s.resumed > 0})
	}
}

// prove compares the first run that goes back to a believed cell with the one
// that found it.
func (s *search) prove() {
	a, c := s.seen.archive, s.proving
	same := a.proves(&s.feedback, c)
	s.stats.checked++
	s.compare(same, c.resumed)
	if !same {
		s.notes.wobbled(c.id)
		a.disown(c)
		s.arms.left = 0
		s.visit = a.look(&s.feedback) // without it
		return
	}
	s.stats.equal++
	c.believed = false
	if s.pool.roomForCells() {
		s.cover.until(&s.feedback, c.events)
		s.tell(c.input)
		s.store(&entry{Parent: mutate.Parent{Data: c.input, Marks: []int{c.events}, Operands: compared()}, birth: c.birth}, news{cells: 1}, []string{s.notes.source(c.id).String()})
	}
}

// store writes what has been checked to the corpus, and says why.
func (s *search) store(e *entry, n news, reasons []string) {
	name, err := s.pool.add(e, n)
	if err != nil {
		s.failed, s.ended = err, true
		return
	}
	s.link.send(&wire.Message{Find: &wire.Find{File: name, Why: n.String(), For: reasons}})
	s.seen.finds.add(n)
}

// unsteady tells whether most second runs differ.
func (s *search) unsteady() bool {
	return s.stats.checked >= enough && s.stats.equal < s.stats.checked/2
}
