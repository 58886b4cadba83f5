package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// A stream is a package of random numbers that can be drawn from the run
// instead. Its value takes the package's place in a selector.
type stream struct {
	name string // of the value in the added file
	text string // the added file: imports and the value
}

// streams are the packages, by import path. In the text, ijongo_ stands for
// the prefix of the package.
var streams = map[string]stream{
	"math/rand": {"mathrand", `
import (
	ijongo_rand "math/rand"

	ijongo_rt "github.com/ijongo/ijongo/runtime"
)

var ijongo_mathrand = ijongo_rand.New(ijongo_rt.Source{})
`},
	"math/rand/v2": {"mathrand2", `
import (
	ijongo_rand "math/rand/v2"

	ijongo_rt "github.com/ijongo/ijongo/runtime"
)

var ijongo_mathrand2 = ijongo_rand.New(ijongo_rt.Source{})
`},
	"crypto/rand": {"cryptorand", `
import (
	ijongo_crypto "crypto/rand"
	ijongo_base32 "encoding/base32"
	ijongo_io "io"
	ijongo_big "math/big"

	ijongo_rt "github.com/ijongo/ijongo/runtime"
)

var ijongo_cryptorand ijongo_stream

// ijongo_stream has the functions and the variable of crypto/rand.
type ijongo_stream struct{ ijongo_rt.Reader }

// Int draws as crypto/rand.Int does from the same reader, so that a harness
// that sets crypto/rand.Reader plays an input alike without the rewriter.
func (s ijongo_stream) Int(_ ijongo_io.Reader, max *ijongo_big.Int) (*ijongo_big.Int, ijongo_rt.Error) {
	return ijongo_crypto.Int(s.Reader, max)
}

func (s ijongo_stream) Text() ijongo_rt.String {
	var src [17]ijongo_rt.Byte
	s.Read(src[:])
	return ijongo_base32.StdEncoding.EncodeToString(src[:])[:26]
}
`},
}

// cryptoNames is what the stream of crypto/rand has.
var cryptoNames = []string{"Int", "Read", "Reader", "Text"}

// planReplace lets the uses of a random function inside a function draw from
// the run.
func (prog *program) planReplace(p *pkg, r *annot.Replace) *annot.Error {
	f, fn := p.function(r.Func)
	if fn == nil {
		return p.stale(r.Pos, r.Func)
	}
	if f.skipped != "" {
		return f.leftOut(r.Pos)
	}
	if f.cgo != nil {
		return &annot.Error{Pos: r.Pos, Msg: "replace does not reach into a file with cgo"}
	}
	dot := strings.LastIndexByte(r.Callee, '.')
	where, name := r.Callee[:dot], r.Callee[dot+1:]
	n := 0
	var fault *annot.Error
	ast.Inspect(fn.Body, func(node ast.Node) bool {
		sel, ok := node.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != name || fault != nil {
			return fault == nil
		}
		imported := packageOf(p.TypesInfo, sel)
		if imported == nil || imported.Path() != where && imported.Name() != where {
			return true
		}
		s, ok := streams[imported.Path()]
		if !ok || !hasRandom(imported, name) {
			fault = &annot.Error{Pos: r.Pos, Msg: fmt.Sprintf("%s.%s has no replacement", imported.Path(), name),
				Hint: "there are those of crypto/rand (Int, Read, Reader, Text) and what math/rand and math/rand/v2 have as methods of Rand"}
			return false
		}
		f.replace(f.tok.Offset(sel.X.Pos()), f.tok.Offset(sel.X.End()), p.prefix+s.name)
		p.streams[imported.Path()] = true
		f.replaced = append(f.replaced, sel)
		n++
		return true
	})
	if fault == nil && n == 0 {
		fault = &annot.Error{Pos: r.Pos, Msg: fmt.Sprintf("%s does not use %s", r.Func, r.Callee)}
	}
	return fault
}

// packageOf is the package that sel selects from, if it does.
func packageOf(info *types.Info, sel *ast.SelectorExpr) *types.Package {
	if id, ok := sel.X.(*ast.Ident); ok {
		if name, ok := info.Uses[id].(*types.PkgName); ok {
			return name.Imported()
		}
	}
	return nil
}

// hasRandom tells whether the stream of a package has the name.
func hasRandom(imported *types.Package, name string) bool {
	if imported.Path() == "crypto/rand" {
		for _, have := range cryptoNames {
			if have == name {
				return true
			}
		}
		return false
	}
	obj := imported.Scope().Lookup("Rand")
	if obj == nil {
		return false
	}
	method, _, _ := types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, imported, name)
	return method != nil && token.IsExported(name)
}

// keepImports uses the imports of f again of which every use was replaced.
// The use goes behind the last declaration, on its line.
func (p *pkg) keepImports(f *file) {
	if len(f.replaced) == 0 {
		return
	}
	gone := map[*ast.Ident]bool{}
	for _, sel := range f.replaced {
		gone[sel.X.(*ast.Ident)] = true
	}
	used := map[types.Object]bool{}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !gone[id] {
			used[p.TypesInfo.Uses[id]] = true
		}
		return true
	})
	end := f.tok.Offset(f.ast.Decls[len(f.ast.Decls)-1].End())
	for _, sel := range f.replaced {
		if obj := p.TypesInfo.Uses[sel.X.(*ast.Ident)]; !used[obj] {
			used[obj] = true
			f.insert(end, "; var _ = "+obj.Name()+"."+sel.Sel.Name)
		}
	}
}

// streamFile is the added file of a stream.
func (p *pkg) streamFile(path string) []byte {
	return p.addedFile(p.named(strings.TrimPrefix(streams[path].text, "\n")))
}
