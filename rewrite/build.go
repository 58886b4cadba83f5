package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/ijongo/ijongo/annot"
)

// builder makes the call of the runtime for one directive.
type builder struct {
	prog     *program
	p        *pkg
	at       spot
	kind     kind     // of the annotation's number
	risky    bool     // whether evaluating may panic
	wild     bool     // whether it may otherwise than by a nil pointer
	vouch    bool     // whether the user vouches for the calls
	level    int      // of a ctx, in its function
	pointers []string // variables that must not be nil
	names    []string // that an expression may have beside those of the program
	errs     annot.Errors
}

func (b *builder) fail(e *annot.Expr, pos token.Pos, hint, format string, args ...any) {
	b.errs = append(b.errs, &annot.Error{Pos: e.Position(pos), Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// call is the call for a directive; what it is when there are errors does not
// matter.
func (b *builder) call(d *annot.Directive) string {
	args := make([]operand, len(d.Args))
	for i := range d.Args {
		args[i] = b.operand(&d.Args[i])
	}
	by := b.key(d.By)
	if len(b.errs) > 0 || b.constant(d, args) {
		return ""
	}
	switch d.Verb {
	case annot.Max, annot.Min, annot.Dist, annot.Cmp, annot.Bits, annot.StrDist, annot.StackMax, annot.StackMin:
		return b.slot(d, by, args)
	case annot.Set, annot.Inc:
		return b.situation(string(d.Verb), d.By != nil, by, args)
	case annot.State:
		return b.invoke("state", idMark, by, b.tuple(args))
	case annot.Action:
		return b.action(d, by, args)
	case annot.Ctx:
		return b.invoke("ctx", fmt.Sprint(b.level), b.tuple(args))
	case annot.Xor:
		return b.invoke("xor", b.tuple(args))
	case annot.Cover, annot.Reachable, annot.Unreachable:
		return b.invoke(string(d.Verb), idMark)
	case annot.Always, annot.Maybe:
		return b.invoke(string(d.Verb), idMark, b.boolean(args[0]))
	case annot.Sometimes:
		return b.sometimes(args[0])
	}
	b.errs = append(b.errs, &annot.Error{Pos: d.Pos, Msg: fmt.Sprintf("verb %s cannot be injected", d.Verb)})
	return ""
}

// slot is the call of a verb that keeps the best value. With until it needs
// the key twice, in a block of its own.
func (b *builder) slot(d *annot.Directive, by string, args []operand) string {
	if d.Verb == annot.StackMax || d.Verb == annot.StackMin {
		by = b.invoke("stack")
	}
	if d.Until == nil {
		return b.best(d, by, args)
	}
	key := b.p.prefix + "key"
	call := b.best(d, key, args)
	before := len(b.pointers)
	cond := b.condition(d.Until)
	b.wild = b.wild || len(b.pointers) > before // it comes behind the best value
	return "{ " + key + " := " + b.invoke("u64", by) + "; " + call + "; " + b.invoke("until", idMark, key, cond) + " }"
}

func (b *builder) best(d *annot.Directive, by string, args []operand) string {
	switch d.Verb {
	case annot.Dist:
		return b.dist(by, args[0], args[1])
	case annot.Cmp:
		return b.invoke("cmp", idMark, by, b.integer(args[0]), b.integer(args[1]))
	case annot.Bits:
		return b.invoke("bits", idMark, by, b.integer(args[0]))
	case annot.StrDist:
		return b.strdist(by, args[0], args[1])
	case annot.Min, annot.StackMin:
		return b.extreme("min", by, args[0])
	}
	return b.extreme("max", by, args[0])
}

// constant reports an annotation of which nothing can vary. A situation that
// is named by a constant is one.
func (b *builder) constant(d *annot.Directive, args []operand) bool {
	switch d.Verb {
	case annot.State, annot.Action, annot.Ctx, annot.Xor, annot.Cover, annot.Reachable, annot.Unreachable:
		return false
	}
	for _, x := range args {
		if !x.constant {
			return false
		}
	}
	what := args[0].text + " is constant"
	if len(args) > 1 {
		what = "all arguments are constant"
	}
	hint := "cover NAME says that this place is reached"
	switch {
	case d.Verb == annot.Always:
		hint = "unreachable NAME says that this place must not be reached"
	case d.Name != "":
		hint = fmt.Sprintf("%s = gives the annotation a name and assigns nothing; %s", d.Name, hint)
	}
	b.fail(args[0].expr, token.NoPos, hint, "%s: %s has nothing to tell", what, d.Verb)
	return true
}

// action is the call that names the operation on a group, or on one instance
// of it.
func (b *builder) action(d *annot.Directive, by string, args []operand) string {
	group := fmt.Sprint(b.prog.group(b.at, d))
	if d.By == nil {
		return b.invoke("action", group, b.tuple(args))
	}
	return b.invoke("actionby", group, by, b.tuple(args))
}

// invoke is a call of a function of the added file.
func (b *builder) invoke(name string, args ...string) string {
	text := b.p.use(name) + "("
	for i, a := range args {
		if i > 0 {
			text += ", "
		}
		text += a
	}
	return text + ")"
}

// kindLetter ends the names of functions that exist for each kind of number.
var kindLetter = map[kind]string{kindUint: "u", kindInt: "i", kindFloat: "f"}

// convert is the operand as the runtime takes it.
func (b *builder) convert(x operand, k kind) string {
	return b.invoke(map[kind]string{
		kindUint: "u64", kindInt: "i64", kindFloat: "f64", kindBool: "bool", kindString: "str", kindBytes: "bytes",
	}[k], x.text)
}

func (b *builder) extreme(verb, by string, x operand) string {
	if !x.kind.number() {
		b.notNumber(x)
		return ""
	}
	b.kind = x.kind
	return b.invoke(verb+kindLetter[x.kind], idMark, by, b.convert(x, x.kind))
}

func (b *builder) notNumber(x operand) {
	hint := ""
	switch {
	case x.kind == kindBool || x.kind == kindString:
		hint = fmt.Sprintf("set %s takes any value", x.text)
		if x.kind == kindString {
			hint = fmt.Sprintf("write len(%s), or %s", x.text, hint)
		}
	case hasLen(x.typ):
		hint = fmt.Sprintf("write len(%s)", x.text)
	case isAtomic(x.typ):
		hint = fmt.Sprintf("write %s.Load()", x.text)
	}
	b.fail(x.expr, token.NoPos, hint, "%s is not a number", b.describe(x))
}

// integer is an operand that must be an integer, as 64 bits.
func (b *builder) integer(x operand) string {
	if !isInteger(x.typ) {
		if x.kind.number() {
			b.fail(x.expr, token.NoPos, "", "%s is not an integer", b.describe(x))
		} else {
			b.notNumber(x)
		}
		return ""
	}
	return b.convert(x, kindUint)
}

// common is the kind in which two numbers are compared.
func (b *builder) common(x, y operand) (kind, bool) {
	for _, v := range []operand{x, y} {
		if !v.kind.number() {
			b.notNumber(v)
			return 0, false
		}
	}
	switch {
	case x.kind == y.kind:
		return x.kind, true
	case x.constant && representable(x, y.kind):
		return y.kind, true
	case y.constant && representable(y, x.kind):
		return x.kind, true
	}
	b.fail(y.expr, token.NoPos, "convert one of them", "%s and %s are different kinds of number", b.describe(x), b.describe(y))
	return 0, false
}

func (b *builder) dist(by string, x, y operand) string {
	k, ok := b.common(x, y)
	if !ok {
		return ""
	}
	b.kind = k
	return b.invoke("dist"+kindLetter[k], idMark, by, b.convert(x, k), b.convert(y, k))
}

func (b *builder) strdist(by string, x, y operand) string {
	for _, v := range []operand{x, y} {
		if v.kind != kindString && v.kind != kindBytes {
			b.fail(v.expr, token.NoPos, "", "%s is neither a string nor a byte slice", b.describe(v))
			return ""
		}
	}
	if x.kind == kindBytes && y.kind == kindBytes {
		return b.invoke("bytesdist", idMark, by, b.convert(x, kindBytes), b.convert(y, kindBytes))
	}
	return b.invoke("strdist", idMark, by, b.convert(x, kindString), b.convert(y, kindString))
}

// boolean is an operand that must be a condition.
func (b *builder) boolean(x operand) string {
	if x.kind != kindBool {
		b.fail(x.expr, token.NoPos, "write a comparison", "%s is not a condition", b.describe(x))
		return ""
	}
	return b.convert(x, kindBool)
}

// condition is the text of an if clause.
func (b *builder) condition(e *annot.Expr) string {
	x := b.operand(e)
	if len(b.errs) > 0 {
		return ""
	}
	return b.boolean(x)
}

// key is the instance key of a by clause: an integer is one by itself.
func (b *builder) key(e *annot.Expr) string {
	if e == nil {
		return "0"
	}
	x := b.operand(e)
	if len(b.errs) > 0 {
		return ""
	}
	if isInteger(x.typ) {
		return b.convert(x, kindUint)
	}
	return b.hash(b.p.use("hash"), x)
}

// situation is a set or inc of a tuple.
func (b *builder) situation(verb string, keyed bool, by string, args []operand) string {
	h := b.tuple(args)
	switch {
	case keyed:
		return b.invoke(verb+"by", idMark, by, h)
	case verb == string(annot.Set) && len(args) > 1:
		return b.invoke("settuple", idMark, h)
	}
	return b.invoke(verb, idMark, h)
}

// tuple is the hash of several values.
func (b *builder) tuple(args []operand) string {
	h := b.p.use("hash")
	for _, x := range args {
		h = b.hash(h, x)
	}
	return h
}

// hash folds an operand into h.
func (b *builder) hash(h string, x operand) string {
	letter := map[kind]string{kindUint: "u", kindInt: "i", kindFloat: "f", kindBool: "b", kindString: "s"}[x.kind]
	if letter != "" {
		return b.invoke("hash"+letter, h, b.convert(x, x.kind))
	}
	if why, hint := b.unhashable(x); why != "" {
		b.fail(x.expr, token.NoPos, hint, "%s %s", b.describe(x), why)
		return ""
	}
	return b.invoke("hasha", h, x.text)
}

// sometimes adds to a comparison of integers how far it is from being true.
func (b *builder) sometimes(x operand) string {
	cond := b.boolean(x)
	cmp, ok := ast.Unparen(x.expr.Node).(*ast.BinaryExpr)
	if len(b.errs) > 0 || !ok {
		return b.invoke("sometimes", idMark, cond)
	}
	extra := "0" // what the gap is when the operands are equal
	switch cmp.Op {
	case token.LSS, token.GTR, token.NEQ:
		extra = "1"
	case token.LEQ, token.GEQ, token.EQL:
	default:
		return b.invoke("sometimes", idMark, cond)
	}
	l, r := b.part(x, cmp.X), b.part(x, cmp.Y)
	for _, k := range []kind{kindInt, kindUint} {
		if (l.kind == k || l.constant && representable(l, k)) && (r.kind == k || r.constant && representable(r, k)) {
			gap := b.invoke("gap"+kindLetter[k], idMark, cond, extra, b.convert(l, k), b.convert(r, k))
			return b.invoke("sometimesgap", idMark, cond, gap)
		}
	}
	return b.invoke("sometimes", idMark, cond)
}

// part is an operand of a comparison.
func (b *builder) part(x operand, n ast.Expr) operand {
	tv := x.info.Types[n]
	from, to := x.expr.Position(n.Pos()).Offset-x.expr.Pos.Offset, x.expr.Position(n.End()).Offset-x.expr.Pos.Offset
	return operand{expr: x.expr, text: x.text[from:to], typ: tv.Type, kind: kindOf(tv.Type), constant: tv.Value != nil, value: tv.Value, info: x.info}
}

// describe shows an operand for a message: v (type T).
func (b *builder) describe(x operand) string {
	if x.isNil {
		return "nil"
	}
	t := types.TypeString(x.typ, types.RelativeTo(b.p.Types))
	if tp, ok := types.Unalias(x.typ).(*types.TypeParam); ok {
		t += " constrained by " + types.TypeString(tp.Constraint(), types.RelativeTo(b.p.Types))
	}
	return fmt.Sprintf("%s (type %s)", x.text, t)
}
