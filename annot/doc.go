// Package annot is the annotation language: it turns directives in Go
// comments and sidecar files into [Directive] values with the place where they
// take effect, or into errors with positions.
//
// A directive is the line comment //ijon:VERB …, or the same as a block
// comment on one line. It is the whole comment: there is no comment inside a
// directive. Everything is worked out from the comments of the syntax tree and
// from the source bytes, never from the text of ast.Comment, which has lost its
// carriage returns, so strings, struct tags and C code are never mistaken for
// directives and every offset and column counts bytes of the file.
//
// # What is sound
//
// A comment that has the form of a directive is placed or reported, never
// dropped. A placed directive can be inserted at its offset, on the line
// where the comment stands, and the result is valid Go; [Placed.Insertion]
// gives the text. Nothing is ever placed between a label and its loop, behind a
// terminating statement or fallthrough, or before the first case.
//
// # What is not
//
// The package knows syntax, not types. It rejects what cannot be free of side
// effects by its syntax alone (assignment, send, receive, func literal);
// names, types and calls are checked where they stand by package rewrite. A
// call of a function that shadows panic is taken for the built-in one: a
// directive behind it is reported as unreachable although it is not.
// Names of groups, points and bins are read and not looked up: [Groups] only
// finds the group that a directive without one belongs to.
// A near miss, a comment that was probably meant as a directive, is a warning;
// where the comment could as well be prose ("// ijon: a tool") it is only one
// if the rest of it parses as a directive.
package annot
