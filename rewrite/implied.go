package rewrite

import (
	"go/ast"
	"go/token"
	"slices"
)

// implied tells whether a block that begins with these statements needs no
// counter: it runs straight into a statement whose every way on is counted,
// so that its own count is their sum.
func (p *planner) implied(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.IfStmt:
			return p.counted(s) && straight(s.Init) && straight(s.Cond)
		case *ast.SwitchStmt:
			return p.counted(s) && straight(s.Init) && straight(s.Tag) && straightCases(s.Body)
		case *ast.TypeSwitchStmt:
			return p.counted(s) && straight(s.Init) && straight(s.Assign)
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt, *ast.EmptyStmt, *ast.ExprStmt:
			if !straight(s) {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// counted tells whether a statement gets its counters.
func (p *planner) counted(s ast.Stmt) bool { return p.leaveOut == nil || !p.leaveOut(s.Pos()) }

func straightCases(body *ast.BlockStmt) bool {
	for _, c := range body.List {
		if !slices.ContainsFunc(c.(*ast.CaseClause).List, func(e ast.Expr) bool { return !straight(e) }) {
			continue
		}
		return false
	}
	return true
}

// straight tells whether control goes on behind n, once it has got there, but
// for a panic of the run time: nothing is called, and nothing waited for.
func straight(n ast.Node) bool {
	if n == nil {
		return true
	}
	var v straightVisitor
	ast.Walk(&v, n)
	return !v.leaves
}

// straightVisitor looks for what makes code not straight.
type straightVisitor struct{ leaves bool }

func (v *straightVisitor) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.FuncLit:
		return nil
	case *ast.CallExpr:
		v.leaves = v.leaves || !returns(n.Fun)
	case *ast.UnaryExpr:
		v.leaves = v.leaves || n.Op == token.ARROW
	}
	if v.leaves {
		return nil
	}
	return v
}

// returns tells whether what looks like a call is a builtin function or a
// conversion, by its name.
func returns(fun ast.Expr) bool {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return slices.Contains(predeclared, fun.Name)
	case *ast.ArrayType, *ast.StarExpr, *ast.MapType, *ast.InterfaceType:
		return true
	}
	return false
}

var predeclared = []string{
	"append", "cap", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new", "real",
	"bool", "byte", "float32", "float64", "int", "int16", "int32", "int64", "int8", "rune", "string",
	"uint", "uint16", "uint32", "uint64", "uint8", "uintptr",
}

// escapes tells whether a loop may be left in another way than by its end or
// a break of its own: what follows it is then reached less often than it is.
func escapes(body *ast.BlockStmt, label string) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Tok == token.GOTO || n.Label != nil && n.Label.Name != label
		case *ast.ExprStmt:
			found = found || terminates(n)
		}
		return !found
	})
	return found
}
