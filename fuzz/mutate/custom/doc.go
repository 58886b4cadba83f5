// Package custom makes inputs for another fuzzer, which keeps the queue and
// decides what to run: it is what AFL++ calls a custom mutator. Its inputs are
// those of package mutate, for the layout of one harness. What the search of
// package fuzz knows besides, such as which event of an input brought something
// new and what annotations compared, is not known here.
//
// Package library beside it is the shared object that afl-fuzz loads. It is C by
// its interface, so it needs cgo, and is built by ijongo mutator alone, with the
// layout of a target: nothing else of this project has to do with C.
//
// Both keep to the syntax of Go 1.17, as what is compiled into a target does,
// for they are built by the user's go command as well. An input is made without
// an allocation, so the library never collects.
package custom
