package annot

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// maxSamples is the most samples that a path takes, and the most events of a
// sequence: the runtime has a bit for each.
const maxSamples = 63

// trans parses [G.]P: all, or [G.]P: PATH {, PATH}. On a field [G.]P: may be
// missing.
func (p *parser) trans(d *Directive, rule *verbRule, seg segment) {
	if colon := topLevel(seg.toks, token.COLON); colon >= 0 {
		if !p.header(d, rule, seg.toks[:colon]) {
			return
		}
		seg = seg.from(colon + 1)
	}
	s := trim(p.src, seg.span)
	d.Trans = &Transitions{Pos: p.position(s.lo)}
	switch {
	case len(seg.toks) == 0 || d.Name == "" && len(seg.toks) == 1 && seg.toks[0].lit != "all":
		p.errorf(s.lo, rule.usage(), "trans needs transitions")
	case len(seg.toks) == 1 && seg.toks[0].lit == "all":
		d.Trans.All = true
	default:
		d.Trans.Paths = p.paths(seg)
	}
}

// paths parses PATH {, PATH}.
func (p *parser) paths(seg segment) (list []Path) {
	for _, part := range split(seg.span, seg.toks, token.COMMA) {
		if path, ok := p.path(part); ok {
			list = append(list, path)
		}
	}
	return list
}

// path parses one A=>B=>C.
func (p *parser) path(seg segment) (path Path, ok bool) {
	s := trim(p.src, seg.span)
	path.Pos, path.Text = p.position(s.lo), string(p.src[s.lo:s.hi])
	parts, ops, ok := p.arrows(seg)
	if !ok {
		return path, false
	}
	for i, part := range parts {
		if i > 0 && ops[i] != OpNext {
			p.errorf(parts[i].lo-2, "write =>, or [->1] behind the bin for its next occurrence", "~> stands between the events of a seq")
			return path, false
		}
		step, ok := p.step(part)
		if !ok {
			return path, false
		}
		path.Steps = append(path.Steps, step)
	}
	switch n := path.samples(); {
	case n < 2:
		p.errorf(s.lo, "write A=>B, or A[*2]", "a transition needs two samples, and %s is one", path.Text)
		return path, false
	case n > maxSamples:
		p.errorf(s.lo, "repeat less", "a transition takes at most %d samples", maxSamples)
		return path, false
	}
	return path, true
}

// samples is how many samples the path takes at most, but for those that lie
// before and between the ones that [->N] waits for.
func (path *Path) samples() (n int) {
	for _, s := range path.Steps {
		n += max(s.Max, s.Goto)
	}
	return n
}

// pair reports whether the path is A=>B.
func (path *Path) pair() bool {
	for _, s := range path.Steps {
		if s.Max != 1 || s.Goto != 0 {
			return false
		}
	}
	return len(path.Steps) == 2
}

// step parses a bin with a repetition behind it.
func (p *parser) step(seg segment) (s Step, ok bool) {
	s.Min, s.Max = 1, 1
	if bracket := slices.IndexFunc(seg.toks, func(t tok) bool { return t.tok == token.LBRACK }); bracket >= 0 {
		if !p.repeat(&s, seg.toks[bracket:]) {
			return s, false
		}
		seg = segment{span{seg.lo, seg.toks[bracket].off}, seg.toks[:bracket]}
	}
	s.Bin, ok = p.bin(seg)
	return s, ok
}

// repeat parses [*N], [*N..M] or [->N].
func (p *parser) repeat(s *Step, toks []tok) bool {
	const usage = "write [*3], [*2..3] or [->2]"
	inner := toks[1:]
	switch {
	case toks[len(toks)-1].tok != token.RBRACK || len(toks) < 4:
		p.errorf(toks[0].off, usage, "%s is not a repetition", p.between(toks))
		return false
	case inner[0].tok == token.MUL && len(inner) == 3:
		s.Min = p.times(inner[1])
		s.Max = s.Min
	case inner[0].tok == token.MUL && len(inner) == 5 && inner[2].isRange():
		s.Min, s.Max = p.times(inner[1]), p.times(inner[3])
		if s.Min > s.Max && s.Max > 0 {
			p.errorf(inner[1].off, usage, "the range %s is empty", p.between(inner[1:4]))
			return false
		}
	case inner[0].tok == token.SUB && inner[1].tok == token.GTR && len(inner) == 4:
		s.Goto = p.times(inner[2])
		return s.Goto > 0
	default:
		p.errorf(toks[0].off, usage, "%s is not a repetition", p.between(toks))
		return false
	}
	return s.Min > 0 && s.Max > 0
}

