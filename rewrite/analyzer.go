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
	prog, p := alone(pass)
	var errs annot.Errors
	for _, tree := range pass.Files {
		f, err := passFile(pass, p, tree)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(pass.Fset.Position(tree.Package).Filename, "_test.go") {
			placed, faults := annot.ParseFile(pass.Fset, f.ast, f.src)
			errs = append(errs, leaveOut(placed, faults, testsAreNot)...)
			continue
		}
		p.files = append(p.files, f)
	}
	for _, f := range p.files {
		errs = append(errs, prog.planFile(f)...)
	}
	errs = append(errs, prog.planGroups()...)
	errs = append(errs, prog.checkActions()...)
	errs = append(errs, prog.planWrites()...)
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

// alone is a program of the one package of a pass, still without files.
func alone(pass *analysis.Pass) (*program, *pkg) {
	dir := "."
	if len(pass.Files) > 0 {
		dir = filepath.Dir(pass.Fset.File(pass.Files[0].FileStart).Name())
	}
	prog := newProgram(&Config{NoCounters: true}, pass.Fset)
	prog.main = &module{path: pass.Pkg.Path(), dir: dir}
	prog.alone = true
	if pass.Module != nil {
		prog.main.path = pass.Module.Path
	}
	p := newPkg(&packages.Package{
		PkgPath: pass.Pkg.Path(), Name: pass.Pkg.Name(),
		Types: pass.Pkg, TypesInfo: pass.TypesInfo, TypesSizes: pass.TypesSizes, Syntax: pass.Files,
	}, prog.main)
	p.dir, p.prefix = dir, "ijongo_"
	prog.pkgs = []*pkg{p}
	return prog, p
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
