package rewrite

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const compared = `package p

import (
	"bytes"
	"strings"
)

const named = "a named one"

var table = map[string]int{"a key": 1}

var (
	magic  = []byte("magic")
	signed = []byte{0x89, 'P', 'N', 'G'}
	others = []byte(nil)
)

type code uint16

const first, second code = 0x1234, 7

func f(s string, b []byte, n uint32, i int, c code, r rune) bool {
	switch s {
	case "a case", named:
	}
	switch {
	case n == 0xcafebabe, i < -1000, c == first, c == second, 300 > r:
	}
	_ = bytes.HasPrefix(b, magic) && bytes.Contains(b, signed) && bytes.Equal(b, []byte{1, 2}) && bytes.Equal(b, others)
	println("printed", strings.Repeat("repeated", 3), 0xdddd+i, "a" == "b")
	return strings.HasPrefix(s, "a prefix") || bytes.Equal(b, []byte("bytes\x00\xff")) || string(b) != "a string" || "a case" == s
}
`

// TestDictionaryHasWhatIsComparedWith lists the words of a file, in order: each
// once, integers in their bytes and as text, and nothing that is only printed.
func TestDictionaryHasWhatIsComparedWith(t *testing.T) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "p.go", compared, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	checked, err := conf.Check("p", fset, []*ast.File{parsed}, info)
	if err != nil {
		t.Fatal(err)
	}
	prog := newProgram(&Config{}, fset)
	prog.collectWords(&file{pkg: &pkg{Package: &packages.Package{Types: checked, TypesInfo: info}}, ast: parsed, tok: fset.File(parsed.Pos())})
	want := []string{
		"a key", "a case", "a named one",
		`\xbe\xba\xfe\xca`, `\xca\xfe\xba\xbe`, "3405691582",
		`\x18\xfc`, `\xfc\x18`, `\x18\xfc\xff\xff\xff\xff\xff\xff`, `\xff\xff\xff\xff\xff\xff\xfc\x18`, "-1000",
		`4\x12`, `\x124`, "4660",
		`,\x01`, `\x01,`, `,\x01\x00\x00`, `\x00\x00\x01,`, "300",
		"magic", `\x89PNG`, `\x01\x02`,
		"a prefix", `bytes\x00\xff`, "a string",
	}
	if got := prog.words.quoted(); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestDictionaryIsBounded(t *testing.T) {
	var d dictionary
	d.add(strings.Repeat("x", maxWord+1))
	for i := range 3 * maxWords {
		d.add(strings.Repeat("x", i%maxWord) + string(rune(i)))
	}
	if len(d.words) != maxWords || len(d.words[0]) > maxWord {
		t.Errorf("%d words, the first of %d bytes", len(d.words), len(d.words[0]))
	}
}

// TestWordsAreReadAsTheyAreSpelled reads back what the manifest would have.
func TestWordsAreReadAsTheyAreSpelled(t *testing.T) {
	words := []string{`"`, `\`, "\x00\xff", "plain text", "#", "ü"}
	var text strings.Builder
	for i, w := range words {
		text.WriteString([]string{"", "name=", " name@2="}[i%3] + `"` + quoteWord(w) + "\"\r\n# a comment\n\n")
	}
	path := filepath.Join(t.TempDir(), "dict")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := readWords(path); err != nil || !slices.Equal(got, words) {
		t.Errorf("%q, %v", got, err)
	}
}
