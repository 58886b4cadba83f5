// Package ijongo holds the sources that an instrumented copy needs beside the
// user's own: they are written into the copy, so that building it downloads
// nothing.
package ijongo

import "embed"

// Target is the source of the packages that run in the target process.
//
//go:embed runtime/*.go fuzz/*.go fuzz/mutate/*.go fuzz/wire/*.go fuzz/args/*.go fuzz/corpus/*.go sim/*.go
var Target embed.FS
