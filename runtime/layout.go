package ijon

// The rewriter replaces this file in an instrumented copy.

const (
	modulePath   = "" // of the main module
	manifestHash = "" // first 16 hex digits of sha256 over manifest.json
)

// numCounters is the number of edge counters of the program.
const numCounters = 0

// declares tells whether code of the program uses this package by itself.
const declares = true

// injected lists the annotations of the program, indexed by ID.
var injected = []Annotation{}

// injectedGroups lists the groups of the program, as SampleGroup counts them.
var injectedGroups = []GroupSpec{}

// dictionary lists the constants that the code compares with.
var dictionary = []string{}
