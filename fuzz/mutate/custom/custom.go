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
	max    int   // longest input that the maker makes
	sizes  []int // of fresh inputs

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

// Of a hundred inputs so many are fresh, and so many are one of the queue that
// goes on in a new way. The others are mutants.
const (
	freshPercent  = 25
	longerPercent = 15
)

// Room is how many bytes a Mutator needs for the input in hand.
func Room(l *wire.Layout) int { return wire.MaxInput + l.Header + l.Record }

// New is a mutator for a layout that draws from a seed. It keeps the input in
// hand in buf, which has Room.
func New(l wire.Layout, seed uint64, buf []byte) *Mutator {
	m := &Mutator{layout: l, rng: mutate.NewRNG(seed, 0, 0), buf: buf[:0]}
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
}

// Fuzz makes an input of at most max bytes out of one of the queue, perhaps
// with parts of another; other may be empty. The input is the mutator's, and
// good until it makes the next.
func (m *Mutator) Fuzz(in, other []byte, max int) []byte {
	m.bound(max)
	m.buf = append(m.buf[:0], in[:least(len(in), m.max)]...)
	switch m.way = m.draw(); m.way {
	case fresh:
		m.buf = m.maker.Fresh(m.buf, m.sizes[m.rng.Intn(len(m.sizes))])
	case longer:
		m.buf = m.maker.Extend(m.buf)
	default:
		m.parent.Data, m.other.Data = in, other
		m.buf = m.maker.Mutate(m.buf, &m.parent, &m.other)
	}
	return m.buf
}

// draw is how the next input is made. Mere bytes are changed alone: what AFL++
// knows of them is as good.
func (m *Mutator) draw() way {
	if m.layout.Record == 0 {
		return mutant
	}
	switch n := m.rng.Intn(100); {
	case n < freshPercent:
		return fresh
	case n < freshPercent+longerPercent:
		return longer
	}
	return mutant
}

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

func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}
