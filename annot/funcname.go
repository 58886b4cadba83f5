package annot

import "go/ast"

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
