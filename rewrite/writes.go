package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/ijongo/ijongo/annot"
)

// planWrites calls the watches behind the writes to their fields, and warns of
// the writes that it sees and cannot follow.
func (prog *program) planWrites() annot.Errors {
	if len(prog.watches) == 0 {
		return nil
	}
	var errs annot.Errors
	for _, p := range prog.pkgs {
		for _, f := range p.files {
			if f.skipped != "" {
				continue
			}
			w := writer{prog: prog, file: f, info: p.TypesInfo}
			if f.cgo != nil {
				w.warn(f.ast.Package, "the file uses cgo: writes to watched fields are not looked for in it")
			} else {
				w.file.walk(&w)
			}
			errs = append(errs, w.errs...)
		}
	}
	for _, w := range prog.watches {
		if w.writes == 0 && !prog.alone {
			errs = append(errs, &annot.Error{Pos: w.pos, Warning: true, Hint: "is the package that writes it instrumented?", Msg: "no write to the field is seen: the watch never runs"})
		}
	}
	return errs
}

// writer looks for the writes of one file.
type writer struct {
	prog   *program
	file   *file
	info   *types.Info
	stored map[*ast.CompositeLit]bool // whole structs that a statement stores
	errs   annot.Errors
}

func (w *writer) warn(pos token.Pos, what string) {
	w.errs = append(w.errs, &annot.Error{Pos: w.file.tok.PositionFor(pos, false), Warning: true,
		Msg: what})
}

// walk visits the statements of a file with the place behind each.
func (f *file) walk(w *writer) {
	w.stored = map[*ast.CompositeLit]bool{}
	var parents []ast.Node
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if n == nil {
			parents = parents[:len(parents)-1]
			return false
		}
		if f.regionAt(f.tok.Offset(n.Pos())) == nil {
			w.node(n, parents)
		}
		parents = append(parents, n)
		return true
	})
}

func (w *writer) node(n ast.Node, parents []ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			w.assignment(n, n.Lhs, n.Rhs, parents)
		}
	case *ast.IncDecStmt:
		w.assignment(n, []ast.Expr{n.X}, nil, parents)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			w.ranged(n)
		}
	case *ast.CompositeLit:
		w.literal(n, parents)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			w.escape(n.X, n.Pos(), "the address of %s is taken: writes through it are not seen")
		}
	case *ast.SliceExpr:
		if t := w.info.TypeOf(n.X); t != nil {
			if _, array := t.Underlying().(*types.Array); array {
				w.escape(n.X, n.Pos(), "%s is sliced: writes to the slice are not seen")
			}
		}
	case *ast.CallExpr:
		w.implicitAddress(n)
	}
}

// target is a write to a watched field: the struct that it belongs to.
type target struct {
	*watch
	base ast.Expr // a struct, or a pointer to one
	path string   // of the embedded fields in between
	ptr  bool     // whether base and path make a pointer
}

// targets finds the watched fields that storing to e changes.
func (w *writer) targets(e ast.Expr) (list []target) {
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return nil
	}
	if t := w.info.TypeOf(e); t != nil {
		for _, watch := range w.prog.watches {
			if watch.is(t) {
				list = append(list, target{watch: watch, base: e})
			}
		}
	}
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			list = append(list, w.selected(x)...)
			if s := w.info.Selections[x]; s == nil || s.Indirect() {
				return list
			}
			e = x.X
		case *ast.IndexExpr: // an element of an array is part of the field
			t := w.info.TypeOf(x.X)
			if t == nil {
				return list
			}
			if _, array := t.Underlying().(*types.Array); !array {
				return list
			}
			e = x.X
		default:
			return list
		}
	}
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// is tells whether t is the struct type that is watched. Another load of the
// package has other objects.
func (watch *watch) is(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == watch.typ && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == watch.pkg.PkgPath
}

