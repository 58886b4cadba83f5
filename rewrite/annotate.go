package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// spot is where the statement of a directive will run.
type spot struct {
	file *file
	fn   string    // enclosing declared function
	in   ast.Node  // enclosing function, declared or literal
	pos  token.Pos // where names are looked up, in typed syntax
}

// planPlaced plans an inline directive. Level is that of a ctx.
func (prog *program) planPlaced(f *file, d, typed *annot.Placed, level int) annot.Errors {
	if d.Watch != nil {
		return prog.planFieldWatch(f, d)
	}
	at := spot{file: f, fn: enclosingName(f, d.Offset), in: typed.Func, pos: lookupPos(typed)}
	stmt, errs := prog.statement(at, d.Directive, level, d.Place == annot.Exit)
	switch {
	case stmt == "":
	case d.Place == annot.Exit:
		f.insertDeferred(d.Offset, stmt)
	default:
		f.insert(d.Offset, d.Insertion(stmt))
	}
	return errs
}

// enclosingName is the declared function around an offset.
func enclosingName(f *file, offset int) string {
	pos := f.tok.Pos(offset)
	for _, d := range f.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= pos && pos <= fn.End() {
			return annot.FuncName(fn)
		}
	}
	return "init"
}

// lookupPos is a position at which go/types sees the names that a statement
// in d's place would see.
func lookupPos(d *annot.Placed) token.Pos {
	if d.After == nil {
		switch b := d.Block.(type) {
		case *ast.CaseClause:
			return b.Colon
		case *ast.CommClause:
			return b.Colon
		}
		return d.Block.Pos() + 1
	}
	if d.After.End() == d.Block.End() {
		// A clause ends with its last statement. What that statement
		// declares nobody could use, so that its start will do.
		return d.After.Pos()
	}
	return d.After.End()
}

// statement makes the Go statement of a directive and registers its
// annotation. Level is that of a ctx. At exit it is a deferred one. It is
// empty when there are errors.
func (prog *program) statement(at spot, d *annot.Directive, level int, exit bool) (string, annot.Errors) {
	b := &builder{prog: prog, at: at, p: at.file.pkg, vouch: d.Pure, level: level}
	call, pointers := b.call(d), b.pointers
	cond := ""
	if b.pointers = nil; d.If != nil {
		cond = b.condition(d.If)
	}
	if len(b.errs) > 0 {
		return "", b.errs
	}
	id, err := prog.register(at, d, b.kind)
	if err != nil {
		return "", annot.Errors{err}
	}
	call = strings.ReplaceAll(call, idMark, fmt.Sprint(id))
	call = b.guarded(call, pointers, cond, id)
	if b.wild || exit {
		call = "func() { " + call + " }()"
	}
	if exit {
		call = "defer " + call
	}
	return call, nil
}

// guarded is the call under its condition, if there is one, and so that no
// panic of an expression gets out of the function that it then has to be in.
// The pointers are those that the call follows.
func (b *builder) guarded(call string, pointers []string, cond string, id int) string {
	under := func(stmt string) string {
		if cond != "" {
			return "if (" + cond + ") { " + stmt + " }"
		}
		return stmt
	}
	switch {
	case b.wild:
		return fmt.Sprintf("defer %s(%d); %s", b.p.use("guard"), id, under(call))
	case b.risky:
		skip := fmt.Sprintf("%s(%d)", b.p.use("skip"), id)
		return unlessNil(b.pointers, under(unlessNil(pointers, call, skip)), skip)
	}
	return under(call)
}

// idMark stands for the ID until it is known. It cannot occur in Go.
const idMark = "\x00"
