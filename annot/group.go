package annot

import (
	"go/ast"
	"slices"
)

// Groups tells the group of every point, cross, trans and seq of a file: the
// one that G. names, else the nearest group before it in the same statement
// list of the same function, of which the function's doc comment is the
// beginning. A point or trans on a field that names no group is missing from
// the result: it belongs to a group that its type has for itself. So is one
// that belongs to none, which is an error.
func Groups(placed []*Placed) (of map[*Directive]string, errs Errors) {
	r := newGrouping()
	nearest := map[ast.Node]string{} // by statement list
	for _, p := range placed {
		switch {
		case p.Verb == Group:
			nearest[p.Block] = p.Name
		case p.Verb.Member():
			r.add(p.Directive, nearest[p.Block], p.Place == OnField)
		}
	}
	return r.of, r.errs
}

// Groups does for the lines below a package line what the function Groups
// does for a file: a line that names no group belongs to the nearest line with
// a group above it. A watch that names none is missing from the result.
func (p *SidecarPackage) Groups() (of map[*Directive]string, errs Errors) {
	r := newGrouping()
	lines := p.Directives()
	watches := lines[len(lines)-len(p.Watches):]
	lines = slices.Clone(lines)
	slices.SortFunc(lines, func(a, b *Directive) int { return a.Pos.Offset - b.Pos.Offset })
	nearest := ""
	for _, d := range lines {
		switch {
		case d.Verb == Group:
			nearest = d.Name
		case d.Verb.Member():
			r.add(d, nearest, slices.Contains(watches, d))
		}
	}
	return r.of, r.errs
}

type grouping struct {
	of   map[*Directive]string
	errs Errors
}

func newGrouping() *grouping { return &grouping{of: map[*Directive]string{}} }

// add notes the group of d, for which nearest is the group before it, if any.
func (r *grouping) add(d *Directive, nearest string, watch bool) {
	switch {
	case d.Group != "":
		r.of[d] = d.Group
	case watch:
	case nearest != "":
		r.of[d] = nearest
	default:
		name := d.Name
		if name == "" { // a cross
			name = "C = …"
		}
		r.errs = append(r.errs, &Error{Pos: d.Pos, Msg: string(d.Verb) + " belongs to no group", Hint: "write group G above it, or " + string(d.Verb) + " G." + name})
	}
}