// times parses the number of a repetition. It returns 0 when it reported
// something.
func (p *parser) times(t tok) int {
	if n, err := strconv.Atoi(t.lit); err == nil && t.tok == token.INT && 0 < n && n <= maxSamples {
		return n
	}
	p.errorf(t.off, "", "a repetition is a number from 1 to %d", maxSamples)
	return 0
}

// arrows cuts a segment at every => and ~> outside brackets. ops[i] stands in
// front of parts[i].
func (p *parser) arrows(seg segment) (parts []segment, ops []SeqOp, ok bool) {
	depth, first, lo, op := 0, 0, seg.lo, OpNone
	for i, t := range seg.toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		if depth != 0 || i+1 == len(seg.toks) || seg.toks[i+1].tok != token.GTR || seg.toks[i+1].off != t.off+len(t.text()) {
			continue
		}
		next, isArrow := map[token.Token]SeqOp{token.TILDE: OpLater, token.ASSIGN: OpNext}[t.tok]
		if !isArrow {
			p.errorf(t.off, "write => for the next sample, and in a seq ~> for a later one", "%s> is no operator", t.text())
			return nil, nil, false
		}
		parts, ops = append(parts, segment{span{lo, t.off}, seg.toks[first:i]}), append(ops, op)
		lo, first, op = t.off+2, i+2, next
	}
	return append(parts, segment{span{lo, seg.hi}, seg.toks[first:]}), append(ops, op), true
}

// seq parses [G.]S: EV ~> EV => !EV ~> EV.
func (p *parser) seq(d *Directive, rule *verbRule, seg segment) {
	colon := topLevel(seg.toks, token.COLON)
	if colon < 0 {
		p.errorf(d.argOff, rule.usage(), "seq needs a name and a colon")
		return
	}
	if !p.header(d, rule, seg.toks[:colon]) {
		return
	}
	seg = seg.from(colon + 1)
	off := trim(p.src, seg.span).lo
	parts, ops, ok := p.arrows(seg)
	if !ok {
		return
	}
	if len(parts) > maxSamples {
		p.errorf(off, "look for a part of it", "a sequence has at most %d events", maxSamples)
		return
	}
	if len(parts) < 2 {
		p.errorf(off, rule.usage()+"; for one event, sometimes COND", "a sequence needs two events")
		return
	}
	d.Seq = &Sequence{Pos: p.position(off)}
	p.events(d.Seq, parts, ops)
}

// events parses the operands of a sequence. What begins with ! and stands
// between two operators is a negation.
func (p *parser) events(s *Sequence, parts []segment, ops []SeqOp) {
	var not []*Expr
	op := OpNone
	for i, part := range parts {
		if len(part.toks) == 0 {
			p.errorf(trim(p.src, part.span).lo, "", "an event is missing here")
			return
		}
		cond := p.expr(part)
		if cond == nil {
			return
		}
		op = laterOf(op, ops[i])
		if negated(cond) && 0 < i && i < len(parts)-1 {
			not = append(not, p.expr(part.from(1)))
			continue
		}
		if len(not) > 0 && op == OpNext {
			p.fault(not[0].Pos, "write ~> for one of the two; as an event of its own it stands in parentheses, (!EV)", "there is no sample between two that follow each other by =>")
			return
		}
		s.Events = append(s.Events, Event{Pos: cond.Pos, Text: cond.Text, Op: op, Cond: cond, Not: not})
		not, op = nil, OpNone
	}
}

// laterOf joins the operators between two events.
func laterOf(a, b SeqOp) SeqOp {
	if a == OpLater || b == OpNone {
		return a
	}
	return b
}

// negated reports whether a condition is !EV.
func negated(e *Expr) bool {
	u, ok := e.Node.(*ast.UnaryExpr)
	return ok && u.Op == token.NOT
}
