package rewrite

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// A watch evaluates a directive after every write to a field. Its code is a
// function that is added behind the declaration of the type, where the names
// of the package are seen as its file sees them; the writes call it with a
// pointer to the struct.
type watch struct {
	pkg    *pkg
	typ    string
	fields map[string]bool
	number int
	call   string // name of the function in its own package, which exports it
	pos    token.Position
	writes int
}

// base is the name without the prefix of a package.
func (watch *watch) base() string { return fmt.Sprintf("watch%d", watch.number) }

// declaration is the function, one that returns its argument, and a name for
// the type that nothing can shadow.
func (watch *watch) declaration(recv, stmt string) string {
	return fmt.Sprintf("; func %[1]s(%[2]s *%[3]s) { %[4]s }; func %[1]snew(%[2]s *%[3]s) *%[3]s { %[1]s(%[2]s); return %[2]s }; type %[1]sT = %[3]s",
		watch.call, recv, watch.typ, stmt)
}

// watched is the declaration of a field to watch.
type watched struct {
	file   *file
	decl   *ast.GenDecl
	spec   *ast.TypeSpec
	body   *ast.StructType
	fields []string
}

// planWatch plans the function of a watch.
func (prog *program) planWatch(w watched, d *annot.Directive) annot.Errors {
	if errs := w.refused(d); len(errs) > 0 {
		return errs
	}
	at, recv := prog.watchSpot(w)
	qualified, errs := qualify(d, recv, w.fieldNames())
	if len(errs) > 0 {
		return errs
	}
	stmt, errs := prog.statement(at, qualified, 0, false)
	if stmt == "" {
		return errs
	}
	prog.addWatch(w, recv, d.Pos, stmt)
	return nil
}

// exported is the prefix of added names that other packages use.
func (p *pkg) exported() string { return strings.ToUpper(p.prefix[:1]) + p.prefix[1:] }

// links are the watches of other packages that p calls.
func (p *pkg) links() []*watch {
	return slices.SortedFunc(maps.Keys(p.linked), func(a, b *watch) int { return cmp.Compare(a.number, b.number) })
}

// link declares the names of a watch in another package.
func (watch *watch) link() string {
	from := "ijongo_for" + watch.base() + "." + watch.call
	return fmt.Sprintf("\nvar ijongo_%[1]s, ijongo_%[1]snew = %[2]s, %[2]snew\n\ntype ijongo_%[1]sT = %[2]sT\n", watch.base(), from)
}

// receiver is what the methods of a type call it, or a name that is free.
func (p *pkg) receiver(typ string) string {
	count, best := map[string]int{}, p.prefix+"it"
	for _, f := range p.files {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 || receiverType(fn) != typ {
				continue
			}
			name := fn.Recv.List[0].Names[0].Name
			if count[name]++; name != "_" && count[name] > count[best] {
				best = name
			}
		}
	}
	return best
}

func receiverType(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	for {
		switch u := t.(type) {
		case *ast.StarExpr:
			t = u.X
		case *ast.ParenExpr:
			t = u.X
		case *ast.Ident:
			return u.Name
		default:
			return "" // has type parameters
		}
	}
}

// qualify makes the names of fields selections from the receiver.
func qualify(d *annot.Directive, recv string, isField func(string) bool) (*annot.Directive, annot.Errors) {
	var errs annot.Errors
	one := func(e *annot.Expr) *annot.Expr {
		if e == nil {
			return nil
		}
		if err := wholeIn(e, recv); err != nil {
			errs = append(errs, err)
			return e
		}
		q, err := e.Qualify(recv, isField)
		if err != nil {
			errs = append(errs, &annot.Error{Pos: e.Pos, Msg: err.Error()})
			return e
		}
		return q
	}
	q := *d
	q.Args = make([]annot.Expr, len(d.Args))
	for i := range d.Args {
		q.Args[i] = *one(&d.Args[i])
	}
	q.If, q.By, q.Until = one(d.If), one(d.By), one(d.Until)
	return &q, errs
}

// wholeIn reports an expression of a watch that is about the struct as such.
func wholeIn(e *annot.Expr, recv string) *annot.Error {
	pos := aloneIn(e.Node, recv)
	if !pos.IsValid() {
		return nil
	}
	return &annot.Error{Pos: e.Position(pos), Msg: fmt.Sprintf("a watch sees the fields of %s, not the whole", recv), Hint: "write " + recv + ".FIELD"}
}

// aloneIn finds a name from which nothing is selected.
func aloneIn(e ast.Expr, name string) (pos token.Pos) {
	selected := map[ast.Node]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.X], selected[n.Sel] = true, true
		case *ast.Ident:
			if n.Name == name && !selected[n] {
				pos = n.Pos()
			}
		}
		return true
	})
	return pos
}

// planFieldWatch plans a directive that stands on a field.
func (prog *program) planFieldWatch(f *file, d *annot.Placed) annot.Errors {
	w := d.Watch
	return prog.planWatch(watched{f, w.Decl, w.Type, w.Struct, w.Names()}, d.Directive)
}

// planSidecarWatch plans a watch line, whose group is the one of that name if
// it belongs to one.
func (prog *program) planSidecarWatch(p *pkg, line *annot.Watch, group string) annot.Errors {
	w, err := p.watchedField(line)
	switch {
	case err != nil:
		return annot.Errors{err}
	case line.Directive.Verb.Member():
		return prog.join(w.file, line.Directive, group, w)
	}
	return prog.planWatch(*w, line.Directive)
}

// watchedField finds the field of a watch line.
func (p *pkg) watchedField(line *annot.Watch) (*watched, *annot.Error) {
	for _, f := range p.files {
		for _, d := range f.ast.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range decl.Specs {
				spec, ok := s.(*ast.TypeSpec)
				if !ok || spec.Name.Name != line.Type {
					continue
				}
				st, ok := spec.Type.(*ast.StructType)
				if !ok {
					return nil, &annot.Error{Pos: line.Pos, Msg: fmt.Sprintf("%s is no struct", line.Type)}
				}
				if f.skipped != "" {
					return nil, f.leftOut(line.Pos)
				}
				if !hasField(st, line.Field) {
					return nil, &annot.Error{Pos: line.Pos, Msg: fmt.Sprintf("%s has no field %s", line.Type, line.Field), Hint: "name the struct that declares it"}
				}
				return &watched{f, decl, spec, st, []string{line.Field}}, nil
			}
		}
	}
	return nil, &annot.Error{Pos: line.Pos, Msg: fmt.Sprintf("package %s has no type %s", p.PkgPath, line.Type)}
}

func hasField(st *ast.StructType, name string) bool {
	for _, f := range st.Fields.List {
		for _, n := range (&annot.Watched{Field: f}).Names() {
			if n == name {
				return true
			}
		}
	}
	return false
}
