// Package cover is the model of functional coverage, on the side of those who
// read it: what there is to cover, what was covered, and what was not.
//
// A [Profile] holds items, and each item has bins: a coverpoint the classes of
// its values, a cross their products, transitions and sequences what follows
// what, and a property, such as sometimes, the outcomes it must have. Bins
// that nothing has hit are in a profile too, so that holes are visible. The
// edges of the control flow graph are kept beside the items and never counted
// together with them: an edge says that code was reached, a bin that a
// situation was.
//
// # What counts
//
// A bin is a goal unless its kind says otherwise: a hit of a never bin fails
// the run, and an info bin is only counted. A goal is covered once it has as
// many hits as its item's AtLeast. The percentage of an item is the share of
// its goals that are covered. That of a group, of a package and of all is the
// mean of its items' percentages by weight, as it is for covergroups in IEEE
// 1800, so that a cross of a thousand bins does not drown a coverpoint of
// three. An item without goals takes no part in it.
package cover
