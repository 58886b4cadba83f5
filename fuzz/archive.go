package fuzz

import (
	"math"

	"github.com/ijongo/ijongo/fuzz/mutate"
	ijon "github.com/ijongo/ijongo/runtime"
)

// An archive remembers how to get to every situation of the system under
// test: for each cell the shortest known start of an input that touches it,
// and how often runs have been there. A search goes back to a rare cell and
// explores from there, as Go-Explore does.
//
// A cell is a bin of a cross, of transitions or of a sequence, or the value of
// a set annotation, which for a tuple is a cross too. Where no such bins are
// declared, a pair of values that two set annotations hold in the same event
// is one as well.
type archive struct {
	index []int32 // element to cells, plus one; 0 unknown, barred
	cells []cell
	limit int // events of the longest prefix that leaves room for more
	notes *notes
	goals *goals
	pairs bool // pairs are cells also where bins are declared

	// price is what a run costs that goes to a cell of so many events and on
	// from there; nil where nothing is declared.
	price func(events int) float64
}

// An element is the number of a hashed pair or value, or that of a bin.
const (
	setElements = 1 << 16
	binElements = 2 << 16
)

// barred is the index of an element that is no cell because it wobbles.
const barred = -1

type cell struct {
	id      ijon.ID
	element int32
	birth   int32  // of the input
	input   []byte // the prefix
	events  int
	visits  int // runs that were here
	picks   int

	believed bool // no second run has shown yet that the prefix leads here
	resumed  bool // and the first one went on from a state
}

// pickPrice is what a pick weighs against a visit, tournamentSize how many
// cells compete.
const (
	pickPrice      = 10
	tournamentSize = 8
)

func newArchive(n *notes, g *goals) *archive {
	return &archive{index: make([]int32, binElements+len(g.bins)), notes: n, goals: g, limit: math.MaxInt32}
}

// each calls visit for every situation of the run with its element, but for
// those that came when the system was brought to rest at the end.
func (a *archive) each(f *feedback, visit func(element int, t ijon.Touch)) {
	if a.pairs || !a.goals.declared {
		for _, t := range f.pairs {
			if f.during(t) {
				visit(int(t.Element), t)
			}
		}
	}
	for _, t := range f.cells {
		if f.during(t) && a.notes.source(t.ID).verb == string(ijon.VerbSet) {
			visit(setElements+int(t.Element), t)
		}
	}
	for _, t := range f.bins {
		if !f.during(t) || !a.goals.bin(t.Element).cell {
			continue
		}
		for n := len(a.index); n < binElements+len(a.goals.bins); n++ {
			a.index = append(a.index, 0) // declared since
		}
		visit(binElements+int(t.Element), t)
	}
}

// A visit is what a run means to the archive.
type visit struct {
	cells int // new ones
	until int // units until the last cell that is new or has a much shorter prefix now
}

// count adds the run to the visits of the cells that it touched.
func (a *archive) count(f *feedback) {
	a.each(f, func(element int, _ ijon.Touch) {
		if i := a.index[element]; i > 0 {
			a.cells[i-1].visits++
		}
	})
}

// look tells what the run would bring.
func (a *archive) look(f *feedback) (v visit) {
	a.each(f, func(element int, t ijon.Touch) { a.see(&v, element, t) })
	return v
}

func (a *archive) see(v *visit, element int, t ijon.Touch) {
	if a.notes.muted(t.ID) || a.index[element] == barred {
		return
	}
	events := int(t.Event) + 1
	if i := a.index[element]; i == 0 {
		v.cells++
	} else if !muchShorter(events, a.cells[i-1].events) {
		return
	}
	if events > v.until {
		v.until = events
	}
}

// muchShorter is the rule for replacing a prefix: a quarter less.
func muchShorter(events, than int) bool { return 4*events <= 3*than }

// A way is how a run came to its cells.
type way struct {
	input  []byte                   // the archive keeps it; nil keeps none
	prefix func([]byte, int) []byte // cuts it

	believed, resumed bool // as in cell
}

// learn takes up the cells of a run.
func (a *archive) learn(f *feedback, w way) {
	a.each(f, func(element int, t ijon.Touch) { a.take(element, t, &w) })
}

func (a *archive) take(element int, t ijon.Touch, w *way) {
	if a.notes.muted(t.ID) || a.index[element] == barred {
		return
	}
	events := int(t.Event) + 1
	i := a.index[element]
	if i == 0 {
		a.cells = append(a.cells, cell{id: t.ID, element: int32(element), visits: 1})
		i = int32(len(a.cells))
		a.index[element] = i
		a.notes.admit(cells, t.ID)
		if element >= binElements {
			a.goals.reach(element - binElements)
		}
	} else if !muchShorter(events, a.cells[i-1].events) {
		return
	}
	c := &a.cells[i-1]
	if c.input = w.input; c.input != nil {
		c.input = w.prefix(c.input, events)
	}
	c.events, c.birth = events, a.notes.lineage.current()
	c.believed, c.resumed = w.believed, w.resumed
}

// proves tells whether a run was in the cell when the one was that found it.
func (a *archive) proves(f *feedback, c *cell) (same bool) {
	a.each(f, func(element int, t ijon.Touch) {
		same = same || element == int(c.element) && int(t.Event)+1 == c.events
	})
	return same
}

// disown bars a cell to which its prefix does not lead.
func (a *archive) disown(c *cell) {
	a.index[c.element] = barred
	c.input = nil
}

// bar keeps an unknown situation from becoming a cell.
func (a *archive) bar(element int) {
	if a.index[element] == 0 {
		a.index[element] = barred
	}
}

// barNew bars all that is new in the run.
func (a *archive) barNew(f *feedback) {
	a.each(f, func(element int, _ ijon.Touch) { a.bar(element) })
}

// pick is the first in rank of a few cells drawn at random; nil if all that
// were drawn are of muted annotations or too far to go on from.
func (a *archive) pick(r *mutate.RNG) *cell {
	var best *cell
	for n := 0; n < tournamentSize; n++ {
		c := &a.cells[r.Intn(len(a.cells))]
		if c.input != nil && !a.notes.muted(c.id) && c.events <= a.limit && (best == nil || a.rank(c) < a.rank(best)) {
			best = c
		}
	}
	if best != nil {
		best.picks++
	}
	return best
}

// rank is less for a cell that is rarer, and where bins are declared also for
// one that it costs less to go to.
func (a *archive) rank(c *cell) float64 {
	rank := float64(c.visits + pickPrice*c.picks)
	if a.price == nil {
		return rank
	}
	return rank * a.price(c.events)
}
