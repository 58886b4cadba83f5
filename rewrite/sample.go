package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// A place is one at which a group is sampled.
type place struct {
	spot
	when     string            // for the manifest: entry, exit, line or write
	from     token.Position    // of the directive
	function bool              // the entry or the exit of a function
	exit     bool              // deferred, so that named results are seen
	put      func(stmt string) // inserts the statement
	watched  *watched          // of a type's own group: the field
	owner    string            // of a type's own group: the struct
	points   []string          // the texts that give the bins
	events   []string          // the texts of the conditions
	guard    string            // the text of the group's clause if
	by       string            // the text of the instance key
	wild     bool              // whether guard or by may panic otherwise than by a nil pointer
	guarded  []string          // pointers that guard follows
	keyed    []string          // pointers that by follows
}

func (at *place) pkg() *pkg { return at.file.pkg }

// same tells whether both are the entry, or the exit, of one function.
func (at *place) same(other *place) bool {
	return at.function && other.function && at.spot.pos == other.spot.pos && at.exit == other.exit
}

// placeOf is where an inline directive stands.
func (prog *program) placeOf(f *file, d, typed *annot.Placed) *place {
	at := &place{spot: spot{file: f, fn: enclosingName(f, d.Offset), in: typed.Func, pos: lookupPos(typed)}, when: "line"}
	switch d.Place {
	case annot.Entry:
		at.when, at.function = "entry", true
	case annot.Exit:
		at.when, at.function, at.exit = "exit", true, true
	}
	at.put = func(stmt string) { f.insert(d.Offset, d.Insertion(stmt)) }
	if at.exit {
		at.put = f.deferral(d.Func.(*ast.FuncDecl).Body)
	}
	return at
}

// deferral puts a deferred statement at the start of a function, behind the
// statements that take locks and defer giving them back: it then runs while
// these are held.
func (f *file) deferral(body *ast.BlockStmt) func(stmt string) {
	var locked ast.Stmt
	for _, s := range body.List {
		if calls(s, "Unlock", "RUnlock") {
			locked = s
		} else if !calls(s, "Lock", "RLock") {
			break
		}
	}
	return func(stmt string) {
		if locked != nil {
			f.insert(f.tok.Offset(locked.End()), "; "+stmt)
			return
		}
		f.insert(f.tok.Offset(body.Lbrace)+1, stmt+"; ")
	}
}

// calls tells whether a statement calls a method without arguments: one of
// Lock at once, and of Unlock by defer.
func calls(s ast.Stmt, names ...string) bool {
	var call ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		call = s.X
	case *ast.DeferStmt:
		call = s.Call
	}
	c, ok := call.(*ast.CallExpr)
	if !ok || len(c.Args) > 0 {
		return false
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	_, deferred := s.(*ast.DeferStmt)
	return ok && slices.Contains(names, sel.Sel.Name) && deferred == strings.HasSuffix(sel.Sel.Name, "Unlock")
}

// sampleIn is the place that the clause sample of a group names.
func (prog *program) sampleIn(p *pkg, d *annot.Directive) (*place, *annot.Error) {
	s := d.Sample
	f, fn := p.function(s.Func)
	switch {
	case fn == nil:
		return nil, p.stale(s.Pos, s.Func)
	case f.skipped != "":
		return nil, f.leftOut(s.Pos)
	}
	if r := f.regionAt(f.tok.Offset(fn.Body.Lbrace) + 1); r != nil {
		return nil, &annot.Error{Pos: s.Pos, Msg: describeRegion(r) + ": the group is not sampled", Warning: true}
	}
	at, lost := prog.functionPlace(f, fn, s.Func, s.At == annot.AtExit)
	if lost {
		return nil, p.stale(s.Pos, s.Func)
	}
	return at, nil
}

// functionPlace is the entry or the exit of a function. It fails when cgo has
// made another one of it.
func (prog *program) functionPlace(f *file, fn *ast.FuncDecl, name string, exit bool) (at *place, lost bool) {
	typed := fn
	if f.cgo != nil {
		if typed = declOf(f.cgo, name); typed == nil {
			return nil, true
		}
	}
	at = &place{
		spot: spot{file: f, fn: name, in: typed, pos: typed.Body.Lbrace + 1},
		when: "entry", function: true, exit: exit,
		put: func(stmt string) { f.insert(f.tok.Offset(fn.Body.Lbrace)+1, stmt+"; ") },
	}
	if exit {
		at.when, at.put = "exit", f.deferral(fn.Body)
	}
	return at, false
}

