package custom

import (
	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// A Mutator makes inputs out of those of a queue that another fuzzer keeps.
type Mutator struct {
	layout wire.Layout
	rng    *mutate.RNG
	maker  mutate.Maker
	max    int // longest input that the maker makes

	ways    account
	lengths account // of fresh inputs
	sizes   []int   // that they stand for

	buf           []byte // the input in hand
	parent, other mutate.Parent
	way           way // in which it was made
}

// A way is how an input was made.
type way int

const (
	mutant way = iota
	fresh
	longer
)

// shares are what each way has of the cost. Random schedules are strong, and
// their lengths have equal shares too: which is best is not known here. By the
// number of inputs instead of their cost a find takes twice the events, because nearly
// all of them go into the longest inputs.
var shares = [...]float64{mutant: 0.4, fresh: 0.4, longer: 0.2}

// Room is how many bytes a Mutator needs for the input in hand.
func Room(l *wire.Layout) int { return wire.MaxInput + l.Header + l.Record }

// New is a mutator for a layout that draws from a seed. It keeps the input in
// hand in buf, which has Room.
func New(l wire.Layout, seed uint64, buf []byte) *Mutator {
	m := &Mutator{layout: l, rng: mutate.NewRNG(seed, 0, 0), ways: newAccount(shares[:]), buf: buf[:0]}
	m.bound(wire.MaxInput)
	return m
}

// bound makes a maker of inputs of at most max bytes.
func (m *Mutator) bound(max int) {
	if max > wire.MaxInput {
		max = wire.MaxInput
	}
	if m.max == max {
		return
	}
	m.max = max
	m.maker = mutate.New(m.rng, m.layout.Declared(), max, mutate.Vocabulary{Words: m.layout.Words})
	m.sizes = m.maker.Lengths()
	m.lengths = newAccount(equal(len(m.sizes)))
}

// Fuzz makes an input of at most max bytes out of one of the queue, perhaps
// with parts of another; other may be empty. The input is the mutator's, and
// good until it makes the next.
func (m *Mutator) Fuzz(in, other []byte, max int) []byte {
	m.bound(max)
	if len(in) > m.max {
		in = in[:m.max]
	}
	m.buf = append(m.buf[:0], in...)
	if m.way = mutant; m.layout.Record > 0 { // what AFL++ knows of mere bytes is as good
		m.way = way(m.ways.next())
	}
	switch m.way {
	case fresh:
		n := m.lengths.next()
		m.buf = m.maker.Fresh(m.buf, m.sizes[n])
		m.lengths.charge(n, m.cost())
	case longer:
		m.buf = m.maker.Extend(m.buf)
	default:
		m.parent.Data, m.other.Data = in, other
		m.buf = m.maker.Mutate(m.buf, &m.parent, &m.other)
	}
	m.ways.charge(int(m.way), m.cost())
	return m.buf
}

// cost is what it costs to run the input in hand.
func (m *Mutator) cost() float64 { return m.maker.Cost(m.maker.Units(m.buf)) }

// AppendName appends what was done to make the input in hand, in the way that
// AFL++ names its own operations in the names of files.
func (m *Mutator) AppendName(to []byte) []byte {
	to = append(to, "op:"...)
	switch m.way {
	case fresh:
		return append(to, "fresh"...)
	case longer:
		return append(to, "longer"...)
	}
	return m.maker.AppendNames(to)
}
