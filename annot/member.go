package annot

import (
	"fmt"
	"go/token"
)

// fault reports what is wrong at the position of a parsed part.
func (p *parser) fault(pos token.Position, hint, format string, args ...any) {
	p.errs = append(p.errs, &Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// coverage parses what follows the verb of a group or of its members.
func (p *parser) coverage(d *Directive, rule *verbRule, seg segment) {
	d.argOff = trim(p.src, seg.span).lo
	switch d.Verb {
	case Group:
		p.group(d, rule, seg)
	case Point:
		p.point(d, rule, seg)
	case Cross:
		p.cross(d, rule, seg)
	case Trans:
		p.trans(d, rule, seg)
	case Seq:
		p.seq(d, rule, seg)
	}
}

// group parses G.
func (p *parser) group(d *Directive, rule *verbRule, seg segment) {
	switch {
	case len(seg.toks) == 0:
		p.errorf(d.argOff, rule.usage(), "group needs a name")
	case len(seg.toks) > 1:
		p.errorf(seg.toks[1].off, rule.usage()+"; what it samples is a point of its own", "group takes a name and nothing else")
	default:
		p.header(d, rule, seg.toks)
	}
}

// header parses [G.]NAME, which is all of toks.
func (p *parser) header(d *Directive, rule *verbRule, toks []tok) bool {
	if len(toks) == 3 && toks[1].tok == token.PERIOD && rule.verb != Group {
		d.Group, d.GroupPos = p.name(toks[0]), p.position(toks[0].off)
		toks = toks[2:]
	}
	if len(toks) != 1 {
		off := d.argOff
		if len(toks) > 0 {
			off = toks[0].off
		}
		p.errorf(off, rule.usage(), "%s needs a name, and %q is none", rule.verb, p.between(toks))
		return false
	}
	d.Name, d.NamePos = p.name(toks[0]), p.position(toks[0].off)
	return d.Name != "" && (d.Group != "" || !d.GroupPos.IsValid())
}

// between is the text of tokens that follow each other.
func (p *parser) between(toks []tok) string {
	if len(toks) == 0 {
		return ""
	}
	last := toks[len(toks)-1]
	return string(p.src[toks[0].off : last.off+len(last.text())])
}

// topLevel is the index of the first token of a kind outside brackets, or -1.
func topLevel(toks []tok, kind token.Token) int {
	first := split(span{}, toks, kind)[0].toks
	if len(first) == len(toks) {
		return -1
	}
	return len(first)
}

// point parses [G.]P = X, of which a field may leave out = X, or all.
func (p *parser) point(d *Directive, rule *verbRule, seg segment) {
	if len(seg.toks) == 0 {
		return
	}
	eq := topLevel(seg.toks, token.ASSIGN)
	if eq < 0 {
		p.header(d, rule, seg.toks)
		return
	}
	if !p.header(d, rule, seg.toks[:eq]) {
		return
	}
	value := seg.from(eq + 1)
	args := split(value.span, value.toks, token.COMMA)
	switch {
	case len(value.toks) == 0:
		p.errorf(trim(p.src, value.span).lo, rule.usage(), "point needs a value")
	case len(args) > 1:
		p.errorf(p.firstSurplus(args, 1), "write two points, and a cross of them", "point takes one value, found %d", len(args))
	default:
		if e := p.expr(value); e != nil {
			d.Args = []Expr{*e}
		}
	}
}

// cross parses [[G.]C =] P*Q{*R}.
func (p *parser) cross(d *Directive, rule *verbRule, seg segment) {
	if eq := topLevel(seg.toks, token.ASSIGN); eq >= 0 {
		if !p.header(d, rule, seg.toks[:eq]) {
			return
		}
		seg = seg.from(eq + 1)
	}
	if len(seg.toks) == 0 {
		p.errorf(trim(p.src, seg.span).lo, rule.usage(), "cross needs points")
		return
	}
	for _, part := range split(seg.span, seg.toks, token.MUL) {
		t, ok := p.term(part)
		if !ok {
			return
		}
		d.Cross = append(d.Cross, t)
	}
	reported := len(p.errs)
	if p.checkTerms(d.Cross, rule); len(p.errs) > reported {
		d.Cross = nil // so that conditions are not measured by it
	}
}

// term parses P or P@a.
func (p *parser) term(seg segment) (t Term, ok bool) {
	off := trim(p.src, seg.span).lo
	const usage = "join the names of points with *; for an expression, write a point of it"
	switch toks := seg.toks; {
	case len(toks) == 0:
		p.errorf(off, usage, "a point is missing here")
		return t, false
	case len(toks) == 3 && toks[1].isAt():
		t.Instance = p.name(toks[2])
	case len(toks) != 1:
		p.errorf(off, usage, "%s is not the name of a point", p.between(toks))
		return t, false
	}
	reported := len(p.errs)
	t.Pos, t.Point = p.position(off), p.name(seg.toks[0])
	return t, len(p.errs) == reported && (t.Instance != "" || len(seg.toks) == 1)
}

// checkTerms checks how the points of a cross go together.
func (p *parser) checkTerms(terms []Term, rule *verbRule) {
	if len(terms) < 2 {
		p.fault(terms[0].Pos, rule.usage(), "a cross of one point")
		return
	}
	letters := map[string]bool{}
	seen := map[string]bool{}
	for _, t := range terms {
		letters[t.Instance] = true
		switch {
		case seen[t.String()] && t.Instance == "":
			p.fault(t.Pos, fmt.Sprintf("leave it out; %s@a*%s@b is about two instances", t.Point, t.Point), "point %s is twice in the cross", t)
		case seen[t.String()]:
			p.fault(t.Pos, "leave it out", "point %s is twice in the cross", t)
		case letters[""] && len(letters) > 1:
			p.fault(t.Pos, "write "+t.Point+"@a, and such a letter behind every point, or behind none", "some points of the cross have an instance and some have none")
			return
		case t.Instance != "" && t.Instance != "a" && t.Instance != "b":
			p.fault(t.Pos, "write "+t.Point+"@a and "+t.Point+"@b", "the instances of a cross are a and b, not %s", t.Instance)
			return
		}
		seen[t.String()] = true
	}
	if len(letters) == 1 && !letters[""] {
		t := terms[0]
		p.fault(t.Pos, "leave out @"+t.Instance, "all points of the cross are of one instance")
	}
}

// sample parses entry|exit FUNC.
func (p *parser) sample(c *clauseRule, rest segment) *Sample {
	const hint = "a FUNC of this package is F, (*T).M or (T).M"
	if len(rest.toks) < 2 {
		p.errorf(trim(p.src, rest.span).lo, "write "+c.form+"; "+hint, "clause sample needs exit and a function")
		return nil
	}
	at := atNames[rest.toks[0].lit]
	if at == AtNone {
		p.errorf(rest.toks[0].off, "write "+c.form+"; "+hint, "clause sample needs exit or entry before the function")
		return nil
	}
	s := trim(p.src, rest.from(1).span)
	fn, ok := p.function(s)
	if !ok {
		return nil
	}
	return &Sample{Pos: p.position(s.lo), At: at, Func: fn}
}

// coherent checks clauses against each other.
func (p *parser) coherent(d *Directive) {
	switch {
	case d.Sample != nil && d.At != AtNone:
		p.errorf(d.atOff, "leave it out: sample says where", "clauses at and sample exclude each other")
	case d.Trans != nil && d.Ignore != nil:
		p.ignoredPairs(d)
	case d.Bins != nil:
		p.distinctConds(d)
	}
}

// ignoredPairs checks that what a trans ignores is among its transitions.
func (p *parser) ignoredPairs(d *Directive) {
	if !d.Trans.All {
		p.fault(d.Ignore.Pos, "leave the transition out of the list", "ignore takes transitions out of all, and this trans lists its own")
		return
	}
	for i := range d.Ignore.Paths {
		if path := &d.Ignore.Paths[i]; !path.pair() {
			p.fault(path.Pos, "write A=>B", "ignore takes pairs of bins out of all, and %s is none", path.Text)
		}
	}
}

// standing checks what a directive must have where it stands: on a field, a
// point or trans is about the field, and has a group of its own if it names
// none.
func (p *parser) standing(d *Directive, field bool) bool {
	own := field && d.Group == ""
	switch {
	case d.Verb == Point && len(d.Args) == 0 && !field:
		p.errorf(d.argOff, findVerb(string(Point)).usage(), "point needs a name and a value; only on a struct field it is about the field")
	case d.Verb == Trans && d.Name == "" && !field:
		p.errorf(d.argOff, findVerb(string(Trans)).usage(), "trans needs the name of a point; only on a struct field it is about the field")
	case d.Verb.Member() && d.By != nil && !own:
		p.errorf(d.byOff, "leave it out", "%s takes no by: its group has it", d.Verb)
	case d.Verb == Trans && d.If != nil && !own:
		p.errorf(d.ifOff, "leave it out", "trans takes no if: its group and point have it")
	default:
		return true
	}
	return false
}