// ofType is the receiver, parameter or named result of a function that has
// the type on whose field a member stands.
func (at *place) ofType(m *member) (string, *annot.Error) {
	typ := m.field.spec.Name.Name
	fault := func(hint, format string, args ...any) (string, *annot.Error) {
		return "", &annot.Error{Pos: m.Pos, Hint: hint, Msg: fmt.Sprintf(format, args...)}
	}
	decl := at.declaration()
	if decl == nil {
		return fault("write a point below the group", "the group is sampled outside of a function")
	}
	lists := []*ast.FieldList{decl.Recv, decl.Type.Params, decl.Type.Results}
	for _, list := range lists {
		found := at.fieldsOf(list, typ)
		if len(found) > 1 {
			return fault("write a point below the group", "%s has several of type %s: %s", at.fn, typ, strings.Join(found, ", "))
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return fault("write a point below the group, or sample it in a method of "+typ, "%s, where the group is sampled, has no receiver, parameter or named result of type %s", at.fn, typ)
}

// declaration is the function declaration around the place, in typed syntax.
func (at *place) declaration() *ast.FuncDecl {
	tree := at.file.ast
	if at.file.cgo != nil {
		tree = at.file.cgo
	}
	for _, d := range tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= at.pos && at.pos <= fn.End() {
			return fn
		}
	}
	return nil
}

// fieldsOf are the names in a list that are of a type of the package, or
// pointers to it, and that are seen at the place.
func (at *place) fieldsOf(list *ast.FieldList, typ string) (names []string) {
	if list == nil {
		return nil
	}
	p := at.pkg()
	scope := p.Types.Scope().Innermost(at.pos)
	for _, f := range list.List {
		for _, id := range f.Names {
			obj := p.TypesInfo.Defs[id]
			if obj == nil || !isNamed(obj.Type(), p, typ) {
				continue
			}
			if _, seen := scope.LookupParent(id.Name, at.pos); seen == obj {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

func isNamed(t types.Type, p *pkg, name string) bool {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() == p.Types
}

// evaluate checks all that is evaluated at a place. It reports whether the
// next place is worth looking at.
func (r *resolver) evaluate(at *place) bool {
	reported := len(r.errs)
	if d := r.g.d; d != nil {
		b := r.builder(at, d)
		if d.If != nil {
			at.guard = b.condition(d.If)
		}
		at.guarded = b.taken()
		at.by = r.instance(b, d.By)
		at.keyed, at.wild = b.taken(), b.wild
		r.take(b, at)
	} else {
		r.ownInstance(at, r.by)
	}
	for _, p := range r.g.points {
		at.points = append(at.points, r.check(p, at))
	}
	if len(r.errs) > reported {
		return false
	}
	for _, e := range r.events() {
		at.events = append(at.events, r.event(e, at))
	}
	return len(r.errs) == reported
}

// builder checks expressions of a directive at a place.
func (r *resolver) builder(at *place, d *annot.Directive) *builder {
	return &builder{prog: r.prog, at: at.spot, p: at.pkg(), vouch: d.Pure}
}

// untested are the pointers that b has noted, but for those that the sample as
// a whole tests for nil.
func (at *place) untested(b *builder) []string {
	return slices.DeleteFunc(b.taken(), func(name string) bool {
		return !at.wild && (slices.Contains(at.guarded, name) || slices.Contains(at.keyed, name))
	})
}

// take takes over what a builder has found, and says which place of several
// it was.
func (r *resolver) take(b *builder, at *place) {
	for _, e := range b.errs {
		if len(r.g.places) > 1 && r.g.typ == "" {
			e.Hint = strings.TrimPrefix(e.Hint+"; "+fmt.Sprintf("where group %s is sampled in %s", r.g.name, at.fn), "; ")
		}
	}
	r.errs = append(r.errs, b.errs...)
}

// instance is the text of a group's key: of the object for a pointer, else an
// integer.
func (r *resolver) instance(b *builder, by *annot.Expr) string {
	if by == nil {
		return "0"
	}
	x := b.operand(by)
	if len(b.errs) > 0 {
		return ""
	}
	object := !x.isNil && isPointer(x.typ)
	if len(r.g.spec.By) > 0 && object != r.g.object {
		b.fail(by, token.NoPos, "use two groups", "%s is a pointer at one place and none at another", by.Text)
		return ""
	}
	r.g.spec.By, r.g.object = by.Text, object
	switch {
	case object:
		return x.text
	case x.kind == kindInt || x.kind == kindUint:
		return b.convert(x, kindUint)
	}
	return b.hash(b.p.use("hash"), x)
}

// protected is a call that evaluates body, which returns a value of a type of
// the added file, or what failed when body panics.
func (b *builder) protected(typ, failed, body string) string {
	guard := ""
	result := b.p.use(typ)
	if b.wild {
		v := b.p.prefix + "v"
		result = "(" + v + " " + result + ")"
		guard = v + " = " + failed + "; defer " + b.p.use("recover") + "(); "
	}
	return "func() " + result + " { " + guard + body + " }()"
}

// emit plans the samples of the group, and what they call.
func (r *resolver) emit() {
	p := r.g.pkg
	for _, point := range r.g.points {
		if len(point.conds) == 0 {
			p.declared = append(p.declared, r.classify(point))
		}
	}
	p.declared = append(p.declared, r.sampler())
	for _, at := range r.g.places {
		at.put(r.sample(at))
	}
}

// call is the name, without the prefix of the package, of the function that
// samples the group.
func (r *resolver) call() string { return fmt.Sprintf("sample%d", r.g.number) }

// sampler is the declaration of that function.
func (r *resolver) sampler() string {
	g := r.g
	by, fn := "by ijongo_rt.Uint64", "SampleGroup"
	if g.object {
		by, fn = "by ijongo_rt.Any", "SampleObject"
	}
	params, args := []string{by}, []string{fmt.Sprint(g.number), "by", "0"}
	if len(g.spec.Events) > 0 {
		params, args[2] = append(params, "events ijongo_rt.Uint64"), "events"
	}
	for i := range g.points {
		params = append(params, fmt.Sprintf("p%d ijongo_rt.Int", i))
		args = append(args, fmt.Sprintf("p%d", i))
	}
	return fmt.Sprintf("func ijongo_%s(%s) { ijongo_rt.%s(%s) }", r.call(), strings.Join(params, ", "), fn, strings.Join(args, ", "))
}

// sample is the statement that samples the group at a place. Nothing is
// evaluated in a program that nobody observes.
func (r *resolver) sample(at *place) string {
	p := at.pkg()
	args := []string{at.by}
	if len(at.events) > 0 {
		args = append(args, strings.Join(at.events, " | "))
	}
	stmt := p.prefix + r.call() + "(" + strings.Join(slices.Concat(args, at.points), ", ") + ")"
	under := func(stmt string) string {
		if at.guard != "" {
			return "if (" + at.guard + ") { " + stmt + " }"
		}
		return stmt
	}
	switch {
	case at.wild:
		stmt = fmt.Sprintf("defer %s(%d); %s", p.use("guardgroup"), r.g.number, under(stmt))
	case len(at.guarded)+len(at.keyed) > 0:
		skip := fmt.Sprintf("%s(%d)", p.use("skipgroup"), r.g.number)
		stmt = unlessNil(at.guarded, under(unlessNil(at.keyed, stmt, skip)), skip)
	default:
		stmt = under(stmt)
	}
	switch {
	case at.exit:
		stmt = "defer func() { " + stmt + " }()"
	case at.wild:
		stmt = "func() { " + stmt + " }()"
	}
	return "if " + p.use("observed") + "() { " + stmt + " }"
}

// samples are the places of a group, for the manifest.
func (g *group) samples(prog *program) (list []Sample) {
	for _, at := range g.places {
		list = append(list, Sample{Func: at.fn, When: at.when, Pos: prog.displayPosition(at.from)})
	}
	return list
}
