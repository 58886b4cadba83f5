package annot_test

import (
	"go/token"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/annot"
)

// A part is something with a position and the text that stands there.
type part struct {
	pos  token.Position
	text string
}

// parts lists the parts of a directive for functional coverage.
func parts(d *annot.Directive) (list []part) {
	add := func(pos token.Position, text string) { list = append(list, part{pos, text}) }
	expr := func(e *annot.Expr) {
		if e != nil {
			add(e.Pos, e.Text)
		}
	}
	bin := func(b annot.Bin) {
		expr(b.Lo)
		expr(b.Hi)
		if first, _, _ := strings.Cut(b.Name, ".."); !b.Range || first != "" && b.Lo.Text == first {
			add(b.Pos, first)
		}
	}
	paths := func(paths []annot.Path) {
		for _, p := range paths {
			add(p.Pos, p.Text)
			for _, s := range p.Steps {
				bin(s.Bin)
			}
		}
	}
	if d.GroupPos.IsValid() {
		add(d.GroupPos, d.Group)
	}
	if d.NamePos.IsValid() {
		add(d.NamePos, d.Name)
	}
	for i := range d.Args {
		expr(&d.Args[i])
	}
	for _, e := range []*annot.Expr{d.If, d.By, d.Until} {
		expr(e)
	}
	for _, t := range d.Cross {
		add(t.Pos, t.Point)
	}
	if d.Trans != nil {
		paths(d.Trans.Paths)
	}
	if d.Seq != nil {
		for _, e := range d.Seq.Events {
			add(e.Pos, e.Text)
			expr(e.Cond)
			for _, n := range e.Not {
				expr(n)
			}
		}
	}
	if d.Bins != nil {
		add(d.Bins.Pos, d.Bins.Text)
		for _, b := range d.Bins.List {
			bin(b)
		}
		for _, c := range d.Bins.Conds {
			add(c.Pos, c.Name)
			expr(c.Cond)
		}
		for i := range d.Bins.Without {
			expr(&d.Bins.Without[i])
		}
	}
	for _, s := range []*annot.Selection{d.Ignore, d.Never} {
		if s == nil {
			continue
		}
		add(s.Pos, s.Text)
		expr(s.Cond)
		for _, b := range s.Bins {
			bin(b)
		}
		paths(s.Paths)
	}
	return list
}

// checkParts checks that every part of a directive stands where it says, and
// has the shape that its type promises.
func checkParts(t *testing.T, src []byte, d *annot.Directive) {
	t.Helper()
	for _, p := range parts(d) {
		if p.text == "" || p.pos.Offset > len(src) || !strings.HasPrefix(string(src[p.pos.Offset:]), p.text) {
			t.Errorf("%s: %q does not stand at %v, offset %d", d.Text, p.text, p.pos, p.pos.Offset)
		}
		before := string(src[:p.pos.Offset])
		if line, col := strings.Count(before, "\n")+1, len(before)-strings.LastIndexByte(before, '\n'); p.pos.Line != line || p.pos.Column != col {
			t.Errorf("%s: %q is at %d:%d, and says %v", d.Text, p.text, line, col, p.pos)
		}
	}
	if d.Verb == annot.Cross && len(d.Cross) < 2 || d.Verb == annot.Seq && len(d.Seq.Events) < 2 {
		t.Errorf("%s: too few parts", d.Text)
	}
	if d.Verb == annot.Trans {
		if d.Trans.All == (len(d.Trans.Paths) > 0) {
			t.Errorf("%s: neither all nor paths, or both", d.Text)
		}
		for _, p := range d.Trans.Paths {
			checkPath(t, p)
		}
	}
	if d.Seq != nil {
		for i, e := range d.Seq.Events {
			if e.Cond == nil || (e.Op == annot.OpNone) != (i == 0) || len(e.Not) > 0 && e.Op != annot.OpLater {
				t.Errorf("%s: event %d is %+v", d.Text, i, e)
			}
		}
	}
}

func checkPath(t *testing.T, p annot.Path) {
	t.Helper()
	samples := 0
	for _, s := range p.Steps {
		if s.Min < 1 || s.Max < s.Min || s.Goto > 0 && s.Max > 1 || s.Lo == nil && s.Hi == nil {
			t.Errorf("%s: step %+v", p.Text, s)
		}
		samples += max(s.Max, s.Goto)
	}
	if samples < 2 {
		t.Errorf("%s: no transition", p.Text)
	}
}

const positionedCoverage = `package p

//ijon:group g ; by n ; sample exit (*T).M
//ijon:point g.lag = len(m) ; bins 0, -1 .. 7, "2..7", pkg.A.. ; ignore 0x1..0x2 , 1<<3 ; never "ä"..
//ijon:point cond = n ; bins behind: cond > 0 || n == 0 | level : cond|1 == 0 ; if n > zero
//ijon:point kind = n ; bins enum -A - pkg.B
//ijon:cross g.C = lag@a * cond@b * lag@b ; ignore lag@a == "2..7" && cond@b
//ijon:trans g.kind : A => pkg.B[*2..3], C[->2]=>1..2 => .. 5
//ijon:seq g.s : n > 0 ~> !( n < 0 ) ~> m[n].id == 0 => !b
func f(n int, m []struct{ id int }) {
	n++
}
`

func TestCoveragePositionsAreBytesOfTheFile(t *testing.T) {
	for name, encode := range encodings {
		t.Run(name, func(t *testing.T) {
			src := []byte(encode(positionedCoverage))
			fset, file := parseGo(t, "p.go", src)
			placed, errs := annot.ParseFile(fset, file, src)
			if len(placed) != 7 || len(errs) != 0 {
				t.Fatalf("placed %d, errors %v", len(placed), errs)
			}
			for _, p := range placed {
				checkParts(t, src, p.Directive)
			}
			cond := placed[4].Ignore.Cond
			checkIdent(t, string(src), fset, cond, "lag", `lag@a == "2`)
		})
	}
}

// sidecarOf writes the doc comment of a source's function f as a sidecar file.
func sidecarOf(src string) string {
	doc := src[strings.Index(src, "//ijon:"):strings.Index(src, "func")]
	return "ijon 1\npackage p\n" + strings.NewReplacer("//ijon:", "at f exit : ", "; sample exit (*T).M", "").Replace(doc)
}

func TestCoveragePositionsInSidecar(t *testing.T) {
	for _, name := range []string{"plain", "CRLF", "BOM"} {
		src := []byte(encodings[name](sidecarOf(positionedCoverage)))
		s, errs := annot.ParseSidecar("p.ijon", src)
		if len(errs) > 0 || len(s.Packages[0].Anchors) != 7 {
			t.Fatalf("%s: %d lines, errors %v", name, len(s.Packages[0].Anchors), errs)
		}
		for _, d := range s.Packages[0].Directives() {
			checkParts(t, src, d)
		}
	}
}
