package annot_test

import (
	"go/ast"
	"testing"

	"github.com/ijongo/ijongo/annot"
)

// What stands for a name has the position of the name, and what is behind it
// the one that it had, also after a second time.
func TestSubstituteKeepsPositions(t *testing.T) {
	const src = "package p\n\nfunc f() {\n\t//ijon:always lag + n.lag > limit[lag] + q\n}\n"
	fset, file := parseGo(t, "p.go", []byte(src))
	placed, errs := annot.ParseFile(fset, file, []byte(src))
	if len(placed) != 1 || len(errs) != 0 {
		t.Fatalf("placed %d, errors %v", len(placed), errs)
	}
	e := &placed[0].Args[0]
	for _, step := range []struct{ name, put, want string }{
		{"lag", "(last - n.match)", "(last - n.match) + n.lag > limit[(last - n.match)] + q"},
		{"limit", "t.limit", "(last - n.match) + n.lag > t.limit[(last - n.match)] + q"},
		{"match", "x", "(last - n.match) + n.lag > t.limit[(last - n.match)] + q"},
	} {
		next, err := e.Substitute(func(name string) (string, bool) { return step.put, name == step.name })
		if err != nil {
			t.Fatal(err)
		}
		if e = next; e.Text != step.want {
			t.Errorf("%s: %s", step.name, e.Text)
		}
	}
	columns := map[string][]int{}
	ast.Inspect(e.Node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			columns[id.Name] = append(columns[id.Name], e.Position(id.Pos()).Column)
		}
		return true
	})
	for name, want := range map[string][]int{"last": {16, 36}, "n": {16, 22, 36}, "limit": {30}, "t": {30}, "q": {43}} {
		if len(columns[name]) != len(want) {
			t.Fatalf("%s at %v, want %v", name, columns[name], want)
		}
		for i, column := range columns[name] {
			if column != want[i] {
				t.Errorf("%s at %v, want %v", name, columns[name], want)
			}
		}
	}
}
