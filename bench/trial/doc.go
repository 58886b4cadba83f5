// Package trial plays the campaigns of the benchmark: one of an [Arm], which
// is a way of searching, on a [Subject], which is etcd/raft as it is or with a
// fault brought back. What it came to is a [Cell].
//
// Every campaign is one worker, from nothing, and ends at its first confirmed
// failure or when its budget is used up. The budget is in eq, [Eq] events that
// were played: all that the worker plays counts, second runs to check a find
// and prefixes that are replayed too, and not what is loaded from a snapshot
// instead. CPU is what the kernel has booked on the worker's processes, from
// their start. What the campaign itself does, such as confirming a failure in
// a process of its own, is in neither. The confirmation in the worker comes
// after the find.
//
// What a campaign finds of a fault is run again on the harness with the module as
// it is ([Control]). If that fails by the same oracle it is no find.
//
// The subject is built once for each set of sidecars: a copy of
// the module from the module cache, with the fault applied, and a copy of the
// example whose go.mod replaces the module by that copy.
package trial