// selected finds the watches of a field, through the embedded ones that lead
// to it.
func (w *writer) selected(x *ast.SelectorExpr) (list []target) {
	s := w.info.Selections[x]
	if s == nil || s.Kind() != types.FieldVal {
		return nil
	}
	t, path := s.Recv(), ""
	for _, index := range s.Index() {
		ptr := false
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t, ptr = p.Elem(), true
			list = nil // what is behind a pointer is no part of the field
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		field := st.Field(index)
		for _, watch := range w.prog.watches {
			if watch.fields[field.Name()] && watch.is(t) {
				list = append(list, target{watch, x.X, path, ptr})
			}
		}
		path += "." + field.Name()
		t = field.Type()
	}
	return list
}

// assignment calls the watches behind a statement that stores.
func (w *writer) assignment(s ast.Stmt, lhs, rhs []ast.Expr, parents []ast.Node) {
	calls := ""
	for i, e := range lhs {
		for _, t := range w.targets(e) {
			var lit *ast.CompositeLit
			if t.base == e && len(lhs) == len(rhs) {
				lit, _ = ast.Unparen(rhs[i]).(*ast.CompositeLit)
			}
			if lit != nil && w.inMap(e) {
				continue // the literal itself is seen
			}
			call := w.call(t, e.Pos(), lhs)
			if calls += call; call != "" && lit != nil {
				w.stored[lit] = true
			}
		}
	}
	if calls == "" {
		return
	}
	at, ok := behind(s, parents)
	if !ok {
		w.warn(s.Pos(), "the watch does not see this write to a field: it stands in the header of a statement")
		return
	}
	w.file.insert(w.file.tok.Offset(at), "; "+calls)
}

// behind is where a statement may follow s.
func behind(s ast.Stmt, parents []ast.Node) (token.Pos, bool) {
	switch p := parents[len(parents)-1].(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return s.End(), true
	case *ast.CommClause:
		if p.Comm == s {
			return p.Colon + 1, true
		}
		return s.End(), true
	case *ast.LabeledStmt:
		return s.End(), true
	}
	return token.NoPos, false
}

// ranged calls the watches at the start of a loop that stores to a field.
func (w *writer) ranged(s *ast.RangeStmt) {
	lhs := []ast.Expr{s.Key}
	if s.Value != nil {
		lhs = append(lhs, s.Value)
	}
	calls := ""
	for _, e := range lhs {
		for _, t := range w.targets(e) {
			calls += w.call(t, e.Pos(), lhs)
		}
	}
	if calls != "" {
		w.file.insert(w.file.tok.Offset(s.Body.Lbrace)+1, calls)
	}
}

// unsteady says why evaluating a place again would find another one, or do
// more than read.
func (w *writer) unsteady(base ast.Expr, lhs []ast.Expr) (why string) {
	ast.Inspect(base, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if !w.info.Types[n.Fun].IsType() {
				why = "a call computes where it goes"
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				why = "a channel delivers where it goes"
			}
		case *ast.FuncLit:
			why = "a call computes where it goes"
		case *ast.Ident:
			for _, e := range lhs {
				id, ok := ast.Unparen(e).(*ast.Ident)
				if ok && e != base && w.info.ObjectOf(id) != nil && w.info.ObjectOf(id) == w.info.ObjectOf(n) {
					why = "the same statement changes where it goes"
				}
			}
		}
		return why == ""
	})
	if why == "" && w.inMap(base) {
		why = "what is in a map has no address"
	}
	return why
}

// inMap tells whether e is an element of a map, which has no address.
func (w *writer) inMap(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return false
	}
	t := w.info.TypeOf(x.X)
	if t == nil {
		return false
	}
	_, isMap := t.Underlying().(*types.Map)
	return isMap
}

// call is the call of a watch for the struct at a target; empty when it
// reported why there is none.
func (w *writer) call(t target, at token.Pos, lhs []ast.Expr) string {
	if why := w.unsteady(t.base, lhs); why != "" {
		w.warn(at, fmt.Sprintf("the watch does not see this write to a field of %s: %s", t.typ, why))
		return ""
	}
	name, ok := w.watchName(t.watch)
	if !ok {
		w.warn(at, unnamed(t.watch))
		return ""
	}
	t.writes++
	arg := w.text(t.base) + t.path
	if !t.ptr {
		arg = "&(" + arg + ")"
	}
	return name + "(" + arg + ");"
}

