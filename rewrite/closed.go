package rewrite

import "go/types"

// implementations looks into the methods that a call of an interface's method
// may reach. All of them are known only of an interface that other packages
// cannot name or cannot implement, and then all must be instrumented.
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
// provide the values of the interface that a method belongs to.
func (prog *program) closed(method *types.Func) bool {
	p := prog.packageByPath(method.Pkg().Path())
	if p == nil {
		return false
	}
	t := method.Signature().Recv().Type()
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range iface.Methods() {
		if !m.Exported() {
			return true
		}
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && (p.Name == "main" || !named.Obj().Exported())
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

// methodOf is the method of a declared type that has methods of all names of
// an interface.
func methodOf(obj types.Object, iface *types.Interface, name string) *types.Func {
	tn, ok := obj.(*types.TypeName)
	if !ok || types.IsInterface(tn.Type()) {
		return nil
	}
	var impl *types.Func
	for m := range iface.Methods() {
		have, _, _ := types.LookupFieldOrMethod(tn.Type(), true, m.Pkg(), m.Name())
		fn, ok := have.(*types.Func)
		if !ok {
			return nil
		}
		if m.Name() == name {
			impl = fn
		}
	}
	return impl
}
