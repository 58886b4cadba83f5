package annot_test

import (
	"fmt"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// describe spells out the parts of a directive, each expression with its
// column.
func describe(d *annot.Directive) string {
	var b strings.Builder
	b.WriteString(string(d.Verb))
	if d.Group != "" {
		fmt.Fprintf(&b, " %s@%d.", d.Group, d.GroupPos.Column)
	}
	if d.Name != "" {
		b.WriteString(" " + d.Name)
	}
	if d.NamePos.IsValid() {
		fmt.Fprintf(&b, "@%d", d.NamePos.Column)
	}
	for i := range d.Args {
		b.WriteString(" " + describeExpr(&d.Args[i]))
	}
	describeCoverage(&b, d)
	for _, c := range []struct {
		word string
		expr *annot.Expr
	}{{"if", d.If}, {"by", d.By}, {"until", d.Until}} {
		if c.expr != nil {
			b.WriteString(" " + c.word + " " + describeExpr(c.expr))
		}
	}
	for _, c := range []struct {
		word string
		n    int
	}{{"cap", d.Cap}, {"atleast", d.AtLeast}, {"weight", d.Weight}} {
		if c.n > 0 {
			fmt.Fprintf(&b, " %s %d", c.word, c.n)
		}
	}
	for _, c := range []struct {
		word string
		set  bool
	}{{"observe", d.Observe}, {"rare", d.Rare}, {"pure", d.Pure}, {"other", d.Other}} {
		if c.set {
			b.WriteString(" " + c.word)
		}
	}
	if d.Goal != "" {
		b.WriteString(" goal " + d.Goal)
	}
	if d.Doc != "" {
		fmt.Fprintf(&b, " doc %q", d.Doc)
	}
	return b.String()
}

func describeExpr(e *annot.Expr) string { return fmt.Sprintf("[%s]@%d", e.Text, e.Pos.Column) }

// describeCoverage spells out the parts of functional coverage.
func describeCoverage(b *strings.Builder, d *annot.Directive) {
	if d.Cross != nil {
		b.WriteString(" of")
	}
	for _, t := range d.Cross {
		fmt.Fprintf(b, " %v@%d", t, t.Pos.Column)
	}
	if d.Trans != nil {
		fmt.Fprintf(b, " @%d:", d.Trans.Pos.Column)
		if d.Trans.All {
			b.WriteString(" all")
		}
		describePaths(b, d.Trans.Paths)
	}
	if d.Seq != nil {
		fmt.Fprintf(b, " @%d:", d.Seq.Pos.Column)
		describeEvents(b, d.Seq.Events)
	}
	if d.Bins != nil {
		describeBins(b, d.Bins)
	}
	for _, s := range []struct {
		word string
		sel  *annot.Selection
	}{{"ignore", d.Ignore}, {"never", d.Never}} {
		if s.sel == nil {
			continue
		}
		fmt.Fprintf(b, " %s@%d", s.word, s.sel.Pos.Column)
		describeList(b, s.sel.Bins)
		describePaths(b, s.sel.Paths)
		if s.sel.Cond != nil {
			b.WriteString(" " + describeExpr(s.sel.Cond))
		}
	}
	if d.Sample != nil {
		fmt.Fprintf(b, " sample %v %s@%d", d.Sample.At, d.Sample.Func, d.Sample.Pos.Column)
	}
}

func describeBins(b *strings.Builder, bins *annot.Bins) {
	form := [...]string{"list", "conditions", "enum", "bool", "log2", "each"}[bins.Form]
	fmt.Fprintf(b, " bins@%d %s", bins.Pos.Column, form)
	if bins.N > 0 {
		fmt.Fprintf(b, " %d", bins.N)
	}
	for i := range bins.Without {
		b.WriteString(" -" + describeExpr(&bins.Without[i]))
	}
	describeList(b, bins.List)
	for _, c := range bins.Conds {
		fmt.Fprintf(b, " %s@%d:%s", c.Name, c.Pos.Column, describeExpr(c.Cond))
	}
}

// describeList has the column of each bin and of the ends of a range.
func describeList(b *strings.Builder, list []annot.Bin) {
	for _, bin := range list {
		b.WriteString(" " + describeBin(bin))
	}
}

func describeBin(bin annot.Bin) string {
	s := fmt.Sprintf("%s@%d", bin.Name, bin.Pos.Column)
	if !bin.Range {
		return s
	}
	s += "("
	if bin.Lo != nil {
		s += describeExpr(bin.Lo)
	}
	s += ".."
	if bin.Hi != nil {
		s += describeExpr(bin.Hi)
	}
	return s + ")"
}

func describePaths(b *strings.Builder, paths []annot.Path) {
	for _, p := range paths {
		fmt.Fprintf(b, " {%s}@%d", p.Text, p.Pos.Column)
		for _, s := range p.Steps {
			b.WriteString(" " + describeBin(s.Bin))
			switch {
			case s.Goto > 0:
				fmt.Fprintf(b, " goto %d", s.Goto)
			case s.Min != 1 || s.Max != 1:
				fmt.Fprintf(b, " times %d..%d", s.Min, s.Max)
			}
		}
	}
}

func describeEvents(b *strings.Builder, events []annot.Event) {
	for _, e := range events {
		fmt.Fprintf(b, " %v %s", e.Op, describeExpr(e.Cond))
		for _, n := range e.Not {
			b.WriteString(" not " + describeExpr(n))
		}
	}
}