func (w *writer) text(e ast.Expr) string {
	return string(w.file.src[w.file.tok.Offset(e.Pos()):w.file.tok.Offset(e.End())])
}

// watchName is the name of a watch in this package.
func (w *writer) watchName(t *watch) (name string, ok bool) {
	p := w.file.pkg
	if p == t.pkg {
		return t.call, true
	}
	if p.Imports[t.pkg.PkgPath] == nil {
		return "", false
	}
	if p.linked == nil {
		p.linked = map[*watch]bool{}
	}
	p.linked[t] = true
	return p.prefix + t.base(), true
}

// escape warns of a pointer to a field or to a part of it: what is written
// through it goes unseen.
func (w *writer) escape(e ast.Expr, pos token.Pos, how string) {
	for _, t := range w.targets(ast.Unparen(e)) {
		if t.base != ast.Unparen(e) { // the struct as a whole is no field
			w.warn(pos, fmt.Sprintf(how, "a watched field of "+t.typ))
			return
		}
	}
}

// implicitAddress looks for a method of a field that may write it.
func (w *writer) implicitAddress(call *ast.CallExpr) {
	x, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	s := w.info.Selections[x]
	if s == nil || s.Kind() != types.MethodVal || isPointer(s.Recv()) || types.IsInterface(s.Recv()) {
		return
	}
	if fn, ok := s.Obj().(*types.Func); ok && isPointer(fn.Signature().Recv().Type()) {
		w.escape(x.X, x.Pos(), "a method is called with the address of %s: its writes are not seen")
	}
}

// literal calls the watches of the fields that a composite literal sets: it
// becomes the argument of a function that returns it.
func (w *writer) literal(lit *ast.CompositeLit, parents []ast.Node) {
	t := w.info.TypeOf(lit)
	if t == nil || w.stored[lit] || len(lit.Elts) == 0 {
		return
	}
	elidedPointer := false
	if p, ok := t.Underlying().(*types.Pointer); ok && lit.Type == nil {
		t, elidedPointer = p.Elem(), true
	}
	var found []*watch
	for _, watch := range w.prog.watches {
		if watch.is(t) && watch.setBy(lit) {
			found = append(found, watch)
		}
	}
	if len(found) == 0 {
		return
	}
	if !inFunction(parents) {
		// A call would take part in the order of initialisation.
		w.warn(lit.Pos(), "the watch does not see this literal: it initialises the package")
		return
	}
	w.wrap(lit, found, elidedPointer)
}

func inFunction(parents []ast.Node) bool {
	for _, n := range parents {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		}
	}
	return false
}

// wrap hands the address of a literal to the watches: T{…} becomes
// (*watch(&T{…})), and of an elided &T the star is left out.
func (w *writer) wrap(lit *ast.CompositeLit, found []*watch, elidedPointer bool) {
	open, end := "(*", ""
	if elidedPointer {
		open = "("
	}
	for _, t := range found {
		name, ok := w.watchName(t)
		if !ok {
			w.warn(lit.Pos(), unnamed(t))
			return
		}
		open += name + "new("
		end += ")"
	}
	open += "&"
	if lit.Type == nil {
		name, _ := w.watchName(found[0])
		open += name + "T"
	}
	for _, t := range found {
		t.writes++
	}
	w.file.insert(w.file.tok.Offset(lit.Pos()), open)
	// In front of the calls behind a statement that ends here.
	w.file.insertFirst(w.file.tok.Offset(lit.End()), end+")")
}

func unnamed(t *watch) string {
	return fmt.Sprintf("the watch does not see this write to a field of %s: the package does not import %s", t.typ, t.pkg.PkgPath)
}

// setBy tells whether a literal gives a field of the watch a value.
func (watch *watch) setBy(lit *ast.CompositeLit) bool {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return true // it gives all fields a value
		}
		if id, ok := kv.Key.(*ast.Ident); ok && watch.fields[id.Name] {
			return true
		}
	}
	return false
}
