// Package ijongo holds the sources that an instrumented copy needs beside the
// user's own: they are written into the copy, so that building it downloads
// nothing.
package ijongo

import "embed"

// Target is the source of the packages that run in the target process.
//
//go:embed runtime/*.go runtime/afl/*.go fuzz/*.go fuzz/mutate/*.go fuzz/wire/*.go fuzz/args/*.go fuzz/corpus/*.go sim/*.go
var Target embed.FS

// Mutator is the source of the mutator that afl-fuzz loads, all of it.
//
//go:embed runtime/*.go runtime/afl/*.go fuzz/mutate/*.go fuzz/wire/*.go fuzz/mutate/custom/*.go
//go:embed fuzz/mutate/custom/library/main.go fuzz/mutate/custom/library/layout.json
var Mutator embed.FS
