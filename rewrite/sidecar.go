package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ijongo/ijongo/annot"
)

// sidecar is an annotation file with the version of its module that the
// build has.
type sidecar struct {
	*annot.Sidecar
	found   bool
	version string
	unused  string // why nothing of it has an effect; empty if it has
}

// readSidecars parses the annotation files.
func (prog *program) readSidecars() error {
	for _, name := range prog.cfg.Sidecars {
		if !filepath.IsAbs(name) {
			name = filepath.Join(prog.cfg.Dir, name)
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		s, faults := annot.ParseSidecar(name, src)
		prog.faults = append(prog.faults, faults...)
		read := &sidecar{Sidecar: s}
		if faults.Fatal(false) {
			read.unused = "other lines of the file are in error"
		}
		prog.sidecars = append(prog.sidecars, read)
	}
	return nil
}

// noteModule tells the sidecars the version of a module in the build.
func (prog *program) noteModule(m *packages.Module) {
	for _, s := range prog.sidecars {
		if s.Module == m.Path {
			s.found, s.version = true, m.Version
			if m.Replace != nil && m.Replace.Version != "" {
				s.version = m.Replace.Version
			}
		}
	}
}

// planSidecars plans what the annotation files say. What they name must be
// there: an annotation that lost its place is an error.
func (prog *program) planSidecars() annot.Errors {
	var errs annot.Errors
	for _, s := range prog.sidecars {
		if s.unused != "" {
			continue // one fault would bring others
		}
		if err := prog.checkModule(s); err != nil {
			s.unused = err.Msg
			errs = append(errs, err)
			continue
		}
		for _, sp := range s.Packages {
			errs = append(errs, prog.planSidecarPackage(sp)...)
		}
	}
	return errs
}

func (prog *program) checkModule(s *sidecar) *annot.Error {
	pos := token.Position{Filename: s.File, Line: 1, Column: 1}
	switch {
	case s.Module == "":
		return nil
	case !s.found:
		return &annot.Error{Pos: pos, Msg: fmt.Sprintf("module %s is not imported by %s", s.Module, strings.Join(prog.cfg.Patterns, " "))}
	case !s.Accepts(s.version):
		return &annot.Error{Pos: pos, Hint: "check the annotations against that version, then widen the range",
			Msg: fmt.Sprintf("the build has %s %s, this file is for %s", s.Module, s.version, s.Versions)}
	}
	return nil
}

func (prog *program) planSidecarPackage(sp *annot.SidecarPackage) annot.Errors {
	p := prog.packageByPath(sp.Path)
	if p == nil {
		return annot.Errors{{Pos: sp.Pos, Msg: fmt.Sprintf("package %s is not among the instrumented packages", sp.Path),
			Hint: "is it imported, and does the module line name its module?"}}
	}
	of, errs := sp.Groups()
	for _, a := range sp.Anchors {
		errs = append(errs, prog.planAnchor(p, a, of[a.Directive])...)
	}
	for _, a := range sp.Behind {
		errs = append(errs, prog.planBehind(p, a, of[a.Directive])...)
	}
	for _, w := range sp.Watches {
		errs = append(errs, prog.planSidecarWatch(p, w, of[w.Directive])...)
	}
	for _, r := range sp.Replaces {
		if err := prog.planReplace(p, r); err != nil {
			errs = append(errs, err)
		}
	}
	for _, q := range sp.Quiets {
		if err := p.planQuiet(q); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

func (prog *program) packageByPath(path string) *pkg {
	for _, p := range prog.pkgs {
		if p.PkgPath == path {
			return p
		}
	}
	return nil
}

// function finds a function of p by the name that annot.FuncName gives it.
func (p *pkg) function(name string) (*file, *ast.FuncDecl) {
	for _, f := range p.files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && annot.FuncName(fn) == name {
				return f, fn
			}
		}
	}
	return nil, nil
}

// stale is the error of an anchor that matches nothing.
func (p *pkg) stale(pos token.Position, name string) *annot.Error {
	return &annot.Error{Pos: pos, Msg: fmt.Sprintf("package %s has no function %s", p.PkgPath, name), Hint: p.similar(name)}
}

// similar names a function that may have been meant.
func (p *pkg) similar(name string) string {
	base := name[strings.LastIndexByte(name, '.')+1:]
	for _, f := range p.files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.EqualFold(fn.Name.Name, base) && fn.Body != nil {
				return "there is " + annot.FuncName(fn)
			}
		}
	}
	return ""
}

// planAnchor plans an at line, whose group is the one of that name if it
// belongs to one.
func (prog *program) planAnchor(p *pkg, a *annot.Anchor, group string) annot.Errors {
	f, fn := p.function(a.Func)
	if fn == nil {
		return annot.Errors{p.stale(a.Pos, a.Func)}
	}
	if f.skipped != "" {
		prog.noteLeftOut(p, a.Directive)
		return annot.Errors{f.leftOut(a.Pos)}
	}
	at, lost := prog.functionPlace(f, fn, a.Func, a.At == annot.AtExit)
	switch {
	case lost:
		return annot.Errors{p.stale(a.Pos, a.Func)}
	case a.Directive.Verb == annot.Group:
		return errorsOf(prog.declare(p, a.Directive, at))
	case a.Directive.Verb.Member():
		return prog.join(f, a.Directive, group, nil)
	}
	stmt, errs := prog.statement(at.spot, a.Directive, 1, a.At == annot.AtExit)
	start := f.tok.Offset(fn.Body.Lbrace) + 1
	switch {
	case stmt == "":
	case a.Directive.Verb == annot.Ctx: // the contexts of the source are inside
		f.insertFirst(start, f.pkg.enterContext()+stmt+"; ")
	case a.At == annot.AtExit:
		f.insertDeferred(start, stmt)
	default:
		f.insert(start, stmt+"; ")
	}
	return errs
}

// errorsOf is a list of what may be nil.
func errorsOf(err *annot.Error) annot.Errors {
	if err == nil {
		return nil
	}
	return annot.Errors{err}
}

func declOf(file *ast.File, name string) *ast.FuncDecl {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && annot.FuncName(fn) == name {
			return fn
		}
	}
	return nil
}
