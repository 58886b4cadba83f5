package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// unreached are messages that no input brings about: they guard against a
// mistake of a caller or of these packages, or need a go command that fails.
var unreached = map[string]bool{
	"verb %s cannot be injected":                            true,
	"no output folder named":                                true, // the command checks first
	"no runtime sources given":                              true,
	"%s: format %q, want %q (instrument again)":             true, // a campaign shows it
	"go list -m: %w":                                        true,
	"cgo's translation of this file lost an annotation":     true,
	"more than %d annotations":                              true,
	"the type has %d constants, more than %d":               true, // as many would not fit on a page
	"no packages named (write ./... for all of the module)": true, // the command checks first
	"not an expression: %v":                                 true, // go/parser gives a list
	"not one statement":                                     true, // the message says what is none
	"without its directives the file would mean something else, from %q at byte %d on": true,
}

// TestEveryMessage looks for every message of this package and of annot in the
// scripts, and for those of annot in its own test data.
func TestEveryMessage(t *testing.T) {
	scripts := textOf(t, "../testdata/script/*.txtar")
	show(t, messages(t, "."), scripts)
	show(t, messages(t, "../annot"), scripts+textOf(t, "../annot/testdata/*"))
}

func show(t *testing.T, messages map[string]string, scripts string) {
	for at, text := range messages {
		if !unreached[text] && text != "" && !pattern(text).MatchString(scripts) {
			t.Errorf("%s: no script shows the message %q", at, text)
		}
	}
}

// textOf is what scripts say, with regular expressions read as text.
func textOf(t *testing.T, glob string) string {
	names, err := filepath.Glob(glob)
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var all strings.Builder
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(src)
	}
	return regexp.MustCompile(`\\([^\w\s])`).ReplaceAllString(all.String(), "$1")
}

// pattern matches the messages of a format.
func pattern(format string) *regexp.Regexp {
	text := regexp.MustCompile(`%[a-z]`).ReplaceAllString(regexp.QuoteMeta(format), ".+")
	return regexp.MustCompile(text)
}

// messages finds the formats of errors in the source of a package, by
// position: what is a Msg, or handed to a parameter called format.
func messages(t *testing.T, dir string) map[string]string {
	fset := token.NewFileSet()
	var files []*ast.File
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	formats := formatting(files)
	found := map[string]string{}
	add := func(x ast.Expr) {
		if lit := firstString(x); lit != nil {
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			found[fset.Position(lit.Pos()).String()] = text
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Msg" {
					add(n.Value)
				}
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
					if i, ok := formats[sel.Sel.Name]; ok && i < len(n.Args) {
						add(n.Args[i])
					}
				}
			}
			return true
		})
	}
	if len(found) < 20 {
		t.Fatalf("%d messages in %s: the test looks at nothing", len(found), dir)
	}
	return found
}

// formatting are the functions that make an error of a format, with the index
// of that argument.
func formatting(files []*ast.File) map[string]int {
	formats := map[string]int{"Errorf": 0, "New": 0}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			i := 0
			for _, field := range fn.Type.Params.List {
				for _, name := range field.Names {
					if name.Name == "format" {
						formats[fn.Name.Name] = i
					}
					i++
				}
			}
		}
	}
	return formats
}

// firstString is the first string literal of an expression.
func firstString(x ast.Expr) (lit *ast.BasicLit) {
	ast.Inspect(x, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && lit == nil {
			lit = l
		}
		return lit == nil
	})
	return lit
}
