package annot

import (
	"fmt"
	"go/token"
	"strings"
)

// A parser parses directives of one file, which is a Go file or a sidecar.
type parser struct {
	file *token.File
	src  []byte
	errs Errors
}

func (p *parser) position(off int) token.Position {
	return p.file.PositionFor(p.file.Pos(off), false)
}

func (p *parser) errorf(off int, hint, format string, args ...any) {
	p.errs = append(p.errs, &Error{Pos: p.position(off), Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// directive parses the text from VERB on. It returns nil when it reported
// something.
func (p *parser) directive(s span) *Directive {
	s = trim(p.src, s)
	reported := len(p.errs)
	d := &Directive{Pos: p.position(s.lo), Text: string(p.src[s.lo:s.hi])}
	rule, rest := p.verb(s)
	if rule == nil {
		return nil
	}
	d.Verb = rule.verb
	toks, ok := p.scan(rest, d.Verb == Cross)
	if !ok {
		return nil
	}
	segs := split(rest, toks, token.SEMICOLON)
	p.arguments(d, rule, segs[0])
	given := map[string]bool{}
	for _, seg := range segs[1:] {
		p.clause(d, rule, seg, given)
	}
	if len(p.errs) == reported {
		p.coherent(d)
	}
	if len(p.errs) > reported {
		return nil
	}
	return d
}

// verb reads the verb at the start of a trimmed span and returns what follows.
func (p *parser) verb(s span) (rule *verbRule, rest span) {
	name := verbWord(string(p.src[s.lo:s.hi]))
	rest = span{s.lo + len(name), s.hi}
	rule = findVerb(name)
	switch {
	case name == "" && rest.lo == rest.hi:
		p.errorf(s.lo, "verbs: "+strings.Join(verbNames(), ", "), "the verb is missing")
	case name == "":
		p.errorf(s.lo, "write VERB ARG", "a directive starts with a verb")
	case rule == nil:
		p.errorf(s.lo, didYouMean(name, "verbs", verbNames()), "unknown verb %s", name)
	case rest.lo < rest.hi && !strings.ContainsRune(blank+";", rune(p.src[rest.lo])):
		arg := strings.TrimLeft(string(p.src[rest.lo:rest.hi]), ":=,.")
		p.errorf(rest.lo, strings.TrimRight("write "+name+" "+arg, blank), "a space is missing behind %s", name)
	default:
		return rule, rest
	}
	return nil, rest
}

// verbWord is the word that text begins with. It may hold a hyphen, so that a
// verb of another tool's style is reported as the word it is.
func verbWord(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool {
		return !(r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0x80)
	})
	if end < 0 {
		return text
	}
	return text[:end]
}

func (r *verbRule) usage() string { return "write " + string(r.verb) + " " + r.form }

// arguments parses [NAME =] ARG {, ARG}.
func (p *parser) arguments(d *Directive, rule *verbRule, seg segment) {
	switch {
	case rule.verb.Control():
		p.alone(rule, seg)
		return
	case rule.verb == Group || rule.verb.Member():
		p.coverage(d, rule, seg)
		return
	case rule.max == 0:
		p.nameAlone(d, rule, seg)
		return
	}
	if len(seg.toks) > 1 && seg.toks[1].tok == token.ASSIGN && !rule.verb.nameless() {
		d.Name = p.name(seg.toks[0])
		seg = seg.from(2)
	}
	if len(seg.toks) == 0 {
		p.errorf(trim(p.src, seg.span).lo, rule.usage(), "%s needs an argument", rule.verb)
		return
	}
	args := split(seg.span, seg.toks, token.COMMA)
	if n := len(args); n < rule.min || n > rule.max {
		p.errorf(p.firstSurplus(args, rule.max), rule.usage(), "%s takes %s, found %d", rule.verb, rule.count(), n)
		return
	}
	for _, arg := range args {
		if e := p.expr(arg); e != nil {
			d.Args = append(d.Args, *e)
		}
	}
}

// count spells the number of arguments that the verb takes.
func (r *verbRule) count() string {
	if r.min == 1 {
		return "one argument"
	}
	return fmt.Sprintf("%d arguments", r.min)
}

// firstSurplus is where the first argument too many starts, or the last
// argument when there are too few.
func (p *parser) firstSurplus(args []segment, max int) int {
	return trim(p.src, args[min(max, len(args)-1)].span).lo
}

// alone checks that nothing follows the verb.
func (p *parser) alone(rule *verbRule, seg segment) {
	if len(seg.toks) > 0 {
		p.errorf(seg.toks[0].off, "write "+string(rule.verb), "%s stands alone", rule.verb)
	}
}

// nameAlone parses the NAME of cover and its like.
func (p *parser) nameAlone(d *Directive, rule *verbRule, seg segment) {
	if len(seg.toks) == 0 {
		p.errorf(trim(p.src, seg.span).lo, rule.usage(), "%s needs a name", rule.verb)
		return
	}
	if len(seg.toks) > 1 {
		p.errorf(seg.toks[1].off, rule.usage()+"; for a condition, "+string(conditional(rule.verb))+" COND", "%s takes a name and no expression", rule.verb)
		return
	}
	d.Name = p.name(seg.toks[0])
}

// conditional is the verb that takes a condition where v takes a name.
func conditional(v Verb) Verb {
	if v == Unreachable {
		return Always
	}
	return Sometimes
}

func (p *parser) name(t tok) string {
	if t.tok == token.IDENT && t.lit != "_" {
		return t.lit
	}
	p.errorf(t.off, "a NAME is a Go identifier", "%s is not a name", t.text())
	return ""
}
