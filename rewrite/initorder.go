package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/ijongo/ijongo/annot"
)

// references are what the package-level declarations of a package refer to:
// the graph that decides in which order variables are initialised.
type references map[types.Object][]types.Object

// references collects the graph of p, once.
func (p *pkg) references() references {
	if p.refs == nil {
		p.refs = references{}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				p.addReferences(d)
			}
		}
	}
	return p.refs
}

func (p *pkg) addReferences(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body != nil {
			p.refs[p.TypesInfo.Defs[d.Name]] = referred(d.Body, p.TypesInfo.Uses, p.Types)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			for i, name := range v.Names {
				values := v.Values
				if len(v.Values) == len(v.Names) {
					values = v.Values[i : i+1]
				}
				for _, x := range values {
					obj := p.TypesInfo.Defs[name]
					p.refs[obj] = append(p.refs[obj], referred(x, p.TypesInfo.Uses, p.Types)...)
				}
			}
		}
	}
}

// referred are the package-level variables, functions and methods of a package
// that a node names.
func referred(n ast.Node, uses map[*ast.Ident]types.Object, in *types.Package) []types.Object {
	var list []types.Object
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := uses[id].(type) {
		case *types.Var:
			if obj.Parent() == in.Scope() {
				list = append(list, obj)
			}
		case *types.Func:
			if obj.Pkg() == in {
				list = append(list, obj.Origin())
			}
		}
		return true
	})
	return list
}

// reach is all that from refers to, also through others.
func (r references) reach(from ...types.Object) map[types.Object]bool {
	seen := map[types.Object]bool{}
	from = slices.Clone(from) // it is used up
	for len(from) > 0 {
		obj := from[len(from)-1]
		from = from[:len(from)-1]
		if !seen[obj] {
			seen[obj] = true
			from = append(from, r[obj]...)
		}
	}
	return seen
}

// earlyRead reports an expression that refers to a package variable where
// some other variable is initialised through the function around it: that
// one would have to wait for the first, or both for each other.
func (b *builder) earlyRead(e *annot.Expr, info *types.Info) bool {
	named := referred(e.Node, info.Uses, b.p.Types)
	if len(named) == 0 {
		return false
	}
	around := b.p.declarationAt(b.at.pos)
	refs := b.p.references()
	reads := refs.reach(named...)
	for i, init := range b.p.TypesInfo.InitOrder {
		needs := refs.reach(objects(init.Lhs)...)
		if !needs[around] {
			continue
		}
		late := b.p.TypesInfo.InitOrder[i+1:]
		v := firstOf(late, func(v *types.Var) bool { return slices.Contains(named, types.Object(v)) && !needs[v] })
		if v == nil {
			v = firstOf(late, func(v *types.Var) bool { return reads[v] && !needs[v] })
		}
		if v != nil {
			b.fail(e, token.NoPos, "annotate what runs later", "%s would be initialised in another order: %s is initialised through this function",
				v.Name(), init.Lhs[0].Name())
			return true
		}
	}
	return false
}

// firstOf is the first variable that is found, or nil.
func firstOf(order []*types.Initializer, found func(*types.Var) bool) *types.Var {
	for _, init := range order {
		for _, v := range init.Lhs {
			if found(v) {
				return v
			}
		}
	}
	return nil
}

func objects(vars []*types.Var) []types.Object {
	list := make([]types.Object, len(vars))
	for i, v := range vars {
		list[i] = v
	}
	return list
}

// declarationAt is the function or the first variable whose package-level
// declaration is around a position in typed syntax, or nil.
func (p *pkg) declarationAt(pos token.Pos) types.Object {
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			if pos < d.Pos() || d.End() < pos {
				continue
			}
			if fn, ok := d.(*ast.FuncDecl); ok {
				return p.TypesInfo.Defs[fn.Name]
			}
			for _, spec := range d.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && v.Pos() <= pos && pos <= v.End() {
					return p.TypesInfo.Defs[v.Names[0]]
				}
			}
		}
	}
	return nil
}
