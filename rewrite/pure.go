package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/ijongo/ijongo/annot"
)

// pureBuiltins are the builtins that only read.
var pureBuiltins = []string{"len", "cap", "min", "max", "real", "imag", "complex"}

// purePackages are the packages of which every function only computes from
// its arguments.
var purePackages = []string{"cmp", "math", "math/bits", "math/cmplx", "strings", "bytes", "unicode", "unicode/utf8"}

// pure reports calls that might do more than read.
func (b *builder) pure(e *annot.Expr, info *types.Info) bool {
	ok := true
	ast.Inspect(e.Node, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || !ok {
			return ok
		}
		r := reader{prog: b.prog, info: info}
		if !r.call(call) {
			ok = false
			b.fail(e, call.Pos(), "an annotation only reads: it may call conversions, len, cap, min, max, Load of sync/atomic, "+
				"and functions of instrumented packages that only read; the clause pure vouches for others",
				"%s is called, which may do more than read", types.ExprString(call.Fun))
		}
		return ok
	})
	return ok
}

// reader decides whether code only reads: it looks into the functions that
// were loaded.
type reader struct {
	prog *program
	info *types.Info
	busy []*types.Func // being looked into, against recursion
	own  *ast.FuncDecl // the function whose variables may be assigned; nil in an expression
}

func (r reader) call(call *ast.CallExpr) bool {
	tv := r.info.Types[call.Fun]
	if tv.IsType() {
		return true
	}
	if tv.IsBuiltin() {
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		return !ok || slices.Contains(pureBuiltins, id.Name) // else of package unsafe
	}
	fn := r.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	sig := fn.Signature()
	if sig.Recv() != nil && types.IsInterface(sig.Recv().Type()) {
		return r.implementations(fn)
	}
	switch path := fn.Pkg().Path(); {
	case path == "sync/atomic":
		return len(fn.Name()) >= 4 && fn.Name()[:4] == "Load"
	case sig.Recv() == nil && slices.Contains(purePackages, path):
		return !takesFunc(sig)
	}
	return r.function(fn)
}

// takesFunc tells whether a function could call back.
func takesFunc(sig *types.Signature) bool {
	for i := range sig.Params().Len() {
		switch sig.Params().At(i).Type().Underlying().(type) {
		case *types.Signature, *types.Interface:
			return true
		}
	}
	return false
}

// callee is the function that is called, when it is known.
func (r reader) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	fn, _ := r.info.Uses[id].(*types.Func)
	return fn
}

// function looks into a loaded function.
func (r reader) function(fn *types.Func) bool {
	if slices.Contains(r.busy, fn) {
		return false // recursion may not end
	}
	if r.prog.elsewhere(fn.Pkg().Path()) {
		return true
	}
	p, decl := r.prog.declaration(fn)
	if decl == nil || decl.Body == nil {
		return false
	}
	in := reader{prog: r.prog, info: p.TypesInfo, busy: append(slices.Clone(r.busy), fn), own: decl}
	ok := true
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		ok = ok && in.reads(n)
		return ok
	})
	return ok
}

// reads tells whether a node by itself only reads. What could run for ever
// or end the program is no reading either.
func (r reader) reads(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.FuncLit, *ast.LabeledStmt:
		return false
	case *ast.ForStmt:
		return n.Cond != nil
	case *ast.UnaryExpr:
		return n.Op != token.ARROW && n.Op != token.AND
	case *ast.CallExpr:
		return r.call(n)
	case *ast.AssignStmt:
		return !slices.ContainsFunc(n.Lhs, r.notOwn)
	case *ast.IncDecStmt:
		return !r.notOwn(n.X)
	case *ast.RangeStmt:
		_, fn := r.info.TypeOf(n.X).Underlying().(*types.Signature)
		_, ch := r.info.TypeOf(n.X).Underlying().(*types.Chan)
		return !fn && !ch && (n.Key == nil || !r.notOwn(n.Key)) && (n.Value == nil || !r.notOwn(n.Value))
	}
	return true
}

// notOwn tells whether assigning to e writes anything but a variable of the
// function itself.
func (r reader) notOwn(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return true
	}
	if id.Name == "_" {
		return false
	}
	obj := r.info.ObjectOf(id)
	return obj == nil || obj.Pos() < r.own.Pos() || obj.Pos() >= r.own.End()
}

// declaration finds the syntax of a function among the loaded packages.
func (prog *program) declaration(fn *types.Func) (*pkg, *ast.FuncDecl) {
	fn = fn.Origin()
	for _, p := range prog.pkgs {
		if p.PkgPath != fn.Pkg().Path() {
			continue
		}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				decl, ok := d.(*ast.FuncDecl)
				if ok && sameFunc(p, decl, fn) {
					return p, decl
				}
			}
		}
	}
	return nil, nil
}

// sameFunc compares by full name: another load of the package has other
// objects.
func sameFunc(p *pkg, decl *ast.FuncDecl, fn *types.Func) bool {
	if decl.Name.Name != fn.Name() {
		return false
	}
	obj, ok := p.TypesInfo.Defs[decl.Name].(*types.Func)
	return ok && obj.FullName() == fn.FullName()
}
