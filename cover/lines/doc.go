// Package lines writes the edges of a coverage profile in the formats that
// tools for line coverage read: LCOV's tracefile and Cobertura's XML.
//
// What these formats can say is less than what a profile knows, and is this: a
// function is entered as often as the edge of its entry is taken, or where that
// has no counter of its own, as often as the edge that was taken most; the ways out of an
// if, a switch, a select and a loop, and the right sides of && and ||, are
// branches of the line that they are on; and a line on which edges are was
// reached as often as the one that was taken most. Lines without an edge are
// reached when the edge before them is, and are in neither format. Bins are
// not in them.
package lines
