package ijon

import "github.com/ijongo/ijongo/runtime/afl"

// A tool of AFL++ is served before anything else of the program begins. Only
// an instrumented program is a target: this package is also in the mutator
// that afl-fuzz loads.
func init() {
	if counterSize == 1 && modulePath != "" {
		afl.Start(afl.Program{Cov: covBytes(), First: CovBase, Counters: numCounters, Words: dictionary,
			Plain: !declares && len(injected)+len(injectedGroups) == 0})
	}
}
