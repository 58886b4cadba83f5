package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// planOperands plans counters on the right sides of && and ||, by a call that
// counts and is true: x && y becomes x && (hit && y). Where the type of such an
// expression is not bool itself, or what the constants in it make of it, there
// is none. Files without type information have none either.
func (prog *program) planOperands(f *file) {
	barred := pragmas(f.ast)
	end := f.ast.Name.End()
	for _, d := range f.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); !ok || !barred.between(end, fn.Name.Pos()) {
			prog.planOperandsIn(f, d)
		}
		end = d.End()
	}
}

func (prog *program) planOperandsIn(f *file, d ast.Decl) {
	ast.Inspect(d, func(n ast.Node) bool {
		x, ok := n.(*ast.BinaryExpr)
		if !ok || x.Op != token.LAND && x.Op != token.LOR || f.regionAt(f.tok.Offset(x.Pos())) != nil {
			return true
		}
		tv := f.pkg.TypesInfo.Types[x]
		if tv.Type == nil || tv.Value != nil || !types.Identical(tv.Type, types.Typ[types.Bool]) {
			return true
		}
		id := prog.count(f, prog.display(f.name), KindRight, enclosingName(f, f.tok.Offset(x.Y.Pos())), x.Y.Pos())
		f.insert(f.tok.Offset(x.Y.Pos()), "("+f.pkg.use("right")+"("+strconv.Itoa(id)+") && ")
		f.insert(f.tok.Offset(x.Y.End()), ")")
		return true
	})
}
