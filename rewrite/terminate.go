package rewrite

import (
	"go/ast"
	"go/token"
)

// terminates tells whether s is a terminating statement (section Terminating
// statements of the Go specification), so that what follows it is reached by
// a label or not at all. A call of anything named panic counts as one: no
// counter is better than one that vet calls unreachable.
func terminates(s ast.Stmt) bool { return terminatesLabelled(s, "") }

func terminatesLabelled(s ast.Stmt, label string) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	case *ast.BlockStmt:
		return listTerminates(s.List)
	case *ast.IfStmt:
		return s.Else != nil && terminates(s.Body) && terminates(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil && !breaks(s.Body, label)
	case *ast.LabeledStmt:
		return terminatesLabelled(s.Stmt, s.Label.Name)
	case *ast.SwitchStmt:
		return clausesTerminate(s.Body, label, true)
	case *ast.TypeSwitchStmt:
		return clausesTerminate(s.Body, label, true)
	case *ast.SelectStmt:
		return clausesTerminate(s.Body, label, false)
	}
	return false
}

func listTerminates(list []ast.Stmt) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if _, empty := list[i].(*ast.EmptyStmt); !empty {
			return terminates(list[i])
		}
	}
	return false
}

func clausesTerminate(body *ast.BlockStmt, label string, needDefault bool) bool {
	hasDefault := false
	for _, c := range body.List {
		var list []ast.Stmt
		switch c := c.(type) {
		case *ast.CaseClause:
			hasDefault = hasDefault || c.List == nil
			list = c.Body
		case *ast.CommClause:
			list = c.Body
		}
		if !listTerminates(list) && !fallsThrough(list) {
			return false
		}
	}
	return (hasDefault || !needDefault) && !breaks(body, label)
}

func fallsThrough(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	b, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// breaks tells whether body has a break out of the statement that it is the
// body of: a plain one not in a nested statement of that kind, or one that
// names the label.
func breaks(body *ast.BlockStmt, label string) bool {
	found := false
	var walk func(n ast.Node, nested bool)
	walk = func(root ast.Node, nested bool) {
		ast.Inspect(root, func(n ast.Node) bool {
			if n == root {
				return true
			}
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.BranchStmt:
				if n.Tok == token.BREAK && (n.Label == nil && !nested || n.Label != nil && n.Label.Name == label) {
					found = true
				}
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if !nested {
					walk(n, true)
					return false
				}
			}
			return true
		})
	}
	walk(body, false)
	return found
}
