//go:build !ijongo_counts
// +build !ijongo_counts

package ijon

// A Counter counts how often an edge was taken, wrapping at 256. In a copy that
// is made to measure coverage, cov_counts.go takes the place of this file.
type Counter = byte

// CovBase is the index in Cov of counter 0. The page before it and the page
// behind the counters let an engine map shared memory over the whole pages
// in between without touching a neighbour.
const CovBase = 4096

// Counters returns the edge counters, one byte each. An engine clears them
// before a run.
func Counters() []byte { return Cov[CovBase : CovBase+numCounters] }

const counterSize = 1 // bytes
