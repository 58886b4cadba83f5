package annot

import (
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// A clauseRule is the shape of a clause, as a verbRule is that of a verb.
type clauseRule struct {
	name  string
	form  string
	verbs []Verb // that take it; nil means all
}

var (
	slotVerbs = []Verb{Max, Min, Dist, Cmp, Bits, StrDist, StackMax, StackMin}
	cellVerbs = []Verb{Set, Inc, State}
	binVerbs  = []Verb{Cover, Sometimes, Maybe, Reachable, Group, Point, Cross, Trans, Seq}
	outVerbs  = []Verb{Point, Cross, Trans}
)

var clauses = []clauseRule{
	{"if", "if COND", nil}, // verbRule.refuses says why not
	{"by", "by E", nil},
	{"at", "at entry|exit", nil},
	{"until", "until COND", slotVerbs},
	{"cap", "cap N", cellVerbs},
	{"observe", "observe", slices.Concat(slotVerbs, cellVerbs, binVerbs)},
	{"rare", "rare", binVerbs},
	{"atleast", "atleast N", binVerbs},
	{"weight", "weight N", binVerbs},
	{"goal", "goal TAG", slices.Concat(slotVerbs, cellVerbs, binVerbs)},
	{"pure", "pure", nil},
	{"doc", `doc "TEXT"`, nil},
	{"sample", "sample exit FUNC", []Verb{Group}},
	{"bins", "bins BINS", []Verb{Point}},
	{"other", "other", []Verb{Point}},
	{"ignore", "ignore BINS", outVerbs},
	{"never", "never BINS", outVerbs},
}

// findClause returns nil for a clause that the language does not have.
func findClause(name string) *clauseRule {
	for i := range clauses {
		if clauses[i].name == name {
			return &clauses[i]
		}
	}
	return nil
}

// clauseNames lists the clauses of the language.
func clauseNames() []string {
	names := make([]string, len(clauses))
	for i, c := range clauses {
		names[i] = c.name
	}
	return names
}

func clauseForms() []string {
	forms := make([]string, len(clauses))
	for i, c := range clauses {
		forms[i] = c.form
	}
	return forms
}

// clause parses what follows one semicolon.
func (p *parser) clause(d *Directive, rule *verbRule, seg segment, given map[string]bool) {
	if len(seg.toks) == 0 {
		p.errorf(trim(p.src, seg.span).lo, "clauses: "+strings.Join(clauseForms(), ", "), "a clause is missing behind the semicolon")
		return
	}
	word := seg.toks[0]
	c := findClause(word.text())
	switch {
	case c == nil:
		p.errorf(word.off, didYouMean(word.text(), "clauses", clauseNames()), "unknown clause %s", word.text())
	case rule.verb.Control():
		p.errorf(word.off, "leave it out", "%s takes no clauses", rule.verb)
	case rule.refuses(c.name) != "":
		p.errorf(word.off, "leave it out", "%s takes no %s: %s", rule.verb, c.name, rule.refuses(c.name))
	case c.verbs != nil && !slices.Contains(c.verbs, rule.verb):
		p.errorf(word.off, "leave it out: it is for "+joinVerbs(c.verbs), "%s takes no %s", rule.verb, c.name)
	case given[c.name]:
		hint := "leave one out"
		if c.name == "if" || c.name == "until" {
			hint = "join the conditions"
		}
		p.errorf(word.off, hint, "clause %s is given twice", c.name)
	default:
		given[c.name] = true
		p.clauseValue(d, c, seg.from(1), word.off)
	}
}

func joinVerbs(verbs []Verb) string {
	names := make([]string, len(verbs))
	for i, v := range verbs {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}

// clauseValue parses what follows the word of a clause.
func (p *parser) clauseValue(d *Directive, c *clauseRule, rest segment, off int) {
	switch c.name {
	case "if":
		d.If, d.ifOff = p.clauseExpr(c, rest), off
	case "by":
		d.By, d.byOff = p.clauseExpr(c, rest), off
	case "until":
		d.Until = p.clauseExpr(c, rest)
	case "at":
		p.at(d, c, rest, off)
	case "cap":
		d.Cap = p.number(c, rest)
	case "atleast":
		d.AtLeast = p.number(c, rest)
	case "weight":
		d.Weight = p.number(c, rest)
	case "observe":
		d.Observe = p.nothing(c, rest)
	case "rare":
		d.Rare = p.nothing(c, rest)
	case "pure":
		d.Pure = p.nothing(c, rest)
	case "goal":
		d.Goal = p.tag(c, rest)
	case "doc":
		d.Doc = p.quoted(c, rest)
	case "sample":
		d.Sample = p.sample(c, rest)
	case "bins":
		d.Bins = p.bins(c, rest)
	case "other":
		d.Other = p.nothing(c, rest)
	case "ignore":
		d.Ignore = p.selection(d, c, rest)
	case "never":
		d.Never = p.selection(d, c, rest)
	}
}

// clauseExpr parses the one expression of a clause.
func (p *parser) clauseExpr(c *clauseRule, rest segment) *Expr {
	if len(rest.toks) == 0 {
		p.errorf(trim(p.src, rest.span).lo, "write "+c.form, "clause %s needs an expression", c.name)
		return nil
	}
	if parts := split(rest.span, rest.toks, token.COMMA); len(parts) > 1 {
		p.errorf(trim(p.src, parts[1].span).lo, "write "+c.form, "clause %s takes one expression, found %d", c.name, len(parts))
		return nil
	}
	return p.expr(rest)
}

// at parses the clause at entry|exit.
func (p *parser) at(d *Directive, c *clauseRule, rest segment, off int) {
	if len(rest.toks) == 1 {
		d.At = atNames[rest.toks[0].lit]
	}
	if d.At == AtNone {
		p.errorf(trim(p.src, rest.span).lo, "write "+c.form, "clause at needs entry or exit")
	}
	d.atOff = off
	if d.At == AtExit && d.Verb == Ctx {
		p.errorf(off, "leave it out", "ctx at exit would end as it begins")
	}
}

// maxNumber is more than any count that a clause is about.
const maxNumber = 1 << 30

// number parses a count of at least 1.
func (p *parser) number(c *clauseRule, rest segment) int {
	if len(rest.toks) == 1 && rest.toks[0].tok == token.INT {
		if n, err := strconv.ParseInt(rest.toks[0].lit, 0, 64); err == nil && 0 < n && n <= maxNumber {
			return int(n)
		}
	}
	p.errorf(trim(p.src, rest.span).lo, "write "+c.form, "clause %s needs a number from 1 to %d", c.name, maxNumber)
	return 0
}

// nothing checks that a clause is its word alone.
func (p *parser) nothing(c *clauseRule, rest segment) bool {
	if len(rest.toks) > 0 {
		p.errorf(rest.toks[0].off, "write "+c.form, "clause %s stands alone", c.name)
	}
	return true
}

func (p *parser) tag(c *clauseRule, rest segment) string {
	if len(rest.toks) == 1 && rest.toks[0].tok == token.IDENT {
		return rest.toks[0].lit
	}
	p.errorf(trim(p.src, rest.span).lo, "write "+c.form+"; a TAG is a Go identifier", "clause %s needs one tag", c.name)
	return ""
}

func (p *parser) quoted(c *clauseRule, rest segment) string {
	if len(rest.toks) == 1 && rest.toks[0].tok == token.STRING {
		if text, err := strconv.Unquote(rest.toks[0].lit); err == nil {
			return text
		}
	}
	p.errorf(trim(p.src, rest.span).lo, "write "+c.form, "clause %s needs a quoted text", c.name)
	return ""
}
