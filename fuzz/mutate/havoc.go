package mutate

import (
	"math/bits"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// A mutator is one way of changing an input, in the buffer that it is given.
type mutator struct {
	name   string
	weight int // how often it is drawn
	change func(input []byte) []byte
}

// havoc makes mutants by several changes on top of each other, and counts what
// mutants with each of them have found.
type havoc struct {
	rng      *RNG
	mutators []mutator
	total    int       // weight
	brought  []brought // by each mutator
	used     uint      // mask of the mutators of the mutant in hand; 0 if it is none

	parent, other *Parent // of the mutant in hand
	exchange      exchange
}

// brought is the runs of mutants and how many of them were finds.
type brought struct{ execs, finds uint64 }

// maxChanges bounds the changes of one mutant.
const maxChanges = 16

// begin takes the mutators; there are at most as many as bits in a word.
func (h *havoc) begin(mutators []mutator) {
	h.mutators, h.brought, h.total = mutators, make([]brought, len(mutators)), 0
	for _, m := range mutators {
		h.total += m.weight
	}
}

// stack makes one to sixteen changes. Before each of them ready has the say,
// which sees to it that there is something to change.
func (h *havoc) stack(input []byte, parent, other *Parent, ready func([]byte) []byte) []byte {
	h.parent, h.other, h.used = parent, other, 0
	for n := 1 << uint(h.rng.Intn(bits.Len(maxChanges))); n > 0; n-- {
		i := h.draw()
		h.used |= 1 << uint(i)
		input = h.mutators[i].change(ready(input))
	}
	return input
}

func (h *havoc) draw() int {
	n := h.rng.Intn(h.total)
	for i, m := range h.mutators {
		if n -= m.weight; n < 0 {
			return i
		}
	}
	return 0
}

// Credit counts a run of the mutant in hand, for all that have made it.
func (h *havoc) Credit(found bool) {
	for mask := h.used; mask != 0; mask &= mask - 1 {
		b := &h.brought[bits.TrailingZeros(mask)]
		b.execs++
		if found {
			b.finds++
		}
	}
}

// AppendNames appends the names of the mutators that have made the mutant in
// hand, each once.
func (h *havoc) AppendNames(to []byte) []byte {
	for mask := h.used; mask != 0; mask &= mask - 1 {
		if mask != h.used {
			to = append(to, '+')
		}
		to = append(to, h.mutators[bits.TrailingZeros(mask)].name...)
	}
	return to
}

// Mixture is the mutators and what each has brought.
func (h *havoc) Mixture() []wire.Arm {
	list := make([]wire.Arm, len(h.mutators))
	for i, m := range h.mutators {
		b := h.brought[i]
		list[i] = wire.Arm{Name: m.name, Share: float64(m.weight) / float64(h.total), Execs: b.execs, Finds: b.finds}
	}
	return list
}
