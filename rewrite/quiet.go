package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// planQuiet lets the statements that are a call of a function, and no more, run
// only where there is a timeline that it writes to. Go evaluates what a call is
// given, and allocates it, also for a logger that drops it.
//
// It comes after what stands in front of such a statement, which is to run
// always: insertions at one place keep their order.
func (p *pkg) planQuiet(q *annot.Quiet) *annot.Error {
	n := 0
	for _, f := range p.files {
		if f.skipped != "" {
			continue
		}
		ast.Inspect(f.ast, func(node ast.Node) bool {
			for _, s := range statements(node) {
				if p.calls(s, q.Callee) {
					f.insert(f.tok.Offset(s.Pos()), "if "+p.use("tracing")+"() { ")
					f.insertFirst(f.tok.Offset(s.End()), " }")
					n++
				}
			}
			return true
		})
	}
	if n == 0 {
		return &annot.Error{Pos: q.Pos, Msg: fmt.Sprintf("no statement of package %s is a call of %s", p.PkgPath, q.Callee)}
	}
	return nil
}

// statements are those of a list. A statement elsewhere, such as in the head
// of an if, cannot be wrapped.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// calls tells whether a statement is a call of a function that a sidecar names.
func (p *pkg) calls(s ast.Stmt, callee string) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !strings.HasSuffix(callee, "."+sel.Sel.Name) {
		return false
	}
	fn, ok := p.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && slices.Contains(p.spellings(fn), callee)
}

// spellings are the names of a method or of a function of another package.
func (p *pkg) spellings(fn *types.Func) []string {
	if fn.Pkg() == nil { // error.Error
		return nil
	}
	name := fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		typ := recv.Type()
		if ptr, ok := typ.(*types.Pointer); ok {
			typ = ptr.Elem()
		}
		named, ok := typ.(*types.Named)
		if !ok { // of an interface without a name
			return nil
		}
		name = named.Obj().Name() + "." + name
	}
	list := []string{fn.Pkg().Name() + "." + name, fn.Pkg().Path() + "." + name}
	if fn.Pkg().Path() == p.PkgPath {
		list = append(list, name)
	}
	return list
}
