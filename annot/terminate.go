package annot

import (
	"go/ast"
	"go/token"
)

// endedBy returns what keeps control from reaching the place behind a list of
// statements, or "" if it can be reached. A label starts anew: a goto may lead
// to it.
func endedBy(list []ast.Stmt) string {
	for i := len(list) - 1; i >= 0; i-- {
		if end := terminator(list[i], ""); end != "" {
			return end
		}
		if _, labeled := list[i].(*ast.LabeledStmt); labeled {
			return ""
		}
	}
	return ""
}

// terminator names the statement if control never reaches the place behind it:
// the terminating statements of the language specification, and the branches.
func terminator(s ast.Stmt, label string) string {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return "return"
	case *ast.BranchStmt:
		return s.Tok.String()
	case *ast.ExprStmt:
		if isPanic(s.X) {
			return "panic"
		}
	case *ast.LabeledStmt:
		return terminator(s.Stmt, s.Label.Name)
	case *ast.BlockStmt:
		return endedBy(s.List)
	case *ast.IfStmt:
		if s.Else != nil && endedBy(s.Body.List) != "" && terminator(s.Else, "") != "" {
			return "an if whose branches all leave"
		}
	case *ast.ForStmt:
		if s.Cond == nil && !breaks(s.Body, label, true) {
			return "an endless for"
		}
	case *ast.SwitchStmt:
		return clausesEnd("switch", s.Body, label)
	case *ast.TypeSwitchStmt:
		return clausesEnd("switch", s.Body, label)
	case *ast.SelectStmt:
		return clausesEnd("select", s.Body, label)
	}
	return ""
}

// isPanic goes by the name: this package knows no types.
func isPanic(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "panic"
}

// clausesEnd is terminator for a switch, which needs a default, or a select,
// which waits for one of its clauses.
func clausesEnd(kind string, body *ast.BlockStmt, label string) string {
	if breaks(body, label, true) {
		return ""
	}
	complete := kind == "select"
	for _, s := range body.List {
		var list []ast.Stmt
		switch c := s.(type) {
		case *ast.CaseClause:
			list = c.Body
			complete = complete || c.List == nil
		case *ast.CommClause:
			list = c.Body
		}
		if endedBy(list) == "" {
			return ""
		}
	}
	if !complete {
		return ""
	}
	return "a " + kind + " whose clauses all leave"
}

// breaks reports whether a break in n leaves the statement with the label, or
// with implicit the statement whose body n is.
func breaks(n ast.Node, label string, implicit bool) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if m.Tok == token.BREAK {
				found = found || m.Label == nil && implicit || m.Label != nil && m.Label.Name == label
			}
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			// A break without a label in here leaves the inner statement.
			found = found || breaks(innerBody(m), label, false)
			return false
		}
		return !found
	})
	return found
}

func innerBody(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.ForStmt:
		return n.Body
	case *ast.RangeStmt:
		return n.Body
	case *ast.SwitchStmt:
		return n.Body
	case *ast.TypeSwitchStmt:
		return n.Body
	}
	return n.(*ast.SelectStmt).Body
}
