package ijon

// The rewriter replaces this file in an instrumented copy.

// numCounters is the number of edge counters of the program.
const numCounters = 0

// injected lists the annotations of the program, indexed by ID.
var injected = []Annotation{}
