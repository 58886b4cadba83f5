package annot_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/annot"
)

// insertAll inserts a call at every placed directive, as package rewrite does.
func insertAll(src []byte, placed []*annot.Placed) []byte {
	order := slices.Clone(placed)
	slices.SortStableFunc(order, func(a, b *annot.Placed) int { return a.Offset - b.Offset })
	var out bytes.Buffer
	last := 0
	for _, p := range order {
		if p.Verb.Control() || p.Watch != nil {
			continue
		}
		out.Write(src[last:p.Offset])
		out.WriteString(p.Insertion("_ijon()"))
		last = p.Offset
	}
	out.Write(src[last:])
	return out.Bytes()
}

// marked is a source with a directive at every boundary between two tokens,
// or at every end of line, or on a line of its own above every line.
type marked struct {
	name string
	src  []byte
	n    int // directives in it
}

func markings(src []byte) []marked {
	ends := tokenEnds(src)
	return []marked{
		mark("block comment behind every token", src, ends, " /*ijon:cover c*/ "),
		mark("two block comments behind every token", src, ends, " /*ijon:cover c*//*ijon:cover d*/"),
		mark("line comment at every end of line", src, lineEnds(src, ends), " //ijon:cover c"),
		mark("line comment above every line", src, lineEnds(src, ends), "\n//ijon:cover c"),
		mark("block comment above every line", src, lineEnds(src, ends), "\n/*ijon:cover c*/"),
	}
}

func mark(name string, src []byte, at []int, text string) marked {
	var out bytes.Buffer
	last := 0
	for _, off := range at {
		out.Write(src[last:off])
		out.WriteString(text)
		last = off
	}
	out.Write(src[last:])
	return marked{name, out.Bytes(), len(at) * strings.Count(text, "ijon:")}
}

// tokenEnds lists the offsets behind the tokens of a source, and its start.
// A raw string's end is taken from the next token, as its literal has lost its
// carriage returns.
func tokenEnds(src []byte) []int {
	file := token.NewFileSet().AddFile("", -1, len(src))
	var sc scanner.Scanner
	sc.Init(file, src, nil, scanner.ScanComments)
	ends := []int{0}
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			return slices.Compact(ends)
		}
		if tok == token.COMMENT || tok == token.SEMICOLON && lit != ";" {
			continue
		}
		if lit == "" {
			lit = tok.String()
		}
		ends = append(ends, file.Offset(pos)+len(lit))
	}
}

// lineEnds lists the ends of the lines on which a token ends and no comment
// follows.
func lineEnds(src []byte, ends []int) []int {
	var lines []int
	for _, end := range ends {
		rest, _, _ := bytes.Cut(src[end:], []byte("\n"))
		if trimmed := bytes.Trim(rest, " \t"); len(trimmed) == 0 {
			lines = append(lines, end+len(rest))
		}
	}
	return slices.Compact(lines)
}

// check parses a marked source and asserts that every directive has exactly
// one outcome and that insertion gives a file that parses, with the same lines.
func (m *marked) check(t *testing.T, name string) (out []byte, placed int) {
	t.Helper()
	fset, file := parseGo(t, name, m.src)
	ps, errs := annot.ParseFile(fset, file, m.src)
	if len(ps)+len(errs) != m.n {
		t.Errorf("%d directives, %d placed, %d reported", m.n, len(ps), len(errs))
	}
	out = insertAll(m.src, ps)
	if got, want := bytes.Count(out, []byte("\n")), bytes.Count(m.src, []byte("\n")); got != want {
		t.Errorf("%d lines became %d", want, got)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), name, out, parser.ParseComments); err != nil {
		t.Errorf("after insertion: %v\n%s", err, out)
	}
	return out, len(ps)
}

// TestInsertionTypeChecks puts directives everywhere into a program of many
// awkward statements, and type-checks the result: labels, gotos, fallthrough
// and terminating statements must still be where they have to be.
func TestInsertionTypeChecks(t *testing.T) {
	src, err := os.ReadFile("testdata/everywhere.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range markings(src) {
		t.Run(m.name, func(t *testing.T) {
			out, placed := m.check(t, "everywhere.go")
			if placed < 50 {
				t.Errorf("only %d directives are placed", placed)
			}
			fset, file := parseGo(t, "everywhere.go", out)
			conf := types.Config{Error: func(err error) { t.Error(err) }}
			conf.Check("p", fset, []*ast.File{file}, nil)
		})
	}
}

// TestInsertionParses does the same, without types, to the sources of the
// runtime.
func TestInsertionParses(t *testing.T) {
	names, err := filepath.Glob("../runtime/*.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(src, []byte("ijon:")) {
			continue // would be counted, too
		}
		for _, m := range markings(src) {
			t.Run(filepath.Base(name)+"/"+m.name, func(t *testing.T) {
				m.check(t, name)
			})
		}
	}
}
