// Package ijon is what instrumented code calls and what an engine reads.
//
// A rewritten program counts edges in [Cov], at a constant index, and reports
// protocol state through the annotation calls: [MaxInt], [Set], [Cover],
// [Always], [SampleGroup] and their siblings. A harness uses the same calls for
// what only it can see; [Declare] gives it an [ID] to call them with, and
// [DeclareGroup] a [Group] to sample.
//
// The feedback is kept in separate channels, because one queue for all of
// them lets the loud ones starve the quiet ones:
//
//   - edges, [Counters]: hit counts, not cleared by the target;
//   - cells, [Run.Cells]: hashed values of set and inc, and steps of state;
//   - pairs, [Run.Pairs]: two set annotations holding two values at the same
//     event, the archive's features where no cross is declared;
//   - slots, [Run.Slots]: the best value of each max-like annotation and by key;
//   - bins, [Run.Covered] and [Run.BinHits]: functional coverage.
//
// Without an engine every call is inert: one load and one branch. The
// exceptions are [Always], which panics on a false condition in any program,
// [Unreachable], and what IJONGO_COVERDIR asks for.
//
// # Functional coverage
//
// Everything with bins is an [Item]: the properties (cover, always, sometimes,
// maybe, reachable, unreachable), and the points, crosses, transitions and
// sequences of covergroups. [Items] lists them before the first run, so that
// what is never hit is visible as a hole; all bins of the program are numbered
// in that order, and each has one counter.
//
// What a group does with a sample is decided when it is declared: points and
// crosses are tables, so are transitions between two bins, and longer ones and
// sequences are nondeterministic automata in the bits of a word. A group that
// has any of the latter, or a cross of two instances, remembers the state of
// at most 256 instances; one more takes the place of one that was not sampled
// for long, and which begins anew should it come again. All of that is
// allocated at the declaration.
//
// # Coverage without an engine
//
// With IJONGO_COVERDIR=D in its environment, and no engine, a process counts in
// files in D, PID-RANDOM with these suffixes:
//
//	.json   a [Description]: all items and what was instrumented, written anew
//	        when something is declared
//	.bins   hits of each bin, uint64
//	.first  for each bin uint32: the test, counting from 1, during which it was
//	        hit first; 0 before the first test, or never
//	.tests  the names of the tests in the order in which they started, a line each
//	.edges  how often each edge was taken, uint32, from byte EdgesAt of the
//	        description on; only of a copy that is made to count (cov_counts.go)
//
// All numbers are little-endian. The files are memory of the process, so that
// they are right whatever ends it, a kill included. A process that cannot write
// them says so and ends with code 2. The folder must exist. This works on linux
// and darwin, on 64-bit machines of which a page of memory has at most 16 KiB.
//
// # Concurrency
//
// Annotation calls may come from any goroutine; they do not allocate, and but
// for those of ctx, of groups with instances, under an engine of any group, and
// of comparisons whose operands an engine wants ([NoteOperands]), take no lock.
// What ctx, xor and action say holds for the run, whatever the goroutine. Edge counters are
// plain increments: two goroutines may lose a count to each other, never more
// than that; bins lose none. [Begin], [Step], [Node] and [Seed] belong to the
// goroutine that drives the run.
//
// # What is not sound
//
// Successive samples of an instance are in the order in which they get to its
// group. If several goroutines sample one instance, transitions and sequences
// that this order makes up are counted.
//
// [StartTest] makes all groups forget their instances. With tests that run in
// parallel it does so in the middle of others: transitions, sequences and
// crosses of two instances are then missed, and instances with the same key in
// two tests are one, so that transitions may be counted that no instance made.
// A first hit is put down to the test that started last. Hits of points, crosses
// of one instance and properties are right even so. Run tests with -parallel 1
// where it matters. What a test that is over leaves running counts for the next
// one, as what a run leaves running does.
//
// # Restrictions
//
// The package is copied into instrumented modules with their own, possibly
// old, go directive: it uses Go 1.17 syntax, imports std only, and nothing
// that it imports can be instrumented.
package ijon
