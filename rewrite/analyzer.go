package rewrite

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/ijongo/ijongo/annot"
)

// Analyzer reports what is wrong with the directives of a package, warnings
// too. It sees one package at a time: calls of functions of other packages
// that are not in the standard library pass as reading, and sidecars are not
// looked at. A strict Plan sees all.
var Analyzer = &analysis.Analyzer{
	Name: "ijon",
	Doc:  "check //ijon: directives\n\nReports directives that ijongo would not inject: misspelt, in a wrong place, or with an expression that does not type-check.",
	Run:  analyze,
}

func analyze(pass *analysis.Pass) (any, error) {
	prog, p, err := alone(pass)
	if err != nil {
		return nil, err
	}
	var errs annot.Errors
	for _, f := range p.files {
		if strings.HasSuffix(prog.fset.Position(f.ast.Package).Filename, "_test.go") {
			placed, faults := annot.ParseFile(prog.fset, f.ast, f.src)
			errs = append(errs, leaveOut(placed, faults, testsAreNot)...)
			continue
		}
		errs = append(errs, prog.planFile(f)...)
	}
	for _, name := range goFiles(pass.IgnoredFiles) {
		faults, err := prog.leftOut(name, notInBuild)
		if err != nil {
			return nil, err
		}
		errs = append(errs, faults...)
	}
	errs.Sort()
	for _, e := range errs {
		pass.Report(analysis.Diagnostic{Pos: posOf(pass, e.Pos), Message: e.Text()})
	}
	return nil, nil
}

// alone is a program of the one package of a pass.
func alone(pass *analysis.Pass) (*program, *pkg, error) {
	dir := "."
	if len(pass.Files) > 0 {
		dir = filepath.Dir(pass.Fset.File(pass.Files[0].FileStart).Name())
	}
	prog := &program{
		cfg:      &Config{NoCounters: true},
		fset:     pass.Fset,
		main:     &module{path: pass.Pkg.Path(), dir: dir},
		src:      map[string][]byte{},
		named:    map[string]int{},
		ordinals: map[string]int{},
		alone:    true,
	}
	if pass.Module != nil {
		prog.main.path = pass.Module.Path
	}
	p := &pkg{
		Package: &packages.Package{
			PkgPath: pass.Pkg.Path(), Name: pass.Pkg.Name(),
			Types: pass.Pkg, TypesInfo: pass.TypesInfo, Syntax: pass.Files,
		},
		mod: prog.main, dir: dir, prefix: "ijongo_", glue: map[string]bool{}, streams: map[string]bool{},
	}
	for _, tree := range pass.Files {
		f, err := passFile(pass, p, tree)
		if err != nil {
			return nil, nil, err
		}
		p.files = append(p.files, f)
	}
	prog.pkgs = []*pkg{p}
	return prog, p, nil
}

// passFile is a file of a pass. One with cgo is what cgo has made of it, where
// comments are where they were and line directives lead back.
func passFile(pass *analysis.Pass, p *pkg, tree *ast.File) (*file, error) {
	tok := pass.Fset.File(tree.FileStart)
	src, err := pass.ReadFile(tok.Name())
	if err != nil {
		return nil, err
	}
	return &file{pkg: p, name: tok.Name(), src: src, ast: tree, tok: tok}, nil
}

// posOf is a physical position in the numbering of the pass.
func posOf(pass *analysis.Pass, at token.Position) token.Pos {
	pos := token.NoPos
	pass.Fset.Iterate(func(f *token.File) bool {
		if f.Name() == at.Filename {
			pos = f.Pos(min(at.Offset, f.Size()))
		}
		return pos == token.NoPos
	})
	return pos
}

// elsewhere tells whether nothing is known of a package because only one was
// loaded. The standard library is never looked into.
func (prog *program) elsewhere(path string) bool {
	if !prog.alone || prog.packageByPath(path) != nil {
		return false
	}
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") || path == prog.main.path || strings.HasPrefix(path, prog.main.path+"/")
}
