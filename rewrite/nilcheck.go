package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Most expressions can only panic because a pointer is nil, in r.Term say. A
// test for nil does then what a deferred function would, for less.

// assess notes whether evaluating an expression may panic, and which pointers
// must not be nil for it not to.
func (b *builder) assess(e ast.Expr, info *types.Info) {
	if !mayPanic(e, info) {
		return
	}
	b.risky = true
	d := derefs{b: b, info: info}
	ast.Walk(&d, e)
	if d.wild {
		b.wild = true
	}
}

// derefs collects the pointers that an expression follows.
type derefs struct {
	b    *builder
	info *types.Info
	wild bool // whether it may panic otherwise
}

func (d *derefs) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if throughPointer(n, d.info) {
			d.follow(n.X, oneStep(d.info.Selections[n]))
			return nil
		}
	case *ast.StarExpr:
		d.follow(n.X, true)
		return nil
	case *ast.BinaryExpr:
		d.wild = d.wild || binaryPanics(n, d.info)
		if n.Op == token.LAND || n.Op == token.LOR {
			d.wild = d.wild || mayPanic(n.Y, d.info) // which need not be evaluated
			ast.Walk(d, n.X)
			return nil
		}
	case ast.Expr:
		d.wild = d.wild || panics(n, d.info)
	}
	if d.wild {
		return nil
	}
	return d
}

// follow notes that a pointer is followed: a variable, else it is not known
// what the text would do when it is evaluated twice.
func (d *derefs) follow(x ast.Expr, known bool) {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok || !known || !d.b.ownVariable(d.info.Uses[id]) {
		d.wild = true
		return
	}
	if !slices.Contains(d.b.pointers, id.Name) {
		d.b.pointers = append(d.b.pointers, id.Name)
	}
}

// oneStep tells whether a selection is of a field, and follows the pointer it
// selects from and no other.
func oneStep(s *types.Selection) bool {
	p, ok := s.Recv().Underlying().(*types.Pointer)
	if !ok || s.Kind() != types.FieldVal {
		return false
	}
	t := p.Elem()
	for _, i := range s.Index() {
		u, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false // an embedded pointer
		}
		t = u.Field(i).Type()
	}
	return true
}

// ownVariable tells whether a name is a variable of the function that the
// annotation stands in, which nothing changes between two looks at it.
func (b *builder) ownVariable(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	if !ok || b.at.in == nil || v.Pos() < b.at.in.Pos() || v.Pos() >= b.at.in.End() || b.nilIsHidden() {
		return false
	}
	own := true
	ast.Inspect(b.at.in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			own = own && (n.Op != token.AND || !b.is(n.X, v))
		case *ast.FuncLit:
			own = own && (n == b.at.in || !b.assigns(n, v))
		}
		return own
	})
	return own
}

// assigns tells whether a function literal assigns to a variable.
func (b *builder) assigns(lit *ast.FuncLit, v *types.Var) bool {
	found := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return b.is(e, v) })
		case *ast.RangeStmt:
			found = found || n.Key != nil && b.is(n.Key, v) || n.Value != nil && b.is(n.Value, v)
		}
		return !found
	})
	return found
}

func (b *builder) is(e ast.Expr, v *types.Var) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && b.p.TypesInfo.Uses[id] == v
}

// nilIsHidden tells whether nil is something else where the annotation stands.
func (b *builder) nilIsHidden() bool {
	scope := b.p.Types.Scope().Innermost(b.at.pos)
	if scope == nil {
		return true
	}
	_, obj := scope.LookupParent("nil", b.at.pos)
	return obj != types.Universe.Lookup("nil")
}

// taken are the pointers that have been noted, which are noted no more.
func (b *builder) taken() []string {
	list := b.pointers
	b.pointers = nil
	return list
}

// ifNil is a statement that returns what failed if one of the pointers is nil.
// Where more may panic, a deferred function sees to that, too.
func (b *builder) ifNil(pointers []string, failed string) string {
	if len(pointers) == 0 || b.wild {
		return ""
	}
	return "if " + strings.Join(pointers, " == nil || ") + " == nil { return " + failed + " }; "
}

// unlessNil is a statement that runs if the pointers that it follows are not
// nil, and one that runs if one is.
func unlessNil(pointers []string, stmt, otherwise string) string {
	if len(pointers) == 0 {
		return stmt
	}
	tests := make([]string, len(pointers))
	for i, name := range pointers {
		tests[i] = name + " != nil"
	}
	return "if " + strings.Join(tests, " && ") + " { " + stmt + " } else { " + otherwise + " }"
}
