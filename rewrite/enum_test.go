package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// enumeration type-checks the constants of a type T.
func enumeration(t *testing.T, decl string) []*types.Const {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n"+decl, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(types.Config).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	prog := newProgram(&Config{}, fset)
	return prog.constants(p, p.Scope().Lookup("T").Type().(*types.Named))
}

func TestConstants(t *testing.T) {
	for _, tt := range []struct {
		decl, names, counts string
		isEnum              bool
	}{
		{"type T int; const (A T = iota; B; C; numT)", "A B C numT", "numT", true},
		{"type T int; const (NumA T = iota; B)", "NumA B", "", true},
		{"type T int; const (B T = iota; A; StateCount)", "B A StateCount", "StateCount", true},
		{"type T int; const (A T = iota; B; nT)", "A B nT", "nT", true},
		{"type T int; const (A T = iota; B; next)", "A B next", "", true},
		{"type T int; const (Max T = 2; A T = 0; B T = 1)", "Max A B", "", true},      // not the last
		{"type T int; const (A T = iota; B; _; maxT)", "A B maxT", "", true},          // not the next
		{"type T int; const (A T = iota; B; maxT = B)", "A B", "", true},              // no value of its own
		{"type T int; const (TMin T = iota; TMid; TMax)", "TMin TMid TMax", "", true}, // bounds
		{"type T int; const (TokenStart T = iota; A; TokenEnd)", "TokenStart A TokenEnd", "", true},
		{"type T int; const (A T = iota; B; TokenEnd)", "A B TokenEnd", "TokenEnd", true},
		{"type T int; const (First T = iota; Middle; Last)", "First Middle Last", "", true},
		{"type T int; const (A T = -1; B T = 0; END_T T = 1)", "A B END_T", "END_T", true},
		{"type T string; const (A T = \"a\"; Max T = \"b\")", "A Max", "", true},
		{"type T int; const (A T = 1 << iota; B; C)", "A B C", "", false}, // flags
		{"type T int; const (A T = iota; B; C)", "A B C", "", true},
		{"type T int64; const (Ns T = 1; Us T = 1000; Ms T = 1e6)", "Ns Us Ms", "", false}, // units
		{"type T float64; const (Half T = .5; One T = 1)", "Half One", "", false},
		{"type T int; const A T = 1", "A", "", false},
		{"type T int; const (C T = 7; A T = 7; B T = 8); const D = A", "C B", "", true},
	} {
		list := enumeration(t, tt.decl)
		var names []string
		for _, c := range list {
			names = append(names, c.Name())
		}
		counts := ""
		if end := sentinel(list); end != nil {
			counts = end.Name()
		}
		if got := strings.Join(names, " "); got != tt.names || counts != tt.counts || isEnum(list) != tt.isEnum {
			t.Errorf("%s: %s, %q counts, enumeration %v; want %s, %q, %v", tt.decl, got, counts, isEnum(list), tt.names, tt.counts, tt.isEnum)
		}
	}
}
