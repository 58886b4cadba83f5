package annot

import (
	"go/ast"
	"go/token"
	"strings"
)

// FuncName spells a declared function as anchors do: "F", "(*T).M" for a
// pointer receiver, "(T).M" for a value receiver. Type parameters of the
// receiver are left out.
func FuncName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return decl.Name.Name
	}
	star, typ := "", ast.Unparen(decl.Recv.List[0].Type)
	if p, ok := typ.(*ast.StarExpr); ok {
		star, typ = "*", ast.Unparen(p.X)
	}
	switch t := typ.(type) {
	case *ast.IndexExpr:
		typ = t.X
	case *ast.IndexListExpr:
		typ = t.X
	}
	name, ok := typ.(*ast.Ident)
	if !ok {
		return decl.Name.Name // does not type-check
	}
	return "(" + star + name.Name + ")." + decl.Name.Name
}

// function checks a function's name and spells it as FuncName does.
func (p *parser) function(s span) (string, bool) {
	text := string(p.src[s.lo:s.hi])
	recv, method, isMethod := strings.Cut(text, ".")
	if !isMethod && token.IsIdentifier(text) {
		return text, true
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(recv, "("), ")")
	bracketed := recv == "("+inner+")"
	typ := inner
	if bracketed {
		typ = strings.TrimPrefix(inner, "*")
	}
	if (bracketed || recv == inner) && token.IsIdentifier(typ) && token.IsIdentifier(method) {
		return "(" + inner + ")." + method, true
	}
	p.errorf(s.lo, "write F, (*T).M or (T).M, without type parameters", "%s is not the name of a function", text)
	return "", false
}
