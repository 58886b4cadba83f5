package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"strconv"

	"github.com/ijongo/ijongo/annot"
)

// The clauses ignore and never of a cross are decided for each tuple of bins
// before anything runs. A comparison is decided by a bin when it is true of
// all its values, or of none.

// verdict is what a condition is for a tuple of bins.
type verdict struct {
	holds bool
	why   *undecided // nil when it is decided
}

// undecided says which comparison a bin does not decide.
type undecided struct {
	text, point string
	bin         *bin
	pos         token.Pos
}

// A crossing compiles the condition of a cross.
type crossing struct {
	*resolver
	axes   []axis
	cond   *annot.Expr
	failed bool
}

// test is a condition on tuples.
type test = func([]*bin) verdict

func (c *crossing) reject(n ast.Node, hint, format string, args ...any) test {
	if !c.failed {
		c.failAt(c.cond.Position(n.Pos()), hint, format, args...)
	}
	c.failed = true
	return nil
}

func (c *crossing) text(n ast.Node) string {
	from, to := c.cond.Position(n.Pos()).Offset-c.cond.Pos.Offset, c.cond.Position(n.End()).Offset-c.cond.Pos.Offset
	return c.cond.Text[from:to]
}

const crossForms = "write P == BIN, P < 3, P or !P of points of the cross, joined by &&, || and ()"

// compile makes the test of a condition, or reports what it cannot be made of.
func (c *crossing) compile(e ast.Expr) test {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return not(c.compile(e.X))
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			return both(c.compile(e.X), c.compile(e.Y), false)
		case token.LOR:
			return both(c.compile(e.X), c.compile(e.Y), true)
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return c.comparison(e)
		}
	case *ast.Ident, *ast.SelectorExpr:
		return c.holding(e)
	}
	return c.reject(e, crossForms, "%s is decided by no bins", c.text(e))
}

func not(x test) test {
	return func(at []*bin) verdict {
		v := x(at)
		return verdict{!v.holds, v.why}
	}
}

// both is && or, with settles true, ||: what one side settles does not depend
// on the other.
func both(x, y test, settles bool) test {
	return func(at []*bin) verdict {
		a, b := x(at), y(at)
		switch {
		case a.why == nil && a.holds == settles:
			return a
		case b.why == nil && b.holds == settles, a.why == nil:
			return b
		}
		return a
	}
}

// axisOf is the axis that P or P@a names, or -1.
func (c *crossing) axisOf(e ast.Expr) int {
	var point, instance string
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		point = e.Name
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		if !ok {
			return -1
		}
		point, instance = x.Name, e.Sel.Name
	}
	found := -1
	for i, a := range c.axes {
		if a.term.Point != point || instance != "" && a.term.Instance != instance {
			continue
		}
		if found >= 0 {
			return -1 // P alone, where P@a and P@b are two
		}
		found = i
	}
	return found
}

// unknown reports operands of which none is a point of the cross.
func (c *crossing) unknown(operands ...ast.Expr) test {
	e := operands[0]
	for _, x := range operands {
		switch ast.Unparen(x).(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.BasicLit:
		default:
			return c.reject(x, crossForms, "%s is decided by no bins", c.text(x))
		}
	}
	var names []string
	for _, a := range c.axes {
		names = append(names, a.term.String())
	}
	return c.reject(e, instead(c.text(e), names, ""), "%s is no point of the cross", c.text(e))
}

// holding is the test of a bool point that stands alone.
func (c *crossing) holding(e ast.Expr) test {
	i := c.axisOf(e)
	if i < 0 {
		return c.unknown(e)
	}
	if c.axes[i].domain.kind != kindBool {
		return c.reject(e, "compare it with a bin", "point %s is no condition", c.axes[i].name)
	}
	return c.against(e, i, token.EQL, constant.MakeInt64(1))
}

func (c *crossing) comparison(e *ast.BinaryExpr) test {
	x, y, op := e.X, e.Y, e.Op
	i := c.axisOf(x)
	if i < 0 {
		if i = c.axisOf(y); i >= 0 {
			x, y, op = y, x, mirrored(op)
		}
	}
	switch {
	case i < 0:
		return c.unknown(x, y)
	case c.axisOf(y) >= 0:
		return c.reject(e, crossForms, "%s compares two points", c.text(e))
	}
	p := c.axes[i].point
	if name := c.binName(y); name != "" && (op == token.EQL || op == token.NEQ) {
		if b := p.named(name); b != nil {
			return func(at []*bin) verdict { return verdict{holds: (at[i] == b) == (op == token.EQL)} }
		}
	}
	v := c.constant(p, y)
	if v == nil {
		return nil
	}
	if p.domain.kind == kindBool && op != token.EQL && op != token.NEQ {
		return c.reject(e, crossForms, "conditions have no order")
	}
	return c.against(e, i, op, v)
}

func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	case token.GTR:
		return token.LSS
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// binName is the bin that an operand may name: an identifier, the text of a
// string, or a string as it was written.
func (c *crossing) binName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	}
	return ""
}

// constant is the value that a point is compared with.
func (c *crossing) constant(p *point, e ast.Expr) constant.Value {
	sub := *c.cond
	sub.Node, sub.Text = e, c.text(e)
	b := c.builder(c.g.places[0], p.Directive)
	x := b.operand(&sub)
	if len(b.errs) == 0 && x.value != nil && p.domain.kind != kindOther {
		if v := p.domain.value(x.value); v != nil {
			return v
		}
	}
	c.reject(e, instead(c.text(e), p.binNames(), "name a bin, or a constant"), "point %s has no bin %s", p.name, c.text(e))
	return nil
}

// against compares the point on an axis with a value.
func (c *crossing) against(e ast.Expr, i int, op token.Token, v constant.Value) test {
	p := c.axes[i].point
	text := c.text(e)
	return func(at []*bin) verdict {
		holds, decided := p.decide(at[i], op, v)
		if decided {
			return verdict{holds: holds}
		}
		return verdict{why: &undecided{text, p.name, at[i], e.Pos()}}
	}
}

// decide compares all values of a bin with v.
func (p *point) decide(b *bin, op token.Token, v constant.Value) (holds, decided bool) {
	switch op {
	case token.NEQ:
		holds, decided = p.decide(b, token.EQL, v)
		return !holds, decided
	case token.GEQ:
		holds, decided = p.decide(b, token.LSS, v)
		return !holds, decided
	case token.LEQ:
		holds, decided = p.decide(b, token.GTR, v)
		return !holds, decided
	}
	if b.cond != nil {
		return false, false
	}
	if b.other {
		elsewhere := slices.ContainsFunc(p.bins, func(have *bin) bool { return !have.other && have.in.contains(single(v)) }) ||
			slices.ContainsFunc(p.ignored, func(in interval) bool { return in.contains(single(v)) })
		return false, op == token.EQL && elsewhere
	}
	in := p.domain.closed(b.in)
	below := in.hi != nil && less(in.hi, v)
	above := in.lo != nil && less(v, in.lo)
	switch op {
	case token.EQL:
		return in.one() && equal(in.lo, v), in.one() || below || above
	case token.LSS:
		return below, below || in.lo != nil && !less(in.lo, v)
	}
	return above, above || in.hi != nil && !less(v, in.hi)
}
