//go:build race
// +build race

package ijon

import "unsafe"

// Counts is where the edge counters are. Increments are not atomic, and the
// race detector would report them: it watches the memory of variables and of
// Go's heap, and no other.
type Counts = *[CovBase + (numCounters+63)/64*64 + CovBase]Counter

// Cov points to the edge counters of the program: counter i is Cov[CovBase+i].
var Cov = unwatched()

// unwatched is memory that the race detector does not watch, or ordinary
// memory on systems for which none can be reserved.
func unwatched() Counts {
	var c Counts
	mem, err := reserve(int(unsafe.Sizeof(*c)))
	if err != nil {
		return new([len(c)]Counter)
	}
	return Counts(unsafe.Pointer(&mem[0]))
}

// covBytes is the memory that Cov points to.
func covBytes() []byte { return (*[unsafe.Sizeof(*Cov)]byte)(unsafe.Pointer(Cov))[:] }
