package annot_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/annot"
)

// encodings are ways to write the same lines. Every offset and column counts
// bytes of the file as it is.
var encodings = map[string]func(string) string{
	"plain":            func(s string) string { return s },
	"CRLF":             func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"BOM":              func(s string) string { return "\xef\xbb\xbf" + s },
	"unicode in front": func(s string) string { return strings.Replace(s, "n++", "π, 日本 := n, n; _, _ = π, 日本", 1) },
	"line directive":   func(s string) string { return strings.Replace(s, "\tn++", "//line gram.y:41\n\tn++", 1) },
	"block directive":  func(s string) string { return strings.Replace(s, "n++", "/*line gram.y:41:7*/n++", 1) },
}

const positioned = `package p

/*
a comment over
lines */

func f(n int, m []struct{ id int }) {
	n++; //ijon:set first = n, len(m) + m[n].id; if n > zero
}
`

func TestPositionsAreBytesOfTheFile(t *testing.T) {
	for name, encode := range encodings {
		t.Run(name, func(t *testing.T) {
			src := encode(positioned)
			fset, file := parseGo(t, "p.go", []byte(src))
			placed, errs := annot.ParseFile(fset, file, []byte(src))
			if len(placed) != 1 || len(errs) != 0 {
				t.Fatalf("placed %d, errors %v", len(placed), errs)
			}
			d := placed[0]
			if got := src[d.Offset:]; !strings.HasPrefix(got, "//ijon:") {
				t.Errorf("Offset is at %.20q", got)
			}
			if d.Text != "set first = n, len(m) + m[n].id; if n > zero" {
				t.Errorf("Text = %q", d.Text)
			}
			checkPosition(t, src, "//ijon:", d.Pos)
			for _, e := range []struct {
				expr *annot.Expr
				text string
			}{{&d.Args[0], "n, len"}, {&d.Args[1], "len(m)"}, {d.If, "n > zero"}} {
				checkPosition(t, src, e.text, e.expr.Pos)
			}
			checkIdent(t, src, fset, &d.Args[1], "id", "id; if")
			checkIdent(t, src, fset, d.If, "zero", "zero")
		})
	}
}

// checkIdent checks both ways to resolve the position of an identifier inside
// an expression.
func checkIdent(t *testing.T, src string, fset *token.FileSet, e *annot.Expr, name, text string) {
	t.Helper()
	found := false
	ast.Inspect(e.Node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
			checkPosition(t, src, text, e.Position(id.Pos()))
			if fset != nil {
				checkPosition(t, src, text, fset.PositionFor(id.Pos(), false))
			}
		}
		return true
	})
	if !found {
		t.Errorf("no identifier %s in %s", name, e.Text)
	}
}

// checkPosition compares pos with the place of the last occurrence of text.
func checkPosition(t *testing.T, src, text string, pos token.Position) {
	t.Helper()
	off := strings.LastIndex(src, text)
	before := src[:off]
	line, column := strings.Count(before, "\n")+1, off-strings.LastIndexByte(before, '\n')
	if pos.Offset != off || pos.Line != line || pos.Column != column {
		t.Errorf("position of %q is %v, offset %d; want %d:%d, offset %d", text, pos, pos.Offset, line, column, off)
	}
}

func TestSidecarPositions(t *testing.T) {
	for _, name := range []string{"plain", "CRLF", "BOM"} {
		t.Run(name, func(t *testing.T) {
			src := encodings[name]("ijon 1\n# π\npackage p\nat f exit : set first = n, len(m) + m[n].id; if n > zero\n")
			s, errs := annot.ParseSidecar("p.ijon", []byte(src))
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			a := s.Packages[0].Anchors[0]
			checkPosition(t, src, "at f", a.Pos)
			checkPosition(t, src, "set first", a.Directive.Pos)
			checkIdent(t, src, nil, &a.Directive.Args[1], "id", "id; if")
			checkIdent(t, src, nil, a.Directive.If, "zero", "zero")
		})
	}
}

func TestLastLineWithoutNewline(t *testing.T) {
	src := []byte("package p\n\nfunc f() {}\n\n//ijon:max x")
	fset, file := parseGo(t, "p.go", src)
	placed, errs := annot.ParseFile(fset, file, src)
	if len(placed) != 0 || len(errs) != 1 || errs[0].Pos.Line != 5 || errs[0].Warning {
		t.Errorf("placed %d, errors %v", len(placed), errs)
	}
}

