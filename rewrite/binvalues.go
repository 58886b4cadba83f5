package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/ijongo/ijongo/annot"
	ijon "github.com/ijongo/ijongo/runtime"
)

// interval is the values that a bin as written stands for. It reports an end
// that the type cannot have.
func (m *binning) interval(b *annot.Bin) (in interval, ok bool) {
	for _, end := range []struct {
		e  *annot.Expr
		to *constant.Value
	}{{b.Lo, &in.lo}, {b.Hi, &in.hi}} {
		if end.e == nil {
			continue
		}
		if *end.to = m.constantEnd(end.e); *end.to == nil {
			return in, false
		}
	}
	if !b.Range {
		in.hi = in.lo
	}
	if in.empty() {
		m.failAt(b.Pos, "write "+b.Hi.Text+".."+b.Lo.Text, "the range %s is empty", b.Name)
		return in, false
	}
	if m.point.domain.kind == kindBool && b.Range {
		m.failAt(b.Pos, "write bins bool", "a range of conditions has no meaning")
		return in, false
	}
	return in, true
}

// constantEnd is the value of a constant, or nil when it reported what is
// wrong with it.
func (m *binning) constantEnd(e *annot.Expr) constant.Value {
	x, ok := m.checked(e)
	if !ok {
		return nil
	}
	if x.value == nil {
		m.fail(e, token.NoPos, "for a condition, write NAME: COND", "%s is not constant", e.Text)
		return nil
	}
	v := m.point.domain.value(x.value)
	if v == nil || !m.comparable(x) {
		m.fail(e, token.NoPos, "", "%s is no value of %s", m.describe(x), m.describe(m.x))
		return nil
	}
	if !m.point.domain.has(v) {
		hint := ""
		if d := m.point.domain; d.integers() {
			hint = "the type has " + d.min.String() + ".." + d.max.String()
		}
		m.fail(e, token.NoPos, hint, "%s can never be hit: %s cannot hold it", e.Text, m.describe(m.x))
		return nil
	}
	return v
}

// checked is an operand, and whether nothing is wrong with it.
func (m *binning) checked(e *annot.Expr) (operand, bool) {
	before := len(m.errs)
	x := m.operand(e)
	return x, len(m.errs) == before
}

// comparable tells whether the program could compare the point with x.
func (m *binning) comparable(x operand) bool {
	b, ok := x.typ.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0 || types.AssignableTo(x.typ, m.x.typ)
}

// apart reports bins that have values in common.
func (m *binning) apart(list []*bin) {
	values := slices.DeleteFunc(slices.Clone(list), func(b *bin) bool { return b.cond != nil })
	slices.SortStableFunc(values, func(a, b *bin) int {
		switch x, y := a.in.lo, b.in.lo; {
		case x == nil && y == nil, x != nil && y != nil && equal(x, y):
			return 0
		case x == nil || y != nil && less(x, y):
			return -1
		}
		return 1
	})
	var widest *bin // of those so far, the one that ends last
	for _, b := range values {
		if widest != nil && widest.in.overlaps(b.in) {
			m.overlap(widest, b)
			return
		}
		widest = b
	}
}

func (m *binning) overlap(a, b *bin) {
	first, second := a, b
	if b.pos.Offset < a.pos.Offset {
		first, second = b, a
	}
	if a.in.one() && b.in.one() {
		m.failAt(second.pos, "leave one out", "bins %s and %s are the same value", first.name, second.name)
		return
	}
	m.failAt(second.pos, "a value is in one bin", "bins %s and %s overlap", first.name, second.name)
}

// exclude takes out what ignore names, and makes the bins of never.
func (m *binning) exclude() {
	if m.point.Verb != annot.Point {
		return
	}
	if s := m.point.Ignore; s != nil {
		for i := range s.Bins {
			m.ignore(&s.Bins[i])
		}
	}
	if s := m.point.Never; s != nil {
		for i := range s.Bins {
			m.forbid(&s.Bins[i])
		}
	}
}

func (m *binning) ignore(b *annot.Bin) {
	if have := m.goalNamed(b); have != nil {
		if have.cond == nil {
			m.point.ignored = append(m.point.ignored, have.in)
		}
		have.kind = ijon.Ignore
		return
	}
	if in, ok := m.excluded(b); ok {
		m.point.ignored = append(m.point.ignored, in)
	}
}

func (m *binning) forbid(b *annot.Bin) {
	if have := m.goalNamed(b); have != nil {
		if have.kind == ijon.Ignore {
			m.failAt(b.Pos, "leave out one of the two", "bin %s is ignored, too", have.name)
		}
		have.kind = ijon.Never
		return
	}
	if in, ok := m.excluded(b); ok {
		m.never = append(m.never, &bin{name: b.Name, pos: b.Pos, kind: ijon.Never, in: in})
	}
}

// goalNamed is the bin that an identifier or a string names, or nil.
func (m *binning) goalNamed(b *annot.Bin) *bin {
	name := nameOf(b)
	for _, have := range m.goals {
		if name != "" && (have.name == name || have.name == b.Name) {
			return have
		}
	}
	return nil
}

// nameOf is the name that a bin as written may be: an identifier, or the text
// of a string.
func nameOf(b *annot.Bin) string {
	if b.Range || b.Lo == nil {
		return ""
	}
	switch n := b.Lo.Node.(type) {
	case *ast.Ident:
		return n.Name
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			if text, err := strconv.Unquote(n.Value); err == nil {
				return text
			}
		}
	}
	return ""
}

// excluded are the values that an item of ignore or never stands for.
func (m *binning) excluded(b *annot.Bin) (interval, bool) {
	var names []string
	conds := false
	for _, have := range m.goals {
		names = append(names, have.name)
		conds = conds || have.cond != nil
	}
	if conds || m.point.domain.kind == kindOther {
		m.failAt(b.Pos, instead(b.Name, names, "name a bin"), "point %s has no bin %s", m.point.name, b.Name)
		return interval{}, false
	}
	before := len(m.errs)
	in, ok := m.interval(b)
	if id := nameOf(b); !ok && id != "" && len(m.errs) > before {
		if _, isConst := m.p.Types.Scope().Lookup(id).(*types.Const); !isConst {
			m.errs[before].Msg = "point " + m.point.name + " has no bin " + b.Name
			m.errs[before].Hint = instead(id, names, "name a bin, or a constant")
		}
	}
	return in, ok
}

// String is lo..hi, with nothing for an open end, or the value alone.
func (in interval) String() string {
	end := func(v constant.Value) string {
		if v == nil {
			return ""
		}
		return v.ExactString()
	}
	if in.one() {
		return end(in.lo)
	}
	return end(in.lo) + ".." + end(in.hi)
}
