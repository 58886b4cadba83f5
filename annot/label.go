package annot

import (
	"go/ast"
	"go/token"
)

// atLabel places a directive between a label and its statement. A break or
// continue needs the label right before its loop, switch or select, so the
// directive goes before the label, which is the same unless a goto leads there.
// Before any other statement it stays where it is: only a goto uses that label.
func (l *locator) atLabel(d *Directive, c *comment, path []ast.Node) *Placed {
	label := path[len(path)-1].(*ast.LabeledStmt)
	first, parent := outermostLabel(path)
	list := listOf(parent)
	pl := &Placed{Directive: d, Func: enclosingFunc(path), Block: parent, Offset: c.off, Place: Before, Before: first}
	pl.Index = firstAt(list, first.Pos())
	if pl.Index > 0 {
		pl.After = list[pl.Index-1]
	}
	names, inner := labels(first)
	if !needsLabel(inner) {
		pl.Before = label.Stmt
		return pl
	}
	if target := gotoOneOf(names, pl.Func); target != "" {
		l.errorf(c.off, "put it above the label, or into the body", "a directive cannot stand between label %s, to which a goto leads, and its statement", target)
		return nil
	}
	pl.Offset = l.file.Offset(first.Pos())
	return l.reachable(pl, c, list)
}

// outermostLabel returns the first of the labels that stand before one
// statement, and the list that it is in.
func outermostLabel(path []ast.Node) (first *ast.LabeledStmt, parent ast.Node) {
	for i := len(path) - 1; i >= 0; i-- {
		label, ok := path[i].(*ast.LabeledStmt)
		if !ok {
			return first, path[i]
		}
		first = label
	}
	return first, nil
}

// labels returns the labels before a statement, and the statement.
func labels(first *ast.LabeledStmt) (names []string, inner ast.Stmt) {
	inner = first
	for {
		label, ok := inner.(*ast.LabeledStmt)
		if !ok {
			return names, inner
		}
		names, inner = append(names, label.Label.Name), label.Stmt
	}
}

// needsLabel reports whether a break or continue may name the label of s.
func needsLabel(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

// gotoOneOf returns the first of the labels that a goto in fn leads to, or "".
func gotoOneOf(names []string, fn ast.Node) (target string) {
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == fn // labels belong to one function
		case *ast.BranchStmt:
			for _, name := range names {
				if n.Tok == token.GOTO && n.Label != nil && n.Label.Name == name {
					target = name
				}
			}
		}
		return target == ""
	})
	return target
}
