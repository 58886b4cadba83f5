package rewrite

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// planTests lets the tests, fuzz tests, benchmarks and examples of the
// patterns say that they start. A test is called by the import path of its
// package and its name.
func (prog *program) planTests() {
	for _, p := range prog.tests {
		for _, f := range p.files {
			for _, d := range f.ast.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil || !p.runs(fn) {
					continue
				}
				p.starts = true
				name := strconv.Quote(p.ForTest + "." + fn.Name.Name)
				f.insert(f.tok.Offset(fn.Body.Lbrace)+1, p.prefix+"start("+name+"); ")
			}
		}
	}
}

// runs tells whether go test runs a function, by its name and its parameter.
func (p *pkg) runs(fn *ast.FuncDecl) bool {
	obj, ok := p.TypesInfo.Defs[fn.Name].(*types.Func)
	if !ok || fn.Recv != nil {
		return false
	}
	sig := obj.Signature()
	if sig.TypeParams().Len() > 0 || sig.Results().Len() > 0 {
		return false
	}
	for _, kind := range []struct{ prefix, param string }{{"Test", "T"}, {"Fuzz", "F"}, {"Benchmark", "B"}} {
		if isTestName(fn.Name.Name, kind.prefix) {
			return sig.Params().Len() == 1 && sig.Params().At(0).Type().String() == "*testing."+kind.param
		}
	}
	return isTestName(fn.Name.Name, "Example") && sig.Params().Len() == 0
}

// isTestName tells whether no lower-case letter follows a prefix: Testing is
// no test.
func isTestName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok || rest == "" {
		return ok
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLower(r)
}

const startText = `import ijongo_rt "github.com/ijongo/ijongo/runtime"

func ijongo_start(name ijongo_rt.String) { ijongo_rt.StartTest(name) }
`

// startFile is the file that declares what a test calls.
func (p *pkg) startFile() []byte { return p.addedFile(p.named(startText)) }

// startName is the name of that file: the test variants of a package share its
// folder.
func (p *pkg) startName() string {
	if strings.HasSuffix(p.Name, "_test") {
		return p.prefix + "startx_test.go"
	}
	return p.prefix + "startin_test.go"
}
