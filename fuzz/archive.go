package fuzz

import (
	"math"

	ijon "github.com/ijongo/ijongo/runtime"
)

// An archive remembers how to get to every situation of the system under
// test: for each cell the shortest known start of an input that touches it,
// and how often runs have been there. A search goes back to a rare cell and
// explores from there, as Go-Explore does.
//
// A cell is a pair of values that two set annotations hold in the same event,
// or the value of a set annotation itself, which for a tuple is a cross that
// the user has declared.
type archive struct {
	index [2 * numElements]int32 // element to cells, plus one; 0 unknown, barred
	cells []cell
	limit int // events of the longest prefix that leaves room for more
	notes *notes
}

const numElements = 1 << 16

// barred is the index of an element that is no cell because it wobbles.
const barred = -1

type cell struct {
	id     ijon.ID
	input  []byte // the prefix
	events int
	visits int // runs that were here
	picks  int
}

// pickPrice is what a pick weighs against a visit, tournamentSize how many
// cells compete.
const (
	pickPrice      = 10
	tournamentSize = 8
)

func newArchive(n *notes) *archive { return &archive{notes: n, limit: math.MaxInt32} }

func (a *archive) isSet(id ijon.ID) bool { return a.notes.annotation(id).Verb == ijon.VerbSet }

// A visit is what a run means to the archive.
type visit struct {
	cells int // new ones
	until int // units until the last cell that is new or has a much shorter prefix now
}

// count adds the run to the visits of the cells that it touched.
func (a *archive) count(f *feedback) {
	for _, t := range f.pairs {
		a.visited(int(t.Element))
	}
	for _, t := range f.cells {
		a.visited(numElements + int(t.Element))
	}
}

func (a *archive) visited(element int) {
	if i := a.index[element]; i > 0 {
		a.cells[i-1].visits++
	}
}

// look tells what the run would bring.
func (a *archive) look(f *feedback) (v visit) {
	for _, t := range f.pairs {
		a.see(&v, int(t.Element), t)
	}
	for _, t := range f.cells {
		if a.isSet(t.ID) {
			a.see(&v, numElements+int(t.Element), t)
		}
	}
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

// learn takes up the cells of the run whose input is given. The archive keeps
// input; prefix cuts it.
func (a *archive) learn(f *feedback, input []byte, prefix func([]byte, int) []byte) {
	for _, t := range f.pairs {
		a.take(int(t.Element), t, input, prefix)
	}
	for _, t := range f.cells {
		if a.isSet(t.ID) {
			a.take(numElements+int(t.Element), t, input, prefix)
		}
	}
}

func (a *archive) take(element int, t ijon.Touch, input []byte, prefix func([]byte, int) []byte) {
	if a.notes.muted(t.ID) || a.index[element] == barred {
		return
	}
	events := int(t.Event) + 1
	i := a.index[element]
	if i == 0 {
		a.cells = append(a.cells, cell{id: t.ID, visits: 1})
		i = int32(len(a.cells))
		a.index[element] = i
		a.notes.admit(pairs, t.ID)
	} else if !muchShorter(events, a.cells[i-1].events) {
		return
	}
	if input != nil {
		input = prefix(input, events)
	}
	a.cells[i-1].input, a.cells[i-1].events = input, events
}

// bar keeps an unknown pair from becoming a cell.
func (a *archive) bar(element int) {
	if a.index[element] == 0 {
		a.index[element] = barred
	}
}

// barNew bars all that is new in the run.
func (a *archive) barNew(f *feedback) {
	for _, t := range f.pairs {
		a.bar(int(t.Element))
	}
	for _, t := range f.cells {
		a.bar(numElements + int(t.Element))
	}
}

// pick is the rarest of a few cells drawn at random; nil if all that were
// drawn are of muted annotations or too far to go on from.
func (a *archive) pick(r *rng) *cell {
	var best *cell
	for n := 0; n < tournamentSize; n++ {
		c := &a.cells[r.intn(len(a.cells))]
		if !a.notes.muted(c.id) && c.events <= a.limit && (best == nil || c.rank() < best.rank()) {
			best = c
		}
	}
	if best != nil {
		best.picks++
	}
	return best
}

func (c *cell) rank() int { return c.visits + pickPrice*c.picks }
