// Package build makes a target out of a package: it finds the fuzz function,
// has the module instrumented into a copy and the copy's test binary built.
//
// Copy and binary live in one folder and are made again only when something
// that goes into them has changed: a source file of the package or of what it
// imports, an annotation file, a setting, the go command or ijongo itself.
// The folder is a cache. It may be deleted at any time.
package build
