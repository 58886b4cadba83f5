package annot

import (
	"go/ast"
	"go/token"
)

const (
	hintStmt    = "put it on a line of its own before a statement, or behind one"
	hintPackage = "move it into a function, or into a function's doc comment"
	hintClause  = "put it behind the colon of a case"
)

// where says where a comment stands that is at no statement position, and
// where it may stand instead.
func (l *locator) where(path []ast.Node, c *comment) (where, hint string) {
	pos := l.file.Pos(c.off)
	for i := len(path) - 1; i >= 0; i-- {
		if where, hint = inNode(path[i], pos); where == "" {
			continue
		}
		if hint == "" {
			hint = hintPackage
			if enclosingFunc(path) != nil {
				hint = hintStmt
			}
		}
		return where, hint
	}
	return l.atPackageScope(c, pos)
}

// inNode describes a place by the innermost node that says something about
// it.
func inNode(n ast.Node, pos token.Pos) (where, hint string) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return inClauses(n, pos)
	case *ast.CaseClause, *ast.CommClause:
		return "between case and its colon", hintClause
	case *ast.CompositeLit:
		return "in a composite literal", ""
	case *ast.CallExpr:
		return "in call arguments", ""
	case *ast.StructType:
		return "in a struct type where it belongs to no watched field", "put it on the line above a field of a type that is declared at package scope, or behind the field"
	case *ast.InterfaceType:
		return "in an interface type", "put it into the methods that implement it"
	case *ast.FuncType:
		return "in a parameter list", "to run at entry, put it behind the { or into the doc comment"
	case *ast.FuncDecl, *ast.FuncLit:
		return "in the header of a function", "to run at entry, put it behind the { or into the doc comment"
	case *ast.IfStmt:
		if n.Body.End() <= pos {
			return "between } and else", "put it behind the { of the else"
		}
		return "in the header of an if", "put it behind the { or above the if"
	case *ast.ForStmt, *ast.RangeStmt:
		return "in the header of a for", "put it behind the { or above the for"
	case *ast.SwitchStmt, *ast.TypeSwitchStmt:
		return "in the header of a switch", "put it above the switch"
	case *ast.SelectStmt:
		return "between select and its {", "put it above the select"
	case *ast.LabeledStmt:
		return "between a label and its colon", "put it above the label"
	case *ast.GenDecl:
		return inDecl(n)
	case ast.Expr:
		return "in the middle of an expression", ""
	case ast.Stmt:
		return "in the middle of a statement", ""
	}
	return "", ""
}

func inDecl(decl *ast.GenDecl) (where, hint string) {
	switch decl.Tok {
	case token.IMPORT:
		return "among imports", hintPackage
	case token.CONST:
		return "in a const declaration", ""
	case token.VAR:
		return "in a var declaration", ""
	}
	return "in a type declaration", ""
}

// inClauses describes a place in the body of a switch or select that is in
// none of its clauses.
func inClauses(body *ast.BlockStmt, pos token.Pos) (where, hint string) {
	if len(body.List) == 0 {
		return "in a switch or select without cases", "put it above"
	}
	if pos < body.List[0].Pos() {
		return "before the first case", hintClause
	}
	return "before a case", "to run at the end of the case above, indent it as a statement there; to run in the case below, put it behind its colon"
}

// atPackageScope describes a place outside every declaration.
func (l *locator) atPackageScope(c *comment, pos token.Pos) (where, hint string) {
	if l.preambles[c.group] {
		return "in a cgo preamble, which is C code", hintPackage
	}
	if pos < l.ast.Package {
		return "before the package clause", hintPackage
	}
	if pos < l.ast.Name.End() {
		return "in the package clause", hintPackage
	}
	if !l.behindDecl(pos) {
		if fn, ok := l.nextDecl(pos).(*ast.FuncDecl); ok {
			return "at package scope", "to run at entry of " + fn.Name.Name + ", put it on the line above the func; otherwise move it into a function"
		}
	}
	return "at package scope", hintPackage
}

// nextDecl returns the first declaration behind pos, or nil.
func (l *locator) nextDecl(pos token.Pos) ast.Decl {
	for _, decl := range l.ast.Decls {
		if decl.Pos() > pos {
			return decl
		}
	}
	return nil
}

// behindDecl reports whether a declaration ends on the line of pos, in front
// of it.
func (l *locator) behindDecl(pos token.Pos) bool {
	for _, decl := range l.ast.Decls {
		if decl.End() <= pos && l.sameLine(decl.End(), pos) {
			return true
		}
	}
	return false
}
