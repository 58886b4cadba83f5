package rewrite

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"github.com/ijongo/ijongo/annot"
)

// A Directive is one that somebody wrote, and what became of it.
type Directive struct {
	Pos    token.Position
	Verb   string // a word that is no verb when Status is error
	Name   string
	Expr   string // arguments and clauses, as written
	From   string // inline, or sidecar
	Status Status
	Reason string // of a warning or an error

	end int // column behind it
}

// A Status is what became of a directive.
type Status string

// What may become of a directive. That it is lost would be a fault of this
// package.
const (
	Injected Status = "injected"
	InEffect Status = "in effect" // it says where or how to instrument
	Warned   Status = "warning"   // it is left out
	InError  Status = "error"
	Lost     Status = "lost"
)

// Directives are all directives of the planned packages and of the sidecars,
// by position and inline ones first, and the faults that belong to none of them.
func (p *Plan) Directives() ([]*Directive, annot.Errors) {
	var list []*Directive
	for _, f := range p.prog.parsed {
		list = append(list, p.prog.inline(f)...)
	}
	slices.SortStableFunc(list, byPosition)
	for _, s := range p.prog.sidecars {
		lines := p.prog.fromSidecar(s)
		slices.SortStableFunc(lines, byPosition)
		list = append(list, lines...)
	}
	p.prog.settle(list)
	rest := blame(list, p.Faults)
	for _, d := range list {
		if d.Status == Warned && d.Reason == "" {
			d.Reason = "other lines of its group are in error"
		}
	}
	return list, rest
}

func byPosition(a, b *Directive) int {
	return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Offset, b.Pos.Offset))
}

// inline lists the directives in the comments of a file.
func (prog *program) inline(f parsed) []*Directive {
	var list []*Directive
	for _, c := range annot.Comments(prog.fset, f.ast, f.src) {
		d := &Directive{Pos: c.Pos, From: "inline", end: c.Pos.Column + c.To - c.From}
		d.Verb, d.Expr = cutWord(c.Text)
		if c.Directive != nil {
			d.describe(c.Directive)
		}
		list = append(list, d)
	}
	return list
}

// describe takes the name out of the expression.
func (d *Directive) describe(from *annot.Directive) {
	d.Verb, d.Name = string(from.Verb), from.Name
	if from.Group != "" {
		d.Name = from.Group + "." + d.Name
	}
	_, d.Expr = cutWord(from.Text)
	if rest, ok := strings.CutPrefix(d.Expr, d.Name); ok && d.Name != "" {
		d.Expr = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(rest), "=:"))
	}
}

func cutWord(text string) (word, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ';' })
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// fromSidecar lists the lines of a sidecar. Faults have the position of the
// line or one further on in it.
func (prog *program) fromSidecar(s *sidecar) []*Directive {
	const lineEnd = 1 << 30
	var list []*Directive
	for _, sp := range s.Packages {
		unused := s.unused
		if unused == "" && prog.packageByPath(sp.Path) == nil {
			unused = fmt.Sprintf("package %s is not among the instrumented packages", sp.Path)
		}
		for _, from := range sp.Directives() {
			d := &Directive{Pos: from.Pos, From: "sidecar", Reason: unused, end: lineEnd}
			d.describe(from)
			list = append(list, d)
		}
		for _, r := range sp.Replaces {
			list = append(list, &Directive{Pos: r.Pos, From: "sidecar", Reason: unused, end: lineEnd, Verb: "replace", Expr: r.Callee + " in " + r.Func + " : " + r.With})
		}
		for _, a := range sp.Adds {
			list = append(list, &Directive{Pos: a.Pos, From: "sidecar", Reason: unused, end: lineEnd, Verb: "add", Expr: a.File})
		}
		for _, q := range sp.Quiets {
			list = append(list, &Directive{Pos: q.Pos, From: "sidecar", Reason: unused, end: lineEnd, Verb: "quiet", Expr: q.Callee})
		}
	}
	return list
}

// settle says of each directive what the plan has made of it.
func (prog *program) settle(list []*Directive) {
	planned := map[string]Status{}
	for _, a := range prog.annotations {
		for _, pos := range a.pos {
			planned[pos] = Injected
		}
	}
	for _, g := range prog.groups {
		status := Injected
		if !slices.Contains(prog.covered, g) {
			status = Warned
		}
		for _, pos := range g.stated {
			planned[prog.displayPosition(pos)] = status
		}
		for _, m := range g.members {
			planned[prog.displayPosition(m.Pos)] = status
		}
	}
	for _, d := range list {
		switch {
		case d.Reason != "":
			d.Status = InError
		case planned[prog.displayPosition(d.Pos)] != "":
			d.Status = planned[prog.displayPosition(d.Pos)]
		case slices.Contains([]string{"replace", "add", "quiet", "off", "on", "skip"}, d.Verb):
			d.Status = InEffect
		default:
			d.Status = Lost
		}
	}
}

// blame gives the faults to their directives, and returns those of none.
func blame(list []*Directive, faults annot.Errors) (rest annot.Errors) {
	type line struct {
		file string
		line int
	}
	byLine := map[line][]*Directive{}
	for _, d := range list {
		at := line{d.Pos.Filename, d.Pos.Line}
		byLine[at] = append(byLine[at], d)
	}
	for _, e := range faults {
		d := at(byLine[line{e.Pos.Filename, e.Pos.Line}], e.Pos.Column)
		if d == nil {
			rest = append(rest, e)
			continue
		}
		d.fault(e)
	}
	return rest
}

// at is the directive of a line that a column belongs to.
func at(list []*Directive, column int) *Directive {
	for _, d := range list {
		if d.From == "sidecar" || d.Pos.Column <= column && column <= d.end {
			return d
		}
	}
	return nil
}

func (d *Directive) fault(e *annot.Error) {
	reason := e.Text()
	if d.Reason != "" {
		reason = d.Reason + "; " + reason
	}
	d.Reason = reason
	switch {
	case !e.Warning:
		d.Status = InError
	case d.Status != InError && d.Status != Injected:
		d.Status = Warned
	}
}
