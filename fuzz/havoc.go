package fuzz

import "math/bits"

// A mutator is one way of changing an input, in the buffer that it is given.
type mutator struct {
	name   string
	weight int // until more is known of what it finds
	change func(input []byte) []byte
}

// havoc makes mutants by several changes on top of each other. Which changes
// is drawn with weights that follow what mutants with each of them have found
// for their cost; those of one mutant share its cost and what it finds.
type havoc struct {
	rng      *rng
	mutators []mutator
	parts    *portfolio
	upTo     []int // cumulative shares
	used     uint  // mask of the mutators of the mutant in hand; 0 if it is none

	parent, other *entry // of the mutant in hand
	exchange      exchange
}

const (
	floorOfMutators = 0.5     // of all mutators together
	fineness        = 1 << 20 // of a share
	maxChanges      = 16      // changes of one mutant
)

// begin takes the mutators; there are at most as many as bits in a word.
func (h *havoc) begin(mutators []mutator) {
	parts := make([]part, len(mutators))
	total := 0
	for _, m := range mutators {
		total += m.weight
	}
	for i, m := range mutators {
		parts[i] = part{name: m.name, weight: float64(m.weight), floor: floorOfMutators * float64(m.weight) / float64(total)}
	}
	h.mutators, h.parts, h.upTo = mutators, newPortfolio(parts), make([]int, len(mutators))
	h.divide()
}

func (h *havoc) divide() {
	sum := 0.0
	for i := range h.upTo {
		sum += h.parts.parts[i].share
		h.upTo[i] = int(sum * fineness)
	}
}

// stack makes one to sixteen changes. Before each of them ready has the say,
// which sees to it that there is something to change.
func (h *havoc) stack(input []byte, parent, other *entry, ready func([]byte) []byte) []byte {
	h.parent, h.other, h.used = parent, other, 0
	for n := 1 << uint(h.rng.intn(bits.Len(maxChanges))); n > 0; n-- {
		i := h.draw()
		h.used |= 1 << uint(i)
		input = h.mutators[i].change(ready(input))
	}
	return input
}

func (h *havoc) draw() int {
	n := h.rng.intn(h.upTo[len(h.upTo)-1])
	for i, upTo := range h.upTo {
		if n < upTo {
			return i
		}
	}
	return len(h.upTo) - 1
}

// charge books what a run of the mutant in hand has cost and what that was
// worth.
func (h *havoc) charge(cost, credit float64, found bool) {
	if h.used == 0 {
		return
	}
	n := float64(bits.OnesCount(h.used))
	for mask := h.used; mask != 0; mask &= mask - 1 {
		h.parts.book(bits.TrailingZeros(mask), cost/n, credit/n, found)
	}
	h.parts.settle(cost, found)
	if h.parts.dirty == 0 {
		h.divide()
	}
}

func (h *havoc) mixture() []part { return h.parts.parts }
