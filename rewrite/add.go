package rewrite

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ijongo/ijongo/annot"
)

// addition is a Go file that a sidecar adds to a package. It goes into the
// copy as it is.
type addition struct {
	line *annot.Add
	src  []byte
	ast  *ast.File
}

// Added is a file that a sidecar added to a package.
type Added struct {
	Package string
	File    string // in the copy
	From    string // as other source files are named
}

// planAdds plans what the add lines of the sidecars say.
func (prog *program) planAdds(ctx context.Context) (annot.Errors, error) {
	var errs annot.Errors
	for _, s := range prog.sidecars {
		if s.unused != "" {
			continue
		}
		for _, sp := range s.Packages {
			p := prog.packageByPath(sp.Path)
			if p == nil {
				continue // that was said
			}
			for _, line := range sp.Adds {
				errs = append(errs, prog.planAdd(p, line)...)
			}
		}
	}
	if len(errs) > 0 {
		return errs, nil
	}
	return prog.checkImports(ctx)
}

func (prog *program) planAdd(p *pkg, line *annot.Add) annot.Errors {
	name := line.Path()
	src, err := os.ReadFile(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return annot.Errors{{Pos: line.Pos, Msg: "there is no file " + line.File, Hint: "a path is relative to the folder of this file"}}
		}
		return annot.Errors{{Pos: line.Pos, Msg: err.Error()}}
	}
	f, err := parser.ParseFile(prog.fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return parseErrors(line.Pos, err)
	}
	if f.Name.Name != p.Name {
		return annot.Errors{{Pos: prog.fset.Position(f.Name.Pos()), Hint: "write package " + p.Name,
			Msg: fmt.Sprintf("the file is added to package %s and says package %s", p.Name, f.Name.Name)}}
	}
	for _, other := range p.adds {
		if filepath.Base(other.line.File) == filepath.Base(line.File) {
			return annot.Errors{{Pos: line.Pos, Msg: fmt.Sprintf("a file %s is added to the package already", filepath.Base(line.File))}}
		}
	}
	errs := prog.redeclared(p, f)
	p.adds = append(p.adds, &addition{line, src, f})
	return errs
}

// parseErrors are those of a file that does not parse.
func parseErrors(pos token.Position, err error) (errs annot.Errors) {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return annot.Errors{{Pos: pos, Msg: err.Error()}}
	}
	for _, e := range list {
		errs = append(errs, &annot.Error{Pos: e.Pos, Msg: e.Msg})
	}
	return errs
}

// redeclared are the declarations of a file that is to be added to p whose
// names are taken.
func (prog *program) redeclared(p *pkg, f *ast.File) (errs annot.Errors) {
	for _, id := range scopeNames(f) {
		msg, hint := prog.taken(p, id.Name), "choose another name"
		if msg == "" && strings.HasPrefix(id.Name, p.prefix) {
			msg = "names that begin with " + p.prefix + " are those of the rewriter"
		}
		if msg != "" {
			errs = append(errs, &annot.Error{Pos: prog.fset.Position(id.Pos()), Msg: msg, Hint: hint})
		}
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil {
			continue
		}
		recv := receiverType(fn)
		obj, _ := p.Types.Scope().Lookup(recv).(*types.TypeName)
		if obj == nil {
			continue // a type of the file
		}
		if have, _, _ := types.LookupFieldOrMethod(obj.Type(), true, p.Types, fn.Name.Name); have != nil {
			errs = append(errs, &annot.Error{Pos: prog.fset.Position(fn.Name.Pos()), Hint: "choose another name",
				Msg: fmt.Sprintf("%s has a field or method %s at %s", recv, fn.Name.Name, prog.displayPosition(prog.fset.Position(have.Pos())))})
		}
	}
	return errs
}

// taken says who declares a name in the scope of p, or "".
func (prog *program) taken(p *pkg, name string) string {
	scopes := []*types.Scope{p.Types.Scope()}
	for _, t := range prog.tests {
		if t.PkgPath == p.PkgPath {
			scopes = append(scopes, t.Types.Scope())
		}
	}
	for _, s := range scopes {
		if obj := s.Lookup(name); obj != nil {
			return fmt.Sprintf("%s is declared at %s", name, prog.displayPosition(prog.fset.Position(obj.Pos())))
		}
	}
	for _, a := range p.adds {
		for _, id := range scopeNames(a.ast) {
			if id.Name == name {
				return fmt.Sprintf("%s is declared at %s", name, prog.displayPosition(prog.fset.Position(id.Pos())))
			}
		}
	}
	return ""
}

// scopeNames are the names that a file declares in the scope of its package.
func scopeNames(f *ast.File) (ids []*ast.Ident) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				ids = append(ids, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					ids = append(ids, spec.Name)
				case *ast.ValueSpec:
					ids = append(ids, spec.Names...)
				}
			}
		}
	}
	return slices.DeleteFunc(ids, func(id *ast.Ident) bool { return id.Name == "_" })
}

// checkImports checks that the build of the copy has what the added files
// import: the build list does not change for them.
func (prog *program) checkImports(ctx context.Context) (annot.Errors, error) {
	var paths []string
	for _, p := range prog.pkgs {
		for _, a := range p.adds {
			for _, spec := range a.ast.Imports {
				if imported := importPath(spec); mustLoad(imported) {
					paths = append(paths, imported)
				}
			}
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	slices.Sort(paths)
	loaded, err := prog.packages(ctx, metadata, false, slices.Compact(paths))
	if err != nil {
		return nil, err
	}
	byPath := map[string]*packages.Package{}
	for _, l := range loaded {
		byPath[l.PkgPath] = l
	}
	var errs annot.Errors
	for _, p := range prog.pkgs {
		for _, a := range p.adds {
			for _, spec := range a.ast.Imports {
				if msg := refusedImport(p, importPath(spec), byPath); msg != "" {
					errs = append(errs, &annot.Error{Pos: prog.fset.Position(spec.Pos()), Msg: msg,
						Hint: "an added file may import std, " + runtimeModule + "/runtime, and what the build has already"})
				}
			}
		}
	}
	return errs, nil
}

func importPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		panic(err) // the parser has checked it
	}
	return path
}

// mustLoad tells whether the go command knows if there is such a package.
func mustLoad(path string) bool { return path != "C" && !strings.HasPrefix(path, runtimeModule+"/") }

// refusedImport says why a file of p cannot import a package, or "".
func refusedImport(p *pkg, path string, loaded map[string]*packages.Package) string {
	if !mustLoad(path) {
		if path == "C" || path == runtimeModule+"/runtime" {
			return ""
		}
		return path + " is not part of the copy"
	}
	l := loaded[path]
	if l == nil || len(l.Errors) > 0 {
		return "the build has no package " + path
	}
	cycle := false
	packages.Visit([]*packages.Package{l}, func(q *packages.Package) bool {
		cycle = cycle || q.PkgPath == p.PkgPath
		return !cycle
	}, nil)
	if cycle {
		return fmt.Sprintf("%s imports %s: that would be a cycle", path, p.PkgPath)
	}
	return ""
}

// addName is the name of an added file in the folder of p.
func (p *pkg) addName(a *addition) string { return p.added("add_" + filepath.Base(a.line.File)) }

// manifestAdded are the added files as the manifest has them.
func (prog *program) manifestAdded() (list []Added) {
	for _, p := range prog.pkgs {
		for _, a := range p.adds {
			from := prog.display(a.line.Path())
			if path.IsAbs(from) { // beside a sidecar that is in no module
				from = a.line.File
			}
			list = append(list, Added{p.PkgPath, p.inCopy(p.addName(a)), from})
		}
	}
	return list
}
