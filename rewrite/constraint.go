package rewrite

import (
	"go/ast"
	"go/build/constraint"
	"path/filepath"
	"slices"
	"strings"
)

// inBuilds is the line that lets the added files be in just those builds that
// have a file of the package: a package that is in none must stay without
// files. It is empty when a file of the package is in every build.
func (p *pkg) inBuilds() string {
	var all constraint.Expr
	var seen []string
	for _, f := range p.edited() {
		if f.ast == nil || p.isForeign(f) && outsider(p, f.ast) != "" {
			continue
		}
		x := builds(f)
		if x == nil {
			return ""
		}
		if text := x.String(); !slices.Contains(seen, text) {
			seen = append(seen, text)
			all = or(all, x)
		}
	}
	if all == nil {
		return ""
	}
	return "//go:build " + all.String() + "\n\n"
}

// builds are the builds that a file is in, by its name, its constraints and
// whether it uses cgo; nil for all.
func builds(f *file) constraint.Expr {
	x := nameConstraint(filepath.Base(f.name))
	for _, c := range constraints(f.ast) {
		x = and(x, c)
	}
	for _, imp := range f.ast.Imports {
		if imp.Path.Value == `"C"` {
			return and(x, &constraint.TagExpr{Tag: "cgo"})
		}
	}
	return x
}

func and(x, y constraint.Expr) constraint.Expr {
	if x == nil {
		return y
	}
	return &constraint.AndExpr{X: x, Y: y}
}

func or(x, y constraint.Expr) constraint.Expr {
	if x == nil {
		return y
	}
	return &constraint.OrExpr{X: x, Y: y}
}

// constraints are the build constraints of a file, all of which must hold. The
// old form counts only where there is none of the new one.
func constraints(f *ast.File) []constraint.Expr {
	var old []constraint.Expr
	for _, g := range f.Comments {
		if g.Pos() >= f.Package {
			break
		}
		for _, c := range g.List {
			x, err := constraint.Parse(c.Text)
			switch {
			case err != nil: // another comment
			case constraint.IsGoBuild(c.Text):
				return []constraint.Expr{x}
			default:
				old = append(old, x)
			}
		}
	}
	return old
}

// Names of systems that a file name may end in: _OS, _ARCH or _OS_ARCH.
var (
	knownOS   = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos")
	knownArch = strings.Fields("386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le " +
		"ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm")
)

// nameConstraint is what the name of a file says of its builds.
func nameConstraint(base string) constraint.Expr {
	stem, _, _ := strings.Cut(base, ".")
	words := strings.Split(strings.TrimSuffix(stem, "_test"), "_")[1:]
	n := len(words)
	switch {
	case n == 0:
		return nil
	case n > 1 && slices.Contains(knownOS, words[n-2]) && slices.Contains(knownArch, words[n-1]):
		return and(&constraint.TagExpr{Tag: words[n-2]}, &constraint.TagExpr{Tag: words[n-1]})
	case slices.Contains(knownOS, words[n-1]) || slices.Contains(knownArch, words[n-1]):
		return &constraint.TagExpr{Tag: words[n-1]}
	}
	return nil
}
