package rewrite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/ijongo/ijongo/annot"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A bin is one class of the values of a point: an interval, a condition, or
// all that is in no other.
type bin struct {
	name  string
	pos   token.Position
	kind  string // ijon.Goal, ijon.Never, or ijon.Ignore: such a one does not exist
	in    interval
	cond  *annot.Expr // nil when it is an interval
	made  bool        // by a form that makes many, so that it may be empty
	other bool
	index int // in the spec
}

// result is what a sample says of a value in the bin.
func (b *bin) result() int {
	if b.kind == ijon.Ignore {
		return ijon.NotSampled
	}
	return b.index
}

// maxEach bounds the bins that each and enum make.
const maxEach = 4096

// A binning makes the bins of a point, at its first place. What is wrong is
// the builder's to report.
type binning struct {
	*builder
	point *point
	x     operand
	goals []*bin
	never []*bin // beside those of the goals that became one
}

func (m *binning) failAt(pos token.Position, hint, format string, args ...any) {
	m.errs = append(m.errs, &annot.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// make makes the bins and gives them their numbers.
func (m *binning) make() {
	m.form()
	if len(m.errs) > 0 {
		return
	}
	m.apart(m.goals)
	m.exclude()
	m.apart(m.never)
	if len(m.errs) > 0 {
		return
	}
	m.settle()
}

// settle drops the bins of which nothing is left, and numbers the others: the
// goals first, those that must not be hit last.
func (m *binning) settle() {
	p := m.point
	cuts := slices.Clone(p.ignored)
	for _, b := range m.never {
		m.left(b, p.ignored)
		cuts = append(cuts, b.in)
	}
	never := slices.Clone(m.never)
	for _, b := range m.goals {
		if b.cond != nil {
			p.conds = append(p.conds, b)
		}
		switch {
		case b.kind == ijon.Ignore || b.cond == nil && !m.left(b, cuts):
		case b.kind == ijon.Never:
			never = append(never, b)
		default:
			p.add(b)
		}
	}
	m.rest(cuts)
	for _, b := range never {
		p.add(b)
	}
	if len(p.bins) == 0 && len(m.errs) == 0 {
		m.failAt(p.Pos, "ignore less", "point %s has no bins left", p.name)
	}
}

func (p *point) add(b *bin) {
	b.index = len(p.bins)
	p.bins = append(p.bins, b)
}

// left tells whether the type has values for b beside those that are cut out,
// and reports if it should have.
func (m *binning) left(b *bin, cuts []interval) bool {
	if len(m.point.domain.without(b.in, cuts)) > 0 {
		return true
	}
	if !b.made {
		m.failAt(b.pos, "leave one of them out", "bin %s can never be hit: ignore or never takes all of it", b.name)
	}
	return false
}

// rest adds the bin of what is in no other.
func (m *binning) rest(cuts []interval) {
	p := m.point
	if !p.Other {
		return
	}
	for _, b := range m.goals {
		cuts = append(cuts, b.in)
	}
	if d := p.domain; len(p.conds) == 0 && d.integers() && len(d.without(interval{d.min, d.max}, cuts)) == 0 {
		m.failAt(p.Pos, "leave out the clause", "bin other can never be hit: the bins take all values of %s", m.describe(m.x))
		return
	}
	p.add(&bin{name: "other", pos: p.Pos, other: true})
}

// form makes the goals that the clause bins asks for.
func (m *binning) form() {
	b := m.point.Bins
	if m.point.Verb != annot.Point {
		b = nil // a trans on a field, which has no bins of its own
	}
	if b == nil {
		m.unasked()
		return
	}
	switch b.Form {
	case annot.BinsConds:
		for _, c := range b.Conds {
			m.goals = append(m.goals, &bin{name: c.Name, pos: c.Pos, cond: c.Cond})
		}
	case annot.BinsEnum:
		m.enum(b)
	case annot.BinsBool:
		if m.needs(b.Pos, "a condition", kindBool) {
			m.boolean()
		}
	case annot.BinsLog2:
		if m.needs(b.Pos, "an integer", kindInt, kindUint) {
			m.log2(b.N)
		}
	case annot.BinsEach:
		if m.needs(b.Pos, "an integer", kindInt, kindUint) {
			m.each(&b.List[0])
		}
	case annot.BinsList:
		m.list(b)
	}
}

// needs reports a value of another kind.
func (m *binning) needs(pos token.Position, what string, kinds ...kind) bool {
	if slices.Contains(kinds, m.point.domain.kind) {
		return true
	}
	m.failAt(pos, "", "%s is not %s", m.describe(m.x), what)
	return false
}

const binForms = "write bins enum, bins log2, bins each 0..9, a list as bins 0, 1, 2..7, 8.., or conditions as bins low: x < 3 | high: x > 9"

// unasked makes the bins of a bool and of an enumeration.
func (m *binning) unasked() {
	if m.point.domain.kind == kindBool {
		m.boolean()
		return
	}
	if list := m.constants(m.x.typ); isEnum(list) {
		m.constantBins(list)
		return
	}
	hint := binForms
	switch ptr, ok := m.x.typ.Underlying().(*types.Pointer); {
	case m.point.Verb != annot.Point:
		hint = "write a point on the field too, with bins"
	case ok && isEnum(m.constants(ptr.Elem())):
		hint = "write *" + m.x.text
	}
	m.failAt(m.point.Pos, hint, "point %s needs bins: %s is neither a bool nor an enumeration", m.point.name, m.describe(m.x))
}

// constants are those of a type, if it is a named one.
func (m *binning) constants(t types.Type) []*types.Const {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	return m.prog.constants(m.p.Types, named)
}

// isEnum tells whether constants are an enumeration, rather than units such
// as those of time.Duration, or flags: two at least, and integers that are not
// far apart, nor single bits up to 4 or more.
func isEnum(list []*types.Const) bool {
	if len(list) < 2 {
		return false
	}
	lo, hi := list[0].Val(), list[0].Val()
	bits := true
	for _, c := range list {
		switch v := c.Val(); {
		case v.Kind() == constant.String:
			return true
		case v.Kind() != constant.Int:
			return false
		case less(v, lo):
			lo = v
		case less(hi, v):
			hi = v
		}
		v, _ := constant.Uint64Val(c.Val())
		bits = bits && v&(v-1) == 0
	}
	span, exact := constant.Int64Val(constant.BinaryOp(hi, token.SUB, lo))
	return exact && span < 2*int64(len(list)) && (!bits || less(hi, constant.MakeInt64(4)))
}

// enum makes the bins of a type's constants.
func (m *binning) enum(b *annot.Bins) {
	list := m.constants(m.x.typ)
	if len(list) == 0 {
		m.failAt(b.Pos, binForms, "%s has no constants that package %s can name", m.describe(m.x), m.p.PkgPath)
		return
	}
	var names []string
	for _, c := range list {
		names = append(names, c.Name())
	}
	for i := range b.Without {
		e := &b.Without[i]
		x, ok := m.checked(e)
		if !ok {
			m.errs[len(m.errs)-1].Hint = instead(e.Text, names, m.errs[len(m.errs)-1].Hint)
			return
		}
		at := slices.IndexFunc(list, func(c *types.Const) bool {
			return x.value != nil && types.Identical(x.typ, c.Type()) && equal(x.value, c.Val())
		})
		if at < 0 {
			m.fail(e, token.NoPos, instead(e.Text, names, ""), "%s is no constant of %s", e.Text, types.TypeString(m.x.typ, types.RelativeTo(m.p.Types)))
			return
		}
		list = slices.Delete(list, at, at+1)
	}
	m.constantBins(list)
}

// constantBins makes a bin for each constant but one that counts the others.
func (m *binning) constantBins(list []*types.Const) {
	if end := sentinel(list); end != nil {
		m.point.leftOut = end.Name()
		list = list[:len(list)-1]
	}
	if len(list) > maxEach {
		m.failAt(m.point.Pos, binForms, "the type has %d constants, more than %d", len(list), maxEach)
		return
	}
	for _, c := range list {
		if v := m.point.domain.value(c.Val()); v != nil {
			m.goals = append(m.goals, &bin{name: c.Name(), pos: m.point.Pos, in: single(v), made: true})
		}
	}
}

func (m *binning) boolean() {
	for i, name := range []string{"false", "true"} {
		m.goals = append(m.goals, &bin{name: name, pos: m.point.Pos, in: single(constant.MakeInt64(int64(i))), made: true})
	}
}

// log2 makes 0, 1, 2..3, 4..7 and so on, n bins of which the last is open.
func (m *binning) log2(n int) {
	one := constant.MakeInt64(1)
	for i := range n {
		in := single(constant.MakeInt64(int64(i)))
		if i > 1 {
			in.lo = constant.Shift(one, token.SHL, uint(i-1))
			in.hi = constant.BinaryOp(constant.Shift(one, token.SHL, uint(i)), token.SUB, one)
		}
		if i == n-1 {
			in.hi = nil
		}
		if !m.point.domain.has(in.lo) {
			m.failAt(m.point.Bins.Pos, fmt.Sprintf("write log2 %d", i), "bin %s.. can never be hit: %s ends at %s", in.lo, m.describe(m.x), m.point.domain.max)
			return
		}
		m.goals = append(m.goals, &bin{name: in.String(), pos: m.point.Pos, in: in, made: true})
	}
}

// each makes a bin of each value of a range.
func (m *binning) each(r *annot.Bin) {
	in, ok := m.interval(r)
	if !ok {
		return
	}
	n := constant.BinaryOp(constant.BinaryOp(in.hi, token.SUB, in.lo), token.ADD, constant.MakeInt64(1))
	count, exact := constant.Int64Val(n)
	if !exact || count > maxEach {
		m.failAt(r.Pos, "write log2, or ranges", "each %s makes %s bins, more than %d", r.Name, n, maxEach)
		return
	}
	lit, _ := ast.Unparen(r.Lo.Node).(*ast.BasicLit)
	for i := range count {
		v := constant.BinaryOp(in.lo, token.ADD, constant.MakeInt64(i))
		name := v.ExactString()
		if char, ok := constant.Int64Val(v); ok && lit != nil && lit.Kind == token.CHAR {
			name = strconv.QuoteRune(rune(char))
		}
		m.goals = append(m.goals, &bin{name: name, pos: r.Pos, in: single(v), made: true})
	}
}

// list makes the bins of a list of values and ranges.
func (m *binning) list(b *annot.Bins) {
	if m.point.domain.kind == kindOther {
		m.failAt(b.Pos, "write conditions, as bins low: x.n < 3 | high: x.n > 9", "%s has no values that a list could name", m.describe(m.x))
		return
	}
	for i := range b.List {
		if in, ok := m.interval(&b.List[i]); ok {
			m.goals = append(m.goals, &bin{name: b.List[i].Name, pos: b.List[i].Pos, in: in})
		}
	}
}
