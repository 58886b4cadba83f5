//go:build !race
// +build !race

package ijon

import "unsafe"

// Counts is the memory of the edge counters. With the race detector it is a
// pointer, which is indexed in the same way.
type Counts = [CovBase + (numCounters+63)/64*64 + CovBase]Counter

// Cov holds the edge counters of the program: counter i is Cov[CovBase+i].
// Rewritten packages reach it by linkname, so that an increment is a constant
// address: no pointer load and no bounds check.
var Cov Counts

// covBytes is Cov as memory.
func covBytes() []byte { return (*[unsafe.Sizeof(Cov)]byte)(unsafe.Pointer(&Cov))[:] }
