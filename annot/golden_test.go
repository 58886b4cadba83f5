package annot_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ijongo/ijongo/annot"
)

var update = flag.Bool("update", false, "rewrite the want files of testdata")

// TestGolden parses every .go and .ijon file of an archive in testdata and
// compares what came out with its file "want": one line for each placed
// directive and each error, in the order of position.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives in testdata: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			golden(t, name)
		})
	}
}

func golden(t *testing.T, name string) {
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	want := -1
	for i, f := range ar.Files {
		switch {
		case f.Name == "want":
			want = i
		case strings.HasSuffix(f.Name, ".go"):
			got.WriteString(describeFile(t, f.Name, f.Data))
		case strings.HasSuffix(f.Name, ".ijon"):
			got.WriteString(describeSidecar(f.Name, f.Data))
		default:
			t.Fatalf("%s: unexpected file %s", name, f.Name)
		}
	}
	if want < 0 {
		ar.Files, want = append(ar.Files, txtar.File{Name: "want"}), len(ar.Files)
	}
	if *update {
		ar.Files[want].Data = []byte(got.String())
		if err := os.WriteFile(name, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got.String() != string(ar.Files[want].Data) {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), ar.Files[want].Data)
	}
}

// parseGo parses a file that must be valid Go.
func parseGo(t testing.TB, name string, src []byte) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, file
}

func describeFile(t *testing.T, name string, src []byte) string {
	fset, file := parseGo(t, name, src)
	placed, errs := annot.ParseFile(fset, file, src)
	var lines annot.Errors
	for _, p := range placed {
		at := p.Place.String()
		switch fn := p.Func.(type) {
		case *ast.FuncDecl:
			at += " in " + annot.FuncName(fn)
		case *ast.FuncLit:
			at += " in func literal"
		}
		if p.Watch != nil {
			at += " " + p.Watch.Type.Name.Name + "." + strings.Join(p.Watch.Names(), ",")
		}
		lines = append(lines, &annot.Error{Pos: p.Pos, Msg: "placed " + describe(p.Directive) + ": " + at})
	}
	groups, ungrouped := annot.Groups(placed)
	for _, p := range placed {
		if g := groups[p.Directive]; g != "" {
			lines = append(lines, &annot.Error{Pos: p.Pos, Msg: "belongs to " + g})
		}
	}
	regions, faults := annot.Regions(fset, file, placed)
	for _, r := range regions {
		from, to := fset.File(file.FileStart).Position(file.FileStart+token.Pos(r.From)), len(src)
		if r.Place != annot.InFile {
			to = r.To
		}
		lines = append(lines, &annot.Error{Pos: from, Msg: fmt.Sprintf("%s up to %.10q", r.Verb, src[to:])})
	}
	return join(slices.Concat(lines, errs, faults, ungrouped))
}

func describeSidecar(name string, src []byte) string {
	s, errs := annot.ParseSidecar(name, src)
	var b strings.Builder
	if s.Module != "" {
		fmt.Fprintf(&b, "module %s %q\n", s.Module, s.Versions)
	}
	for _, pkg := range s.Packages {
		fmt.Fprintf(&b, "package %s\n", pkg.Path)
		for _, a := range pkg.Anchors {
			fmt.Fprintf(&b, "%v: at %s %s: %s\n", a.Pos, a.Func, a.At, describe(a.Directive))
		}
		for _, a := range pkg.Behind {
			fmt.Fprintf(&b, "%v: after %T %s in %s: %s\n", a.Pos, a.Stmt, a.Text, a.Func, describe(a.Directive))
		}
		for _, w := range pkg.Watches {
			fmt.Fprintf(&b, "%v: watch %s.%s: %s\n", w.Pos, w.Type, w.Field, describe(w.Directive))
		}
		groups, ungrouped := pkg.Groups()
		for _, d := range pkg.Directives() {
			if g := groups[d]; g != "" {
				fmt.Fprintf(&b, "%v: belongs to %s\n", d.Pos, g)
			}
		}
		b.WriteString(join(ungrouped))
		for _, r := range pkg.Replaces {
			fmt.Fprintf(&b, "%v: replace %s in %s: %s\n", r.Pos, r.Callee, r.Func, r.With)
		}
		for _, a := range pkg.Adds {
			fmt.Fprintf(&b, "%v: add %s\n", a.Pos, a.Path())
		}
		for _, q := range pkg.Quiets {
			fmt.Fprintf(&b, "%v: quiet %s\n", q.Pos, q.Callee)
		}
	}
	return b.String() + join(errs)
}

func join(errs annot.Errors) string {
	if len(errs) == 0 {
		return ""
	}
	return errs.Error() + "\n"
}
