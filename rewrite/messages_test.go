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
// mistake of a caller or of this package, or need a go command that fails.
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
}

// TestEveryMessage looks for every message of this package in the scripts.
func TestEveryMessage(t *testing.T) {
	scripts := scriptText(t)
	for at, text := range messages(t) {
		if unreached[text] || text == "" {
			continue
		}
		if !pattern(text).MatchString(scripts) {
			t.Errorf("%s: no script shows the message %q", at, text)
		}
	}
}

// scriptText is what the scripts say, with regular expressions read as text.
func scriptText(t *testing.T) string {
	names, err := filepath.Glob("../testdata/script/*.txtar")
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

// messages finds the formats of errors in the source of this package, by
// position.
func messages(t *testing.T) map[string]string {
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
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
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Msg" {
					add(n.Value)
				}
			case *ast.CallExpr:
				switch fun, ok := n.Fun.(*ast.SelectorExpr); {
				case !ok:
				case fun.Sel.Name == "Errorf", fun.Sel.Name == "New":
					add(n.Args[0])
				case fun.Sel.Name == "fail":
					add(n.Args[3])
				case fun.Sel.Name == "failAt", fun.Sel.Name == "reject":
					add(n.Args[2])
				}
			}
			return true
		})
	}
	return found
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
