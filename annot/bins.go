package annot

import (
	"go/token"
	"slices"
	"strconv"
	"strings"
)

const binForms = "write enum, bool, log2 [N], each 0..9, a list as 0, 1, 2..7, 8.., or conditions as low: x < 3 | high: x > 9"

// Bins that log2 has when it names no number, and the most that there may be.
const (
	defaultLog2 = 8
	maxLog2     = 64
)

// bins parses the bins of a point.
func (p *parser) bins(c *clauseRule, rest segment) *Bins {
	s := trim(p.src, rest.span)
	b := &Bins{Pos: p.position(s.lo), Text: string(p.src[s.lo:s.hi])}
	if len(rest.toks) == 0 {
		p.errorf(s.lo, binForms, "clause bins needs bins")
		return nil
	}
	word := rest.toks[0].lit
	switch {
	case len(rest.toks) > 1 && rest.toks[1].tok == token.COLON:
		b.Form, b.Conds = BinsConds, p.conds(rest)
	case word == "enum":
		b.Form, b.Without = BinsEnum, p.without(rest.from(1))
	case word == "bool":
		b.Form = BinsBool
		if len(rest.toks) > 1 {
			p.errorf(rest.toks[1].off, "write bins bool", "bool stands alone")
		}
	case word == "log2":
		b.Form, b.N = BinsLog2, p.log2(rest.from(1))
	case word == "each":
		b.Form, b.List = BinsEach, p.each(rest.from(1))
	default:
		b.List = p.binList(rest)
	}
	return b
}

// conds parses NAME: COND {| NAME: COND}. The | of an expression is no
// separator, as no NAME: follows it.
func (p *parser) conds(rest segment) (list []NamedCond) {
	for _, part := range splitConds(rest) {
		name := part.toks[0]
		c := NamedCond{Pos: p.position(name.off), Name: p.name(name)}
		cond := part.from(2)
		switch {
		case len(cond.toks) == 0:
			p.errorf(trim(p.src, cond.span).lo, "write "+name.text()+": COND", "the condition of bin %s is missing", name.text())
		case topLevel(cond.toks, token.COMMA) >= 0 || topLevel(cond.toks, token.COLON) >= 0:
			p.errorf(name.off, "write low: x < 3 | high: x > 9", "named conditions are separated by |")
		default:
			c.Cond = p.expr(cond)
		}
		list = append(list, c)
	}
	return list
}

// splitConds cuts at every | that NAME: follows.
func splitConds(rest segment) (parts []segment) {
	depth, first, lo := 0, 0, rest.lo
	for i, t := range rest.toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.OR:
			if depth == 0 && i+2 < len(rest.toks) && rest.toks[i+2].tok == token.COLON {
				parts = append(parts, segment{span{lo, t.off}, rest.toks[first:i]})
				lo, first = t.off+1, i+1
			}
		}
	}
	return append(parts, segment{span{lo, rest.hi}, rest.toks[first:]})
}

// distinctConds checks the names of conditions.
func (p *parser) distinctConds(d *Directive) {
	seen := map[string]bool{}
	for _, c := range d.Bins.Conds {
		switch {
		case seen[c.Name]:
			p.fault(c.Pos, "join their conditions, or give one another name", "two bins are called %s", c.Name)
		case c.Name == "other" && d.Other:
			p.fault(c.Pos, "give it another name", "the clause other makes a bin called other, too")
		}
		seen[c.Name] = true
	}
}

// without parses {-Name} behind enum.
func (p *parser) without(rest segment) (list []Expr) {
	for toks := rest.toks; len(toks) > 0; {
		n := 2 // tokens of -Name
		if len(toks) > 3 && toks[2].tok == token.PERIOD {
			n = 4
		}
		if toks[0].tok != token.SUB || len(toks) < n || toks[1].tok != token.IDENT || toks[n-1].tok != token.IDENT {
			p.errorf(toks[0].off, "write -Name for each constant to leave out", "unexpected %s behind enum", toks[0].text())
			return nil
		}
		last := toks[n-1]
		e := p.expr(segment{span{toks[1].off, last.off + len(last.lit)}, toks[1:n]})
		if slices.ContainsFunc(list, func(have Expr) bool { return have.Text == e.Text }) {
			p.fault(e.Pos, "leave one out", "%s is left out twice", e.Text)
		}
		list, toks = append(list, *e), toks[n:]
	}
	return list
}

func (p *parser) log2(rest segment) int {
	if len(rest.toks) == 0 {
		return defaultLog2
	}
	if n, err := strconv.Atoi(rest.toks[0].lit); err == nil && len(rest.toks) == 1 && 2 <= n && n <= maxLog2 {
		return n
	}
	p.errorf(rest.toks[0].off, "write log2 8 for 0, 1, 2..3, 4..7 up to 64..", "log2 takes a number of bins from 2 to %d", maxLog2)
	return 0
}

func (p *parser) each(rest segment) []Bin {
	reported := len(p.errs)
	list := p.binList(rest)
	switch {
	case len(p.errs) > reported:
		return nil
	case len(list) != 1 || list[0].Lo == nil || list[0].Hi == nil:
		p.errorf(trim(p.src, rest.span).lo, "write each LO..HI", "each needs one range with both ends")
		return nil
	}
	return list
}

