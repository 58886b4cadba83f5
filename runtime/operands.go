package ijon

import (
	"math"
	"sync"
	"sync/atomic"
)

const (
	maxOperands = 64 // pairs of a run
	maxPairs    = 8  // pairs of an annotation in a run: the first ones and the last
	maxText     = 64 // bytes of a string that are kept
)

// Operands are two values that a cmp, dist, strdist or sometimes has compared
// in a run, and that were not equal.
type Operands struct {
	ID           ID
	Text         bool   // they are strings
	A, B         uint64 // as 64 bits; a float64 as its IEEE 754 bits
	TextA, TextB Text
}

// A Text is the start of a compared string.
type Text struct {
	size  int
	bytes [maxText]byte
}

// Bytes is the text; it is part of t.
func (t *Text) Bytes() []byte { return t.bytes[:t.size] }

// operands is what the run has compared. Noting it takes a lock, and happens
// only in the few runs of which an engine wants to know it.
var operands struct {
	wanted uint32 // atomic
	sync.Mutex
	n    int
	list [maxOperands]Operands
}

// NoteOperands says whether the runs that follow are to note what annotations
// compare.
func NoteOperands(wanted bool) {
	var word uint32
	if wanted {
		word = 1
	}
	atomic.StoreUint32(&operands.wanted, word)
}

func comparing() bool { return atomic.LoadUint32(&operands.wanted) != 0 }

func clearOperands() {
	operands.Lock()
	operands.n = 0
	operands.Unlock()
}

// Operands appends what the run has compared, if that was noted.
func (Run) Operands(buf []Operands) []Operands {
	operands.Lock()
	defer operands.Unlock()
	return append(buf, operands.list[:operands.n]...)
}

// Compared notes that an annotation compares two integers.
func Compared(id ID, a, b uint64) {
	if on && a != b && comparing() {
		noteOperands(&Operands{ID: id, A: a, B: b})
	}
}

func comparedFloats(id ID, a, b float64) { Compared(id, math.Float64bits(a), math.Float64bits(b)) }

func comparedStrings(id ID, a, b string) {
	if a == b || !comparing() {
		return
	}
	o := Operands{ID: id, Text: true}
	o.TextA.size, o.TextB.size = copy(o.TextA.bytes[:], a), copy(o.TextB.bytes[:], b)
	noteOperands(&o)
}

func comparedBytes(id ID, a, b []byte) {
	if string(a) == string(b) || !comparing() {
		return
	}
	o := Operands{ID: id, Text: true}
	o.TextA.size, o.TextB.size = copy(o.TextA.bytes[:], a), copy(o.TextB.bytes[:], b)
	noteOperands(&o)
}

// noteOperands keeps a pair that is not there yet. An annotation that has all
// its pairs loses the last one.
func noteOperands(o *Operands) {
	operands.Lock()
	defer operands.Unlock()
	at, same := operands.n, 0
	for i := range operands.list[:operands.n] {
		old := &operands.list[i]
		if old.ID != o.ID {
			continue
		}
		if *old == *o {
			return
		}
		if same++; same == maxPairs {
			at = i
		}
	}
	if at == maxOperands {
		return
	}
	operands.list[at] = *o
	if at == operands.n {
		operands.n++
	}
}
