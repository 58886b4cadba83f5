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
	prog  *program
	p     *pkg
	at    spot
	kind  kind // of the annotation's number
	risky bool // whether evaluating may panic
	errs  annot.Errors
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
	if len(b.errs) > 0 {
		return ""
	}
	switch d.Verb {
	case annot.Max, annot.Min:
		return b.extreme(string(d.Verb), by, args[0])
	case annot.Dist:
		return b.dist(by, args[0], args[1])
	case annot.Cmp:
		return b.invoke("cmp", idMark, by, b.integer(args[0]), b.integer(args[1]))
	case annot.Bits:
		return b.invoke("bits", idMark, by, b.integer(args[0]))
	case annot.StrDist:
		return b.strdist(by, args[0], args[1])
	case annot.Set, annot.Inc:
		return b.situation(string(d.Verb), d.By != nil, by, args)
	case annot.Cover:
		return b.invoke("cover", idMark)
	case annot.Always:
		return b.invoke("always", idMark, b.boolean(args[0]))
	case annot.Sometimes:
		return b.sometimes(args[0])
	}
	b.errs = append(b.errs, &annot.Error{Pos: d.Pos, Msg: fmt.Sprintf("verb %s cannot be injected", d.Verb)})
	return ""
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
	if x.kind != kindInt && x.kind != kindUint {
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
	if x.kind == kindInt || x.kind == kindUint {
		return b.convert(x, kindUint)
	}
	return b.hash(b.p.use("hash"), x)
}

// situation is a set or inc of a tuple.
func (b *builder) situation(verb string, keyed bool, by string, args []operand) string {
	h := b.p.use("hash")
	for _, x := range args {
		h = b.hash(h, x)
	}
	switch {
	case keyed:
		return b.invoke(verb+"by", idMark, by, h)
	case verb == string(annot.Set) && len(args) > 1:
		return b.invoke("settuple", idMark, h)
	}
	return b.invoke(verb, idMark, h)
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
	b.risky = true // it prints the value, which may call methods
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
			gap := b.invoke("gap"+kindLetter[k], cond, extra, b.convert(l, k), b.convert(r, k))
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
