package rewrite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// implementations looks into the methods that a call of an interface's method
// may reach. All of them are known only in a program, and of an interface that
// other packages cannot name or cannot implement; then all must be instrumented.
func (r reader) implementations(method *types.Func) bool {
	if r.prog.elsewhere(method.Pkg().Path()) {
		return true
	}
	if known, ok := r.prog.reads[method]; ok {
		return known
	}
	known := r.prog.closed(method) && r.allRead(method)
	r.prog.reads[method] = known
	return known
}

// closed tells whether only instrumented packages, and what they import, can
// provide the values of the interface that a method belongs to. Tests can
// where they declare a method of that name.
func (prog *program) closed(method *types.Func) bool {
	p := prog.packageByPath(method.Pkg().Path())
	if p == nil {
		return false
	}
	t := method.Signature().Recv().Type()
	iface, ok := t.Underlying().(*types.Interface)
	return ok && (p.Name == "main" || ownOnly(t, iface)) && !prog.inTests(p, method.Name())
}

// ownOnly tells whether other packages cannot name an interface, or cannot
// implement it.
func ownOnly(t types.Type, iface *types.Interface) bool {
	for m := range iface.Methods() {
		if !m.Exported() {
			return true
		}
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && !named.Obj().Exported()
}

// inTests tells whether a test file in the folder of p has a method of that
// name, or does not say.
func (prog *program) inTests(p *pkg, method string) bool {
	names, err := sources(p.dir, "*_test.go")
	if err != nil {
		return true
	}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return true
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.Name == method {
				return true
			}
		}
	}
	return false
}

// allRead tells whether there are implementations and all of them only read.
func (r reader) allRead(method *types.Func) bool {
	iface := method.Signature().Recv().Type().Underlying().(*types.Interface)
	found := r.prog.alone
	for _, p := range r.prog.pkgs {
		for _, obj := range p.TypesInfo.Defs { // those of functions, too
			if impl := methodOf(obj, iface, method.Name()); impl != nil {
				if found = true; !r.function(impl) {
					return false
				}
			}
		}
	}
	foreign := map[string]*types.Package{}
	for _, p := range r.prog.pkgs {
		imported(p.Types, foreign)
	}
	for _, p := range foreign {
		if r.prog.packageByPath(p.Path()) != nil {
			continue
		}
		for _, name := range p.Scope().Names() {
			if methodOf(p.Scope().Lookup(name), iface, method.Name()) != nil {
				return false
			}
		}
	}
	return found
}

// imported collects the packages below p.
func imported(p *types.Package, found map[string]*types.Package) {
	for _, dep := range p.Imports() {
		if found[dep.Path()] == nil {
			found[dep.Path()] = dep
			imported(dep, found)
		}
	}
}

// methodOf is the method of a declared type that has all methods of an
// interface. Types are compared as text: another load has other objects.
func methodOf(obj types.Object, iface *types.Interface, name string) *types.Func {
	tn, ok := obj.(*types.TypeName)
	if !ok || types.IsInterface(tn.Type()) {
		return nil
	}
	var impl *types.Func
	for m := range iface.Methods() {
		have, _, _ := types.LookupFieldOrMethod(tn.Type(), true, m.Pkg(), m.Name())
		fn, ok := have.(*types.Func)
		if !ok || !isGeneric(tn.Type()) && shape(fn) != shape(m) {
			return nil
		}
		if m.Name() == name {
			impl = fn
		}
	}
	return impl
}

// isGeneric tells whether a type has parameters, so that the types of its
// methods are not known yet.
func isGeneric(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.TypeParams().Len() > 0
}

// shape is the type of a method without the names of parameters.
func shape(fn *types.Func) string {
	sig := fn.Signature()
	text := fmt.Sprint(sig.Variadic())
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		text += ";"
		for v := range list.Variables() {
			text += types.TypeString(v.Type(), nil) + ","
		}
	}
	return text
}
