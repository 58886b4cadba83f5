// Package corpus keeps inputs in a folder, one file an entry.
//
// An entry's file holds the bytes of the input and nothing else, and is named
// by the first 16 hex digits of their SHA-256: equal inputs are one file, two
// campaigns that find the same inputs have the same folder, and a file whose
// content has changed is known by its name.
//
// A file appears under its name by a rename, complete. A writer that is
// killed leaves at most a temporary file, which begins with a dot and never
// loads; [Sweep] removes it. Nothing is flushed to the disk by force: what a
// power failure tears is reported by [Load] as bad, and costs that entry.
//
// Files with other names are the user's own seeds and are never written to.
package corpus
