package rewrite

import (
	"go/ast"
	"go/types"
	"strings"
)

// planHooks turns every f.Fuzz of a *testing.F into a call of the engine.
func (prog *program) planHooks() {
	for _, list := range [][]*pkg{prog.pkgs, prog.tests} {
		for _, p := range list {
			if p.mod != prog.main {
				continue
			}
			for _, f := range p.files {
				p.hook(f)
			}
		}
	}
}

// hook replaces the selectors of f: X.Fuzz by ijongo_fuzz(X), where X may
// reach the *testing.F through embedded fields, and the method expression
// (*testing.F).Fuzz by a function that does the same.
func (p *pkg) hook(f *file) {
	ast.Inspect(f.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		s := p.TypesInfo.Selections[sel]
		if s == nil || !isFuzzMethod(s.Obj()) {
			return true
		}
		path := embeddedPath(s)
		before, after := p.prefix+"fuzz(", path+")"
		if s.Kind() == types.MethodExpr {
			x, fn := p.prefix+"x", p.prefix+"fn"
			before = "func(" + x + " "
			after = ", " + fn + " interface{}) { " + p.prefix + "fuzz(" + x + path + ")(" + fn + ") }"
		}
		p.hooked = true
		f.insert(f.tok.Offset(sel.Pos()), before)
		f.replace(f.tok.Offset(sel.X.End()), f.tok.Offset(sel.End()), after)
		return true
	})
}

func isFuzzMethod(obj types.Object) bool {
	fn, ok := obj.(*types.Func)
	return ok && fn.FullName() == "(*testing.F).Fuzz"
}

// embeddedPath is the selection of the embedded fields through which s goes,
// such as ".F".
func embeddedPath(s *types.Selection) string {
	var path strings.Builder
	t := s.Recv()
	index := s.Index()
	for _, i := range index[:len(index)-1] {
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		field := t.Underlying().(*types.Struct).Field(i)
		path.WriteString("." + field.Name())
		t = field.Type()
	}
	return path.String()
}
