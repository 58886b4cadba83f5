//go:build !ijongo_counts
// +build !ijongo_counts

package ijon

import "unsafe"

// A Counter counts how often an edge was taken, wrapping at 256. In a copy that
// is made to measure coverage, cov_counts.go takes the place of this file.
type Counter = byte

// CovBase is the index in Cov of counter 0. The page before it and the page
// behind the counters let an engine map shared memory over the whole pages
// in between without touching a neighbour.
const CovBase = 4096

// Cov holds the edge counters of the program: counter i is Cov[CovBase+i].
// Rewritten packages reach it by linkname, so that an increment is a constant
// address: no pointer load and no bounds check.
var Cov [CovBase + (numCounters+63)/64*64 + CovBase]Counter

// Counters returns the edge counters, one byte each. An engine clears them
// before a run.
func Counters() []byte { return Cov[CovBase : CovBase+numCounters] }

const counterSize = 1 // bytes

// covBytes is Cov as memory.
func covBytes() []byte { return (*[unsafe.Sizeof(Cov)]byte)(unsafe.Pointer(&Cov))[:] }