func TestNeighbours(t *testing.T) {
	src := []byte("package p\n\nfunc f() {\n\ta()\n\t//ijon:cover c\n\tb()\n}\n")
	fset, file := parseGo(t, "p.go", src)
	placed, errs := annot.ParseFile(fset, file, src)
	if len(placed) != 1 || len(errs) != 0 {
		t.Fatalf("placed %d, errors %v", len(placed), errs)
	}
	fn := file.Decls[0].(*ast.FuncDecl)
	p := placed[0]
	if p.Func != fn || p.Block != fn.Body || p.Index != 1 || p.After != fn.Body.List[0] || p.Before != fn.Body.List[1] {
		t.Errorf("placed %+v", p)
	}
}

func TestErrorsAreSortedAndFatal(t *testing.T) {
	at := func(file string, line, col int, warning bool) *annot.Error {
		return &annot.Error{Pos: token.Position{Filename: file, Line: line, Column: col}, Msg: "m", Warning: warning}
	}
	warnings := annot.Errors{at("b", 1, 1, true), at("a", 2, 1, true), at("a", 1, 9, true)}
	if got, want := warnings.Error(), "a:1:9: warning: m\na:2:1: warning: m\nb:1:1: warning: m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if warnings.Fatal(false) || !warnings.Fatal(true) {
		t.Error("warnings are fatal exactly when strict")
	}
	if mixed := slices.Concat(warnings, annot.Errors{at("c", 1, 1, false)}); !mixed.Fatal(false) {
		t.Error("an error is fatal")
	}
	if (annot.Errors)(nil).Fatal(true) {
		t.Error("nothing is fatal")
	}
}

func TestFuncName(t *testing.T) {
	_, file := parseGo(t, "p.go", []byte(`package p
func F()
func (t T) M()
func (t *T) M()
func (*T[K, V]) M()
func (T[K]) M()
func ((*T)) M()
`))
	var got []string
	for _, d := range file.Decls {
		got = append(got, annot.FuncName(d.(*ast.FuncDecl)))
	}
	want := []string{"F", "(T).M", "(*T).M", "(*T).M", "(T).M", "(*T).M"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAccepts(t *testing.T) {
	for _, c := range []struct {
		versions string
		accepted []string
		refused  []string
	}{
		{"", []string{"v0.1.0", "", "(devel)"}, nil},
		{"v3.6..v3.7", []string{"v3.6.0", "v3.6.12", "v3.7.0", "v3.7.9", "v3.7.1-0.20240101000000-abcdefabcdef", "v3.6.0-rc.1"}, []string{"v3.5.9", "v3.8.0", "v4.0.0", "v2.7.0", "", "(devel)", "3.6.0", "v3.7"}},
		{"v3.7", []string{"v3.7.0", "v3.7.5+incompatible"}, []string{"v3.70.0", "v3.6.9"}},
		{"v3", []string{"v3.0.0", "v3.99.1"}, []string{"v2.0.0", "v30.0.0"}},
		{"v3.7.0", []string{"v3.7.0", "v3.7.0+meta"}, []string{"v3.7.1", "v3.7.0-rc.1"}},
		{"v3.7.1..v4", []string{"v3.7.1", "v3.10.0", "v4.2.0"}, []string{"v3.7.0", "v3.7.1-rc.1", "v5.0.0"}},
	} {
		s, errs := annot.ParseSidecar("s.ijon", []byte("ijon 1\nmodule m "+c.versions))
		if len(errs) > 0 {
			t.Errorf("%s: %v", c.versions, errs)
			continue
		}
		for _, v := range c.accepted {
			if !s.Accepts(v) {
				t.Errorf("%s refuses %q", c.versions, v)
			}
		}
		for _, v := range c.refused {
			if s.Accepts(v) {
				t.Errorf("%s accepts %q", c.versions, v)
			}
		}
	}
	for _, bad := range []string{"v", "v1.", "v1.2.3.4", "v01", "v1.2-rc", "v1..", "..v1", "v1..v2..v3", "v1-v2", "v-1", ">=v1"} {
		if _, errs := annot.ParseSidecar("s.ijon", []byte("ijon 1\nmodule m "+bad)); len(errs) != 1 {
			t.Errorf("range %s: errors %v", bad, errs)
		}
	}
}
