// Package mutate makes inputs: fresh ones, continued ones and mutants of those
// that there are. It decides nothing about which of them to run, and it knows
// what a harness has declared of its inputs, and nothing of what a run tells.
//
// A harness that declares a layout (ijon.Schedule) gets schedules: a header
// and events of fixed width. They are made by random kinds with swarm weights
// (Groce, Zhang, Eide, Chen, Regehr, "Swarm testing", ISSTA 2012), drawn anew
// for each run. Other inputs are mere bytes.
//
// A mutant is one to sixteen changes on top of each other. A schedule is
// changed by whole events or within one: events are inserted, deleted, repeated,
// swapped, moved in time and grown at the end; a window of another schedule is
// spliced in, mostly one that ends where that one came to something new, or the
// rest of it taken over; and a window is retargeted, in which two nodes change
// places in every event, if the harness says what the fields of its kinds pick
// (ijon.Kind.Fields). Bytes are changed as AFL++ does. What an input lacks of
// its header or last record is zero.
//
// Where annotations compare (cmp, dist, strdist, sometimes), the run of a parent
// tells what with what, and mutants have one of them in the place of the
// other: REDQUEEN's input-to-state correspondence (NDSS 2019).
//
// The constants that the code compares with, and the words of the user's
// dictionary, are put over or between bytes; in a schedule over the fields of an
// event, as far as they are short enough.
//
// Each change has a fixed weight. Weights that follow what each has brought were
// tried on etcd/raft and on small targets, and so were continuations of the
// archive that begin with what led another schedule to something new: neither
// was better than noise.
//
// Everything is drawn from one [RNG], and nothing allocates once a [Maker] is
// made.
//
// The package is compiled into the target: it imports std only and keeps to
// the syntax of Go 1.17.
package mutate
