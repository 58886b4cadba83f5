// Package report writes a profile as one HTML file that needs nothing else:
// no server, no network, and no JavaScript to be complete.
//
// # What is on the page
//
// The holes come first, each with the nearest input that is known and the
// command that runs it. Then the failures and the growth of the campaign, the
// packages with their groups, points and bins, and the source with counts in
// its margin. A cross is a heat map, transitions are a matrix and a diagram.
//
// # How it is made
//
// Go computes everything: the text, the layout of the diagrams, the polylines
// of the charts. The document that comes out of html/template is the whole
// report. Its script only adds what a document cannot do: search, keys,
// other axes of a cross, charts that can be read off. It reads what it needs
// out of the document.
//
// Names in a profile come from the code under test and are hostile: they pass
// through html/template, and the page forbids, in a Content-Security-Policy,
// every script but its own two (by their hash) and every request.
//
// # What keeps it fast
//
// A bin is one table row. What is folded away or out of sight is not laid
// out (content-visibility), heat maps of more than two axes are built when
// they are looked at, and the source of a file is two blocks of text and not
// a row for each line.
package report
