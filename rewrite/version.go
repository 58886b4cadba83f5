package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// language is the version of Go that the file of the annotation is written in.
func (b *builder) language() string {
	f := b.at.file.cgo
	if f == nil {
		f = b.at.file.ast
	}
	if v := b.p.TypesInfo.FileVersions[f]; v != "" {
		return v
	}
	return "go1.16" // what the go command assumes
}

// tooNew reports what e has that the language of its file has not: go/types
// checks a lone expression by the newest rules, and the compiler would
// complain of the copy.
func (b *builder) tooNew(e *annot.Expr, info *types.Info) bool {
	have := b.language()
	found := false
	ast.Inspect(e.Node, func(n ast.Node) bool {
		if n == nil || found {
			return false
		}
		what, since := novelty(n, info)
		if what == "" || version.Compare(have, since) >= 0 {
			return true
		}
		found = true
		b.fail(e, n.Pos(), "write an expression of "+version.Lang(have)+", or raise the go directive of go.mod", "%s needs %s, and this file is written in %s", what, since, version.Lang(have))
		return false
	})
	return found
}

// novelty names what a node uses that is younger than go1.12, and the version
// that brought it.
func novelty(n ast.Node, info *types.Info) (what, since string) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind != token.STRING && n.Kind != token.CHAR && newLiteral(n.Value) {
			return "the literal " + n.Value, "go1.13"
		}
	case *ast.BinaryExpr:
		if shift := n.Op == token.SHL || n.Op == token.SHR; shift && kindsOf(info.TypeOf(n.Y))&(1<<kindInt) != 0 && info.Types[n.Y].Value == nil {
			return "a shift by a signed number", "go1.13"
		}
	case *ast.Ident:
		return novelName(info.Uses[n])
	case *ast.CallExpr:
		if info.Types[n.Fun].IsType() && len(n.Args) == 1 {
			return novelConversion(info.TypeOf(n.Args[0]), info.TypeOf(n))
		}
	}
	return "", ""
}

// newLiteral tells whether a number is binary, octal with a letter, a
// hexadecimal float, or has underscores.
func newLiteral(lit string) bool {
	lit = strings.ToLower(lit)
	return strings.HasPrefix(lit, "0b") || strings.HasPrefix(lit, "0o") || strings.Contains(lit, "_") ||
		strings.HasPrefix(lit, "0x") && strings.Contains(lit, "p")
}

// builtins are the predeclared names, and those of unsafe, that are not as
// old as Go.
var builtins = map[string]string{
	"min": "go1.21", "max": "go1.21", "clear": "go1.21", "any": "go1.18", "comparable": "go1.18",
	"Add": "go1.17", "Slice": "go1.17", "SliceData": "go1.20", "String": "go1.20", "StringData": "go1.20",
}

func novelName(obj types.Object) (what, since string) {
	switch obj := obj.(type) {
	case *types.Builtin:
		if since = builtins[obj.Name()]; since != "" {
			return "the builtin " + obj.Name(), since
		}
	case *types.TypeName:
		if since = builtins[obj.Name()]; since != "" && obj.Pkg() == nil {
			return "the type " + obj.Name(), since
		}
		if named, ok := types.Unalias(obj.Type()).(*types.Named); ok && named.TypeParams().Len() > 0 {
			return "the generic type " + obj.Name(), "go1.18"
		}
	case *types.Func:
		if obj.Signature().TypeParams().Len() > 0 {
			return "the generic function " + obj.Name(), "go1.18"
		}
	}
	return "", ""
}

func novelConversion(from, to types.Type) (what, since string) {
	if from == nil || to == nil {
		return "", ""
	}
	if _, ok := from.Underlying().(*types.Slice); !ok {
		return "", ""
	}
	switch t := to.Underlying().(type) {
	case *types.Array:
		return "a conversion of a slice to an array", "go1.20"
	case *types.Pointer:
		if _, ok := t.Elem().Underlying().(*types.Array); ok {
			return "a conversion of a slice to an array pointer", "go1.17"
		}
	}
	return "", ""
}
