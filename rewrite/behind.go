package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	goformat "go/format"
	"go/token"

	"github.com/ijongo/ijongo/annot"
)

// planBehind plans an after line: behind every statement of the function that
// reads as its pattern. Its group is the one of that name if it belongs to one.
func (prog *program) planBehind(p *pkg, line *annot.Behind, group string) annot.Errors {
	f, fn := p.function(line.Func)
	switch {
	case fn == nil:
		return annot.Errors{p.stale(line.Pos, line.Func)}
	case f.skipped != "":
		prog.noteLeftOut(p, line.Directive)
		return annot.Errors{f.leftOut(line.Pos)}
	case f.cgo != nil:
		return annot.Errors{{Pos: line.Pos, Msg: "statements of a file that uses cgo are not matched", Hint: "annotate entry or exit"}}
	}
	want, err := formatted(token.NewFileSet(), line.Stmt)
	if err != nil {
		return annot.Errors{{Pos: line.Pos, Msg: err.Error()}}
	}
	if line.Directive.Verb.Member() {
		return prog.join(f, line.Directive, group, nil)
	}
	var errs annot.Errors
	found := 0
	for _, m := range f.statements(prog.fset, fn, want) {
		found++
		errs = append(errs, prog.planMatch(f, m, line)...)
	}
	if found == 0 {
		errs = append(errs, &annot.Error{Pos: line.Pos, Msg: fmt.Sprintf("%s has no statement %s", line.Func, want),
			Hint: "a statement is compared as gofmt writes it"})
	}
	return errs
}

// match is a statement in a list, and the function that it is in.
type match struct {
	stmt ast.Stmt
	last bool // of a clause
	in   ast.Node
}

func (prog *program) planMatch(f *file, m match, line *annot.Behind) annot.Errors {
	if terminates(m.stmt) || ends([]ast.Stmt{m.stmt}) {
		return annot.Errors{{Pos: line.Pos, Msg: "control never comes behind this statement", Hint: "name the one in front of it"}}
	}
	if r := f.regionAt(f.tok.Offset(m.stmt.Pos())); r != nil {
		prog.noteLeftOut(f.pkg, line.Directive)
		return annot.Errors{{Pos: line.Pos, Msg: describeRegion(r) + ": the line is left out", Warning: true}}
	}
	at := spot{file: f, fn: line.Func, in: m.in, pos: m.stmt.End()}
	if m.last {
		at.pos = m.stmt.Pos() // a clause ends with its last statement
	}
	if line.Directive.Verb == annot.Group {
		put := func(stmt string) { f.insert(f.tok.Offset(m.stmt.End()), "; "+stmt+"; ") }
		return errorsOf(prog.declare(f.pkg, line.Directive, &place{spot: at, when: "line", put: put}))
	}
	stmt, errs := prog.statement(at, line.Directive, 0, false)
	if stmt != "" {
		f.insert(f.tok.Offset(m.stmt.End()), "; "+stmt+"; ")
	}
	return errs
}

// statements finds the statements of a function that read as want.
func (f *file) statements(fset *token.FileSet, fn *ast.FuncDecl, want string) (found []match) {
	var in []ast.Node
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == nil {
			in = in[:len(in)-1]
			return false
		}
		outer := ast.Node(fn)
		if len(in) > 0 {
			outer = in[len(in)-1]
		}
		_, block := n.(*ast.BlockStmt)
		for i, s := range listOf(n) {
			if label, ok := s.(*ast.LabeledStmt); ok {
				s = label.Stmt
			}
			if text, err := formatted(fset, s); err == nil && text == want {
				found = append(found, match{s, !block && i == len(listOf(n))-1, outer})
			}
		}
		if _, ok := n.(*ast.FuncLit); ok {
			outer = n
		}
		in = append(in, outer)
		return true
	})
	return found
}

func formatted(fset *token.FileSet, s ast.Stmt) (string, error) {
	var b bytes.Buffer
	err := goformat.Node(&b, fset, s)
	return b.String(), err
}
