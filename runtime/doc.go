// Package ijon is what instrumented code calls and what an engine reads.
//
// A rewritten program counts edges in [Cov], one byte each at a constant
// index, and reports protocol state through the annotation calls: [MaxInt],
// [Set], [Cover], [Always] and their siblings. A harness uses the same calls
// for what only it can see; [Declare] gives it an [ID] to call them with.
//
// The feedback is kept in separate channels, because one queue for all of
// them lets the loud ones starve the quiet ones:
//
//   - edges, [Counters]: hit counts, not cleared by the target;
//   - cells, [Run.Cells]: hashed values of set and inc, and steps of state;
//   - pairs, [Run.Pairs]: two set annotations holding two values at the same
//     event, the archive's features where no cross is declared;
//   - slots, [Run.Slots]: the best value of each max-like annotation and by key;
//   - bins, [Run.Bins]: the properties: how often evaluated, how often true.
//
// Without an engine every call is inert: one load and one branch. The two
// exceptions are [Always], which panics on a false condition in any program,
// and [Unreachable].
//
// # Concurrency
//
// Annotation calls may come from any goroutine; they do not allocate, and but
// for those of ctx take no lock. What ctx, xor and action say holds for the
// run, whatever the goroutine. Edge counters are plain increments: two goroutines may lose a
// count to each other, never more than that. [Begin], [Step], [Node] and
// [Seed] belong to the goroutine that drives the run.
//
// # Restrictions
//
// The package is copied into instrumented modules with their own, possibly
// old, go directive: it uses Go 1.17 syntax, imports std only, and nothing
// that it imports can be instrumented.
package ijon
