package annot_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ijongo/ijongo/annot"
)

// seed adds the files of the archives in testdata that have the extension.
func seed(f *testing.F, ext string) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			if filepath.Ext(file.Name) == ext {
				f.Add(file.Data)
			}
		}
	}
}

// FuzzParseFile checks that any file that go/parser takes, even with errors,
// is read without a panic, that every comment with the form of a directive is
// placed or reported, and that valid files stay valid after insertion.
func FuzzParseFile(f *testing.F) {
	seed(f, ".go")
	for _, encode := range encodings {
		f.Add([]byte(encode(positioned)))
		f.Add([]byte(encode(positionedCoverage)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		fset := token.NewFileSet()
		file, parseErr := parser.ParseFile(fset, "f.go", src, parser.ParseComments)
		if file == nil {
			return
		}
		placed, errs := annot.ParseFile(fset, file, src)
		for _, p := range placed {
			checkParts(t, src, p.Directive)
		}
		checkGroups(t, placed)
		offsets := outcomes(placed, errs)
		for _, c := range naiveScan(fset, file, src) {
			if !anyIn(offsets, c[0], c[1]) {
				t.Errorf("dropped: %q", src[c[0]:c[1]])
			}
		}
		if parseErr != nil {
			return
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "f.go", insertAll(src, placed), 0); err != nil {
			t.Errorf("after insertion: %v\n%s", err, insertAll(src, placed))
		}
	})
}

// FuzzDirective checks one directive: that its parts stand where they say and
// have the shape that their types promise, or that it is reported inside its
// text.
func FuzzDirective(f *testing.F) {
	for _, line := range strings.Split(positionedCoverage, "\n") {
		if text, ok := strings.CutPrefix(line, "//ijon:"); ok {
			f.Add(text)
		}
	}
	f.Add("trans p: A[*2]=>..5, all=>B ; never 'a'=>`..`[->3]")
	f.Add("point p = x ; bins each -1..9 ; other ; ignore 1..")
	f.Add("cross a@x*b@y ; ignore a@x >= 2 && !b@y || (pkg.A != b@y)")
	f.Fuzz(func(t *testing.T, text string) {
		src := []byte("package p\n\nfunc f() { //ijon:" + text + "\n}\n")
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "f.go", src, parser.ParseComments)
		if err != nil || strings.Contains(text, "\n") {
			return
		}
		placed, errs := annot.ParseFile(fset, file, src)
		for _, e := range errs {
			if e.Pos.Line != 3 || e.Pos.Offset < 22 || e.Pos.Offset > len(src)-3 {
				t.Errorf("%v, offset %d", e, e.Pos.Offset)
			}
		}
		for _, p := range placed {
			checkParts(t, src, p.Directive)
		}
	})
}

// checkGroups checks that what belongs to a group has one, or an error, or is
// on a field.
func checkGroups(t *testing.T, placed []*annot.Placed) {
	t.Helper()
	of, errs := annot.Groups(placed)
	members, watches := 0, 0
	for _, p := range placed {
		if p.Verb.Member() {
			members++
			if p.Watch != nil && p.Group == "" {
				watches++
			}
		}
	}
	if len(of)+len(errs)+watches != members {
		t.Errorf("%d members: %d in a group, %d errors, %d on fields", members, len(of), len(errs), watches)
	}
}

func outcomes(placed []*annot.Placed, errs annot.Errors) []int {
	var offsets []int
	for _, p := range placed {
		offsets = append(offsets, p.Pos.Offset)
	}
	for _, e := range errs {
		offsets = append(offsets, e.Pos.Offset)
	}
	return offsets
}

func anyIn(offsets []int, lo, hi int) bool {
	for _, off := range offsets {
		if lo <= off && off <= hi {
			return true
		}
	}
	return false
}

// naiveScan finds the comments that have the form of a directive in the
// plainest way there is, and gives their ranges of offsets.
func naiveScan(fset *token.FileSet, file *ast.File, src []byte) (found [][2]int) {
	for _, group := range file.Comments {
		for _, c := range group.List {
			lo := fset.PositionFor(c.Pos(), false).Offset
			line, _, _ := bytes.Cut(src[lo:], []byte("\n"))
			isLine := strings.HasPrefix(string(line), "//ijon:")
			isBlock := strings.HasPrefix(string(line), "/*ijon:") && bytes.Contains(line[2:], []byte("*/"))
			if isLine || isBlock {
				found = append(found, [2]int{lo, lo + len(line)})
			}
		}
	}
	return found
}

// FuzzParseSidecar checks that any text is read without a panic, and that a
// file without errors has every line that is not blank, a comment or about the
// file itself in its result.
func FuzzParseSidecar(f *testing.F) {
	seed(f, ".ijon")
	f.Add([]byte(sidecarOf(positionedCoverage)))
	f.Add([]byte("\xef\xbb\xbfijon 1\r\npackage p\r\nat f exit : max n\r\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, errs := annot.ParseSidecar("f.ijon", src)
		if len(errs) > 0 {
			return
		}
		got := 0
		for _, pkg := range s.Packages {
			got += len(pkg.Directives()) + len(pkg.Replaces) + len(pkg.Adds) + len(pkg.Quiets)
			for _, d := range pkg.Directives() {
				checkParts(t, src, d)
			}
			pkg.Groups()
		}
		want := 0
		for _, line := range strings.Split(string(src), "\n") {
			line = strings.TrimLeft(line, " \t\r")
			for _, word := range []string{"at", "after", "watch", "replace", "add", "quiet"} {
				if strings.HasPrefix(line, word) {
					want++
				}
			}
		}
		if got != want {
			t.Errorf("%d lines, %d of them in the result", want, got)
		}
	})
}
