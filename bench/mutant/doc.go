// Package mutant brings faults back into a module: rules in a text file, each
// a few replacements in the source, applied to a copy before it is built.
//
//	mutant H01-readindex-before-term-commit
//	# lacks: what a harness would need to notice it
//	file raft.go
//	find "if !r.committedEntryInCurrentTerm() {\n\t\t\tr.pending"
//	replace "if false {\n\t\t\tr.pending"
//
// A line is empty, a comment that begins with #, or a word and its argument.
// A mutant has one triple of file, find and replace or more, in this order. The path is relative to
// the root of the module, with slashes; the two strings are quoted as in Go,
// in double quotes or in back quotes. What is to be found must be in the file
// exactly once, after the edits before it: a rule that no longer fits, or fits
// twice, would measure another fault than its name says.
//
// A comment "# lacks: WHAT" directly behind the name marks a mutant that the
// harness cannot kill, with the reason. To any other reader it is a comment.
package mutant
