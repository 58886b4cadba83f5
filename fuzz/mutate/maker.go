package mutate

import (
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A Maker makes inputs. It appends to and changes the buffer that it is
// given, which has room for the longest input, so that it does not allocate.
//
// A unit is an event of a schedule, or a byte of an input without a layout.
type Maker interface {
	// Lengths are the sizes of a fresh input, in units, between which the
	// search chooses.
	Lengths() []int
	// Fresh is a random input of n units in buf.
	Fresh(buf []byte, n int) []byte
	// Extend continues input in a new way.
	Extend(input []byte) []byte
	// Limit is the size from which on there is no room to extend.
	Limit() int
	// Grow appends n random units to input, as far as there is room.
	Grow(input []byte, n int) []byte
	// Mutate changes input, a copy of parent, perhaps with parts of other.
	Mutate(input []byte, parent, other *Parent) []byte
	// Credit counts a run of the input that was made last.
	Credit(found bool)
	// AppendNames appends how the mutant in hand was made; nothing if there is none.
	AppendNames(to []byte) []byte
	// Mixture is the mutators and what each has brought.
	Mixture() []wire.Arm
	// Units is the size of input.
	Units(input []byte) int
	// Prefix is the start of input with n units; the whole one for an input
	// that has no prefixes.
	Prefix(input []byte, n int) []byte
	// Cost is what a run of n units costs, in units. It stands for time but
	// must be the same on every machine.
	Cost(n int) float64
}

// New is the maker for the layout that the harness has declared.
func New(r *RNG, l ijon.Layout, maxLen int, v Vocabulary) Maker {
	if maxLen <= 0 || maxLen > wire.MaxInput {
		maxLen = wire.MaxInput
	}
	if l.Record > 0 {
		return newScheduler(r, l, maxLen, v)
	}
	return newScribe(r, maxLen, v)
}

// open makes a gap of n bytes at position at. The caller has seen to it that
// there is room.
func open(buf []byte, at, n int) []byte {
	end := len(buf)
	buf = buf[:end+n]
	copy(buf[at+n:], buf[at:end])
	return buf
}

// remove closes the n bytes at position at.
func remove(buf []byte, at, n int) []byte {
	copy(buf[at:], buf[at+n:])
	return buf[:len(buf)-n]
}

// least is the smaller one.
func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}
