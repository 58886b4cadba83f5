//go:build ijongo_counts
// +build ijongo_counts

package ijon

// A Counter counts how often an edge was taken; it does not wrap in practice.
type Counter = uint32

// CovBase is the index in Cov of counter 0. The 16 KiB before it and behind
// the counters let a file be mapped over the whole pages in between without
// touching a neighbour.
const CovBase = 4096

// Counters is empty: the counters of this copy are for coverage, and an
// engine that wants bytes is not guided by edges.
func Counters() []byte { return nil }

const counterSize = 4 // bytes
