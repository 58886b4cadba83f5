package rewrite

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/ijongo/ijongo/annot"
)

// placeOwn makes the places of a type's own group: the writes to each watched
// field.
func (r *resolver) placeOwn() {
	for _, m := range r.g.members {
		if slices.ContainsFunc(r.g.places, func(at *place) bool { return sameField(at.watched, m.field) }) {
			continue
		}
		at, recv := r.prog.watchSpot(*m.field)
		r.g.places = append(r.g.places, &place{
			spot: at, when: "write", from: m.Pos, watched: m.field, owner: recv,
			put: func(stmt string) { r.prog.addWatch(*m.field, recv, m.Pos, stmt) },
		})
	}
}

func sameField(a, b *watched) bool {
	return a.spec == b.spec && slices.Equal(a.fields, b.fields)
}

// keyed is the member whose clause by tells the instances of a type's own
// group apart, or nil: then each struct is one.
func (r *resolver) keyed() (by *member) {
	for _, m := range r.g.members {
		switch {
		case m.By == nil:
		case by == nil:
			by = m
		case by.By.Text != m.By.Text:
			r.failAt(m.By.Pos, "write the same on all fields of the type", "the instances of %s are told apart by %s already", r.g.name, by.By.Text)
		}
	}
	return by
}

// ownInstance is the key of a type's own group.
func (r *resolver) ownInstance(at *place, by *member) {
	if by == nil {
		r.g.object, r.g.spec.By, at.by = true, at.owner, at.owner
		return
	}
	e, err := r.qualified(by, by.By, at)
	if err != nil {
		r.errs = append(r.errs, err)
		return
	}
	b := r.builder(at, by.Directive)
	at.by = r.instance(b, e)
	r.g.spec.By = by.By.Text
	at.keyed, at.wild = b.taken(), b.wild
	r.take(b, at)
}

// refused says why a field cannot be watched.
func (w *watched) refused(d *annot.Directive) annot.Errors {
	name := w.spec.Name.Name
	fault := func(msg, hint string) annot.Errors {
		return annot.Errors{{Pos: d.Pos, Msg: msg, Hint: hint}}
	}
	switch {
	case w.file.cgo != nil:
		return fault("a type of a file that uses cgo cannot be watched", "move the type to another file")
	case w.spec.TypeParams != nil:
		return fault(fmt.Sprintf("%s has type parameters: its fields cannot be watched", name), "annotate the writes")
	case w.spec.Assign.IsValid():
		return fault(fmt.Sprintf("%s is an alias", name), "annotate the writes")
	}
	if w.object() == nil {
		return fault(fmt.Sprintf("%s is not a type of the package", name), "")
	}
	return nil
}

// object is the type, or nil when it is none of the package.
func (w *watched) object() *types.TypeName {
	obj, _ := w.file.pkg.Types.Scope().Lookup(w.spec.Name.Name).(*types.TypeName)
	return obj
}

// fieldNames tells which names are fields of the struct.
func (w *watched) fieldNames() func(string) bool {
	st, _ := w.object().Type().Underlying().(*types.Struct)
	return func(name string) bool {
		if st == nil || name == "_" {
			return false
		}
		for f := range st.Fields() {
			if f.Name() == name {
				return true
			}
		}
		return false
	}
}

// qualified is an expression of a member on a field with the fields of the
// struct as selections from its owner. Elsewhere it is what it is.
func (r *resolver) qualified(m *member, e *annot.Expr, at *place) (*annot.Expr, *annot.Error) {
	if m.field == nil {
		return e, nil
	}
	owner, fault := r.owner(m, at)
	if fault == nil && at.owner != "" {
		fault = wholeIn(e, owner)
	}
	if fault != nil {
		return nil, fault
	}
	q, err := e.Qualify(owner, m.field.fieldNames())
	if err != nil {
		return nil, &annot.Error{Pos: e.Pos, Msg: err.Error()}
	}
	return q, nil
}

// watchSpot is a scope of its own, at a place that no other has, in which the
// receiver is a variable: what is selected from it cannot be nil.
func (prog *program) watchSpot(w watched) (at spot, recv string) {
	p, name := w.file.pkg, w.spec.Name.Name
	recv = p.receiver(name)
	pos := w.body.Fields.Closing
	scope := types.NewScope(p.TypesInfo.Scopes[w.file.ast], pos, pos+1, "watch")
	scope.Insert(types.NewVar(token.NoPos, p.Types, recv, w.object().Type()))
	return spot{file: w.file, fn: name + "." + w.fields[0], pos: pos}, recv
}

// addWatch adds a function that the writes to the fields call.
func (prog *program) addWatch(w watched, recv string, pos token.Position, stmt string) {
	p := w.file.pkg
	watch := &watch{pkg: p, typ: w.spec.Name.Name, fields: map[string]bool{}, pos: pos, number: len(prog.watches)}
	watch.call = p.exported() + watch.base()
	for _, f := range w.fields {
		watch.fields[f] = true
	}
	prog.watches = append(prog.watches, watch)
	w.file.insert(w.file.tok.Offset(w.decl.End()), watch.declaration(recv, stmt))
}