// binList parses BIN {, BIN}.
func (p *parser) binList(rest segment) (list []Bin) {
	for _, part := range split(rest.span, rest.toks, token.COMMA) {
		b, ok := p.bin(part)
		if !ok {
			continue
		}
		if b.Name == "other" {
			p.fault(b.Pos, "write ; other behind the bins", "other is a clause and no bin of a list")
		}
		list = append(list, b)
	}
	return list
}

// bin parses one value or range.
func (p *parser) bin(seg segment) (b Bin, ok bool) {
	s := trim(p.src, seg.span)
	b.Pos = p.position(s.lo)
	dots := slices.IndexFunc(seg.toks, tok.isRange)
	switch {
	case len(seg.toks) == 0:
		p.errorf(s.lo, "", "a bin is missing here")
		return b, false
	case strings.Contains(p.between(seg.toks), "...") && dots < 0 && !isText(seg.toks):
		p.errorf(s.lo, "write LO..HI", "a range has two dots")
		return b, false
	case dots < 0:
		b.Lo = p.expr(seg)
		if b.Lo != nil {
			b.Name = b.Lo.Text
		}
		return b, b.Lo != nil
	}
	return p.binRange(b, seg, dots)
}

// isText reports whether a bin is one string.
func isText(toks []tok) bool { return len(toks) == 1 && toks[0].tok == token.STRING }

// binRange parses LO..HI, of which one end may be missing, around the .. at
// an index.
func (p *parser) binRange(b Bin, seg segment, dots int) (Bin, bool) {
	b.Range = true
	at := seg.toks[dots].off
	lo, hi := segment{span{seg.lo, at}, seg.toks[:dots]}, segment{span{at + 2, seg.hi}, seg.toks[dots+1:]}
	if len(lo.toks)+len(hi.toks) == 0 {
		p.errorf(at, "write LO..HI, LO.. or ..HI; the clause other is for all the rest", "a range without an end")
		return b, false
	}
	if i := slices.IndexFunc(hi.toks, tok.isRange); i >= 0 {
		p.errorf(hi.toks[i].off, "bins are separated by commas", "a range has one ..")
		return b, false
	}
	reported := len(p.errs)
	b.Name = ".."
	if len(lo.toks) > 0 {
		if b.Lo = p.expr(lo); b.Lo != nil {
			b.Name = b.Lo.Text + b.Name
		}
	}
	if len(hi.toks) > 0 {
		if b.Hi = p.expr(hi); b.Hi != nil {
			b.Name += b.Hi.Text
		}
	}
	return b, len(p.errs) == reported
}

// selection parses what ignore and never are about, which depends on the verb.
func (p *parser) selection(d *Directive, c *clauseRule, rest segment) *Selection {
	s := trim(p.src, rest.span)
	sel := &Selection{Pos: p.position(s.lo), Text: string(p.src[s.lo:s.hi])}
	if len(rest.toks) == 0 {
		form := map[Verb]string{Point: "BINS", Cross: "COND", Trans: "A=>B {, C=>D}"}[d.Verb]
		p.errorf(s.lo, "write "+c.name+" "+form, "clause %s does not say what", c.name)
		return nil
	}
	switch d.Verb {
	case Cross:
		if len(d.Cross) == 0 || p.instances(rest.toks, d.Cross) {
			sel.Cond = p.clauseExpr(&clauseRule{name: c.name, form: c.name + " COND"}, rest)
		}
	case Trans:
		sel.Paths = p.paths(rest)
	default:
		sel.Bins = p.binList(rest)
	}
	return sel
}

// instances checks the names of points in a condition of a cross of instances:
// each has its letter.
func (p *parser) instances(toks []tok, terms []Term) bool {
	for i, t := range toks {
		selected := i > 0 && (toks[i-1].tok == token.PERIOD || toks[i-1].isAt())
		lettered := i+1 < len(toks) && toks[i+1].isAt()
		switch {
		case t.isAt() && (i == 0 || toks[i-1].tok != token.IDENT):
			p.errorf(t.off, "write P@a", "@ stands between a point and the letter of an instance")
		case t.tok != token.IDENT:
			continue
		case lettered && (selected || i+2 == len(toks) || toks[i+2].tok != token.IDENT):
			p.errorf(toks[i+1].off, "write P@a", "@ stands between a point and the letter of an instance")
		case lettered && !slices.Contains(spelled(terms), t.lit+"@"+toks[i+2].lit):
			p.errorf(t.off, "the cross is of "+strings.Join(spelled(terms), ", "), "%s@%s is not in the cross", t.lit, toks[i+2].lit)
		case !lettered && !selected && slices.ContainsFunc(terms, func(u Term) bool { return u.Point == t.lit && u.Instance != "" }):
			p.errorf(t.off, "the cross is of "+strings.Join(spelled(terms), ", "), "%s lacks its instance", t.lit)
		default:
			continue
		}
		return false
	}
	return true
}

func spelled(terms []Term) []string {
	list := make([]string, len(terms))
	for i, t := range terms {
		list[i] = t.String()
	}
	return list
}
