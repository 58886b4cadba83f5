package cover

import "slices"

// A Change is a bin that is not what it was.
type Change struct {
	Kind string // one of the changes
	Item *Item  // as it is, or for what is gone as it was
	Bin  *Bin   // likewise
	Was  uint64 // hits
	Is   uint64 // hits
}

// The kinds of change.
const (
	Lost     = "lost"     // was covered, and is a hole
	Gained   = "gained"   // was a hole, and is covered
	Violated = "violated" // must not be hit, was not, and is
	Gone     = "gone"     // there is no such bin any more
	New      = "new"      // there was no such bin
)

// Diff lists how bins changed from one profile to another. Bins are the same
// as they are for Merge. Counts that change nothing are not listed.
func Diff(from, to *Profile) (list []Change) {
	was := newFinder(from)
	for k, i := range to.Items {
		at, ok := was.item(k, i)
		for j := range i.Bins {
			b := &i.Bins[j]
			n := 0
			if ok {
				n = was.bin(at, j, b.Name)
			}
			if !ok || n == len(from.Items[at].Bins) {
				if b.Kind != Info {
					list = append(list, Change{New, i, b, 0, b.Hits})
				}
			} else if old := &from.Items[at].Bins[n]; change(from.Items[at], old, i, b) != "" {
				list = append(list, Change{change(from.Items[at], old, i, b), i, b, old.Hits, b.Hits})
			}
		}
	}
	return append(list, gone(from, to)...)
}

// change is what happened to a bin of both profiles; empty for nothing.
func change(wasOf *Item, was *Bin, isOf *Item, is *Bin) string {
	switch {
	case wasOf.Covered(was) && isOf.Hole(is):
		return Lost
	case wasOf.Hole(was) && isOf.Covered(is):
		return Gained
	case is.Kind == Never && is.Hits > 0 && was.Hits == 0:
		return Violated
	}
	return ""
}

// gone lists the bins that only the first profile has.
func gone(from, to *Profile) (list []Change) {
	is := newFinder(to)
	for k, i := range from.Items {
		at, ok := is.item(k, i)
		for j := range i.Bins {
			b := &i.Bins[j]
			if b.Kind != Info && (!ok || is.bin(at, j, b.Name) == len(to.Items[at].Bins)) {
				list = append(list, Change{Gone, i, b, b.Hits, 0})
			}
		}
	}
	return list
}

// A FuncChange is a function whose edges are covered otherwise than they were.
type FuncChange struct {
	Package, Func string
	Was, Is       int // edges taken
	Of            int // edges that it has, or had if it is gone
}

// DiffEdges lists the functions that differ in how many edges were taken.
func DiffEdges(from, to *Profile) (list []FuncChange) {
	was, is := byFunction(from.Edges), byFunction(to.Edges)
	for _, e := range slices.Concat(to.Edges, from.Edges) {
		name := e.Package + "." + e.Func
		before, now := EdgeScore(was[name]), EdgeScore(is[name])
		delete(was, name)
		delete(is, name)
		if before.Covered == now.Covered {
			continue
		}
		of := now.Goals
		if of == 0 {
			of = before.Goals
		}
		list = append(list, FuncChange{e.Package, e.Func, before.Covered, now.Covered, of})
	}
	return list
}
