package rewrite

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// operand checks an expression where it will stand.
func (b *builder) operand(e *annot.Expr) operand {
	info := &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	x := operand{expr: e, text: e.Text, info: info, typ: types.Typ[types.Invalid], kind: kindOther}
	if strings.Contains(x.text, "//") || strings.Contains(x.text, "/*") {
		x.text = types.ExprString(e.Node) // a comment would swallow what is inserted behind it
	}
	if err := types.CheckExpr(b.prog.fset, b.p.Types, b.at.pos, e.Node, info); err != nil {
		b.typeError(e, err, info)
		return x
	}
	tv := info.Types[e.Node]
	x.typ, x.isNil, x.constant, x.value = tv.Type, tv.IsNil(), tv.Value != nil, tv.Value
	switch {
	case tv.IsType():
		b.fail(e, token.NoPos, "write a value", "%s is a type", e.Text)
		return x
	case tv.IsNil():
		return x
	case !tv.IsValue():
		b.fail(e, token.NoPos, "write a value", "%s has no value", e.Text)
		return x
	}
	x.kind = kindOf(tv.Type)
	if b.tooNew(e, info) || b.earlyRead(e, info) {
		return x
	}
	if !b.vouch && !b.pure(e, info) {
		return x
	}
	if lock := copiesLock(tv.Type); lock != nil {
		b.copiedLock(x, lock)
		return x
	}
	b.assess(e.Node, info)
	return x
}

func (b *builder) copiedLock(x operand, lock types.Type) {
	name := types.TypeString(lock, types.RelativeTo(b.p.Types))
	switch {
	case isAtomic(x.typ):
		b.fail(x.expr, token.NoPos, "write "+x.text+".Load()", "%s must not be copied", b.describe(x))
	default:
		b.fail(x.expr, token.NoPos, "name the fields that matter", "%s holds a %s, which must not be copied", b.describe(x), name)
	}
}

// typeError reports what go/types says, at its place in the directive.
func (b *builder) typeError(e *annot.Expr, err error, info *types.Info) {
	var te types.Error
	if !errors.As(err, &te) {
		b.fail(e, token.NoPos, "", "%v", err)
		return
	}
	hint := b.unexportedHint(e, te.Pos, info)
	if name, undefined := strings.CutPrefix(te.Msg, "undefined: "); undefined {
		hint = b.undefinedHint(e, te.Pos, name)
	} else if name, isType := strings.CutSuffix(te.Msg, " (type) is not an expression"); isType && hint == "" {
		if hint = b.unseenHint(name); hint != "" {
			hint = "the variable is " + hint
		}
	}
	b.fail(e, te.Pos, hint, "%s", te.Msg)
}

// unexportedHint says where the name at pos is declared, if it belongs to
// another package that does not export it.
func (b *builder) unexportedHint(e *annot.Expr, pos token.Pos, info *types.Info) string {
	hint := ""
	ast.Inspect(e.Node, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Sel.Pos() != pos || info.TypeOf(sel.X) == nil {
			return true
		}
		t := info.TypeOf(sel.X)
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		named, ok := types.Unalias(t).(*types.Named)
		if !ok || named.Obj().Pkg() == nil {
			return false
		}
		obj, _, _ := types.LookupFieldOrMethod(t, true, named.Obj().Pkg(), sel.Sel.Name)
		if obj != nil && !obj.Exported() && obj.Pkg() != b.p.Types {
			at := b.prog.fset.PositionFor(obj.Pos(), false)
			hint = fmt.Sprintf("package %s does not export it, declared at %s:%d", obj.Pkg().Name(), b.prog.display(at.Filename), at.Line)
		}
		return false
	})
	return hint
}

// undefinedHint says why a name that exists is not seen here.
func (b *builder) undefinedHint(e *annot.Expr, pos token.Pos, name string) string {
	if hint := b.unseenHint(name); hint != "" {
		return hint
	}
	if !isPackageRef(e.Node, pos) {
		return b.near(name)
	}
	if name == "C" && b.at.file.cgo != nil {
		return "an annotation cannot name what is C's; a variable of the program can have its type, and int64(x) converts one"
	}
	file := filepath.Base(b.at.file.name)
	for _, imp := range b.at.file.ast.Imports {
		path := strings.Trim(imp.Path.Value, "`\"")
		if imp.Name != nil && (path == name || strings.HasSuffix(path, "/"+name)) {
			return fmt.Sprintf("%s imports %s as %s", file, path, imp.Name.Name)
		}
	}
	return fmt.Sprintf("package %s is not imported by %s", name, file)
}

