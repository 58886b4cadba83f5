package annot

// Groups tells the group of every point, cross, trans and seq of a file: the
// one that G. names, else the nearest group before it in the same statement
// list of the same function, of which the function's doc comment is the
// beginning. A point or trans on a field that names no group is missing from
// the result: it belongs to a group that its type has for itself. So is one
// that belongs to none, which is an error.
func Groups(placed []*Placed) (of map[*Directive]string, errs Errors) {
	return nil, nil
}

// Groups does for the lines below a package line what the function Groups
// does for a file: a line that names no group belongs to the nearest line with
// a group above it. A watch that names none is missing from the result.
func (p *SidecarPackage) Groups() (of map[*Directive]string, errs Errors) {
	return nil, nil
}
