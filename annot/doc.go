// Package annot is the annotation language: it turns the text of directives
// and of sidecar files into [Directive] values, or into errors with positions.
//
// It knows syntax and placement, not types: expressions are parsed by
// go/parser and checked where they stand by package rewrite.
package annot