// near is the hint that names what the package or the function declares, or what
// else the expression may name, when it reads much the same.
func (b *builder) near(name string) string {
	names := append(b.p.Types.Scope().Names(), b.names...)
	for s := b.p.Types.Scope().Innermost(b.at.pos); s != nil && s != b.p.Types.Scope(); s = s.Parent() {
		names = append(names, s.Names()...)
	}
	if near := annot.Nearest(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// unseenHint says where in the function a variable of that name is declared, if
// there is one.
func (b *builder) unseenHint(name string) string {
	at, after := b.declared(name)
	switch {
	case at == "":
		return ""
	case after:
		return fmt.Sprintf("declared at %s, after the annotation", at)
	}
	return fmt.Sprintf("declared at %s, in a block that does not contain the annotation", at)
}

// declared finds a variable of the enclosing function by name: its file and
// line, and whether it is declared behind the annotation.
func (b *builder) declared(name string) (at string, after bool) {
	if b.at.in == nil {
		return "", false
	}
	var found *ast.Ident
	ast.Inspect(b.at.in, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name && found == nil {
			obj, defined := b.p.TypesInfo.Defs[id] // nil for the variable of a type switch
			if _, label := obj.(*types.Label); defined && !label {
				found = id
			}
		}
		return found == nil
	})
	if found == nil {
		return "", false
	}
	p := b.prog.fset.PositionFor(found.Pos(), b.at.file.cgo != nil)
	return fmt.Sprintf("%s:%d", b.prog.display(p.Filename), p.Line), found.Pos() >= b.at.pos
}

// isPackageRef tells whether the name at pos is what a selector selects from.
func isPackageRef(e ast.Expr, pos token.Pos) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.X.Pos() == pos {
			_, found = sel.X.(*ast.Ident)
		}
		return !found
	})
	return found
}

// mayPanic tells whether evaluating e can panic.
func mayPanic(e ast.Expr, info *types.Info) bool {
	risky := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			risky = risky || panics(x, info)
		}
		return !risky
	})
	return risky
}

// panics tells whether evaluating an expression can panic, once its operands
// have been.
func panics(e ast.Expr, info *types.Info) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return throughPointer(e, info)
	case *ast.StarExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
		return true
	case *ast.BinaryExpr:
		return binaryPanics(e, info)
	case *ast.CallExpr:
		return !safeCall(e, info)
	}
	return false
}

func throughPointer(n *ast.SelectorExpr, info *types.Info) bool {
	s := info.Selections[n]
	if s == nil {
		return false // package.Name
	}
	_, pointer := s.Recv().Underlying().(*types.Pointer)
	return pointer || s.Indirect() || types.IsInterface(s.Recv())
}

func binaryPanics(n *ast.BinaryExpr, info *types.Info) bool {
	x, y := info.Types[n.X], info.Types[n.Y]
	switch n.Op {
	case token.QUO, token.REM:
		return kindsOf(x.Type)&integers != 0 && (y.Value == nil || constant.Sign(y.Value) == 0)
	case token.SHL, token.SHR:
		return y.Value == nil && kindsOf(y.Type)&(1<<kindInt) != 0
	case token.EQL, token.NEQ:
		if x.IsNil() || y.IsNil() {
			return false
		}
		return holdsInterface(x.Type) || holdsInterface(y.Type)
	}
	return false
}

// holdsInterface tells whether comparing values of t may compare what is in an
// interface, which panics for some dynamic types.
func holdsInterface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if holdsInterface(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return holdsInterface(u.Elem())
	}
	return false
}

// safeCall tells whether a call is a conversion between basic types, or a
// builtin.
func safeCall(n *ast.CallExpr, info *types.Info) bool {
	tv := info.Types[n.Fun]
	if tv.IsType() {
		_, ok := tv.Type.Underlying().(*types.Basic)
		return ok
	}
	return tv.IsBuiltin()
}
