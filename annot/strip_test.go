package annot

import (
	"bytes"
	"fmt"
	"go/build"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stripped is what Strip makes of a file, with every directive that it has.
func stripped(t *testing.T, src string) string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := goparser.ParseFile(fset, "x.go", src, goparser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Strip([]byte(src), Comments(fset, f, []byte(src)))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestStrip(t *testing.T) {
	const head, foot = "package p\n\nfunc f(n int) int {\n", "\treturn n\n}\n"
	tests := []struct{ name, with, without string }{
		{"alone", "\t//ijon:max n\n", ""},
		{"two alone", "\t//ijon:max n\n\t//ijon:min n\n", ""},
		{"alone, block", "\t/*ijon:max n*/\n", ""},
		{"alone, blanks behind", "\t//ijon:max n \t \n", ""},
		{"alone, CRLF", "\t//ijon:max n\r\n\tn++\r\n", "\tn++\r\n"},
		{"behind a statement", "\tn++ \t//ijon:max n\n", "\tn++\n"},
		{"behind a statement, CRLF", "\tn++ //ijon:max n\r\n", "\tn++\r\n"},
		{"behind a statement, block", "\tn++ /*ijon:max n*/\n", "\tn++\n"},
		{"before a comment", "\tn++ /*ijon:max n*/ // and so on\n", "\tn++ // and so on\n"},
		{"before a statement", "\t/*ijon:max n*/ n++\n", "\tn++\n"},
		{"several in a line", "\t/*ijon:max n*/ /*ijon:min n*/ n++ /*ijon:max n*/ /*ijon:min n*/\n", "\tn++\n"},
		{"in a one-line body", "\tif n > 0 { /*ijon:max n*/ return 1 }\n", "\tif n > 0 { return 1 }\n"},
		{"tight in a one-line body", "\tif n > 0 {/*ijon:max n*/return 1}\n", "\tif n > 0 { return 1}\n"},
		{"tight on the right", "\tif n > 0 { /*ijon:max n*/return 1}\n", "\tif n > 0 { return 1}\n"},
		{"where tokens would grow together", "\tn = n +/*ijon:max n*/+ n\n", "\tn = n + + n\n"},
		{"between words", "\tvar/*ijon:max n*/m int; _ = m\n", "\tvar m int; _ = m\n"},
		{"blank lines stay", "\n\t//ijon:max n\n\n", "\n\n"},
		{"what is in error", "\t//ijon:mux n\n\t//ijon:max (\n", ""},
		{"what is none", "\t// ijon:max n\n\t//ijong:max\n\t_ = `\n//ijon:max n\n`\n", "\t// ijon:max n\n\t//ijong:max\n\t_ = `\n//ijon:max n\n`\n"},
		{"a comment over lines", "\t/*ijon:max n\n*/\n", "\t/*ijon:max n\n*/\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, want := stripped(t, head+tt.with+foot), head+tt.without+foot; got != want {
				t.Errorf("got\n%q\nwant\n%q", got, want)
			}
		})
	}
}

func TestStripAtTheEdges(t *testing.T) {
	tests := []struct{ name, with, without string }{
		{"end of file", "package p\n//ijon:max n", "package p\n"},
		{"end of file, behind code", "package p //ijon:max n", "package p"},
		{"start of file", "//ijon:skip\n\npackage p\n", "\npackage p\n"},
		{"start of file, byte order mark", "\xef\xbb\xbf//ijon:skip\npackage p\n", "\xef\xbb\xbfpackage p\n"},
		{"doc comment", "package p\n\n// F is.\n//\n//ijon:max n\nfunc F(n int) {}\n", "package p\n\n// F is.\n//\nfunc F(n int) {}\n"},
		{"line directive", "package p\n\n//ijon:max n\n//line y.go:7\nfunc F() {}\n", "package p\n\n//line y.go:7\nfunc F() {}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := stripped(t, tt.with); got != tt.without {
				t.Errorf("got\n%q\nwant\n%q", got, tt.without)
			}
		})
	}
}

// TestStripRefuses cuts out more than a comment.
func TestStripRefuses(t *testing.T) {
	src := []byte("package p\n\nvar x = 1\n\nvar y = 2\n")
	_, err := Strip(src, []Comment{{From: 11, To: 20}})
	const want = `without its directives the file would mean something else, from "y" at byte 16 on`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestStripUndoes writes directives between the lines, and behind them, of
// real files, and takes them away again: the file is what it was to the byte.
func TestStripUndoes(t *testing.T) {
	dirs := []string{"go/printer", "net/http", "cmd/cgo"}
	if testing.Short() {
		dirs = dirs[:1]
	}
	files := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(build.Default.GOROOT, "src", dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata") {
				return err
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			files++
			for seed := range uint64(2) {
				undoes(t, name, src, rand.New(rand.NewPCG(seed, uint64(files))))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 20 {
		t.Fatalf("%d files: the standard library is not where it was", files)
	}
}

func undoes(t *testing.T, name string, src []byte, r *rand.Rand) {
	t.Helper()
	with, n := sprinkle(src, r)
	fset := token.NewFileSet()
	f, err := goparser.ParseFile(fset, name, with, goparser.ParseComments|goparser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	comments := Comments(fset, f, with)
	if len(comments) != n {
		t.Fatalf("%s: %d directives found, want %d", name, len(comments), n)
	}
	got, err := Strip(with, comments)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !bytes.Equal(got, src) {
		t.Errorf("%s: not what it was", name)
	}
}

// sprinkle adds n directives: at the end of lines that end a statement, and
// on lines of their own behind these.
func sprinkle(src []byte, r *rand.Rand) (with []byte, n int) {
	at := 0
	add := func(format string) {
		with = fmt.Appendf(with, format, n)
		n++
	}
	for s := newScanner(src); ; {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return append(with, src[at:]...), n
		}
		end := int(pos) - 1
		line := src[bytes.LastIndexByte(src[:end], '\n')+1 : end]
		if lit != "\n" || tok != token.SEMICOLON || bytes.Contains(line, []byte("//")) || bytes.HasSuffix(line, []byte(" ")) || r.IntN(4) > 0 {
			continue
		}
		with = append(with, src[at:end]...)
		if r.IntN(2) == 0 {
			add(" //ijon:max behind%d")
		}
		with = append(with, '\n')
		if r.IntN(2) == 0 {
			add("\t//ijon:max alone%d \n")
		}
		at = end + 1
	}
}
