package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// annotation is one annotation of the program, with its ID as index.
type annotation struct {
	verb      annot.Verb
	kind      kind
	name, key string
	meaning   string         // what a second place with the same NAME must have too
	first     token.Position // where it was seen first
	expr      string
	pos       []string
}

// spot is where the statement of a directive will run.
type spot struct {
	file *file
	fn   string    // enclosing declared function
	in   ast.Node  // enclosing function, declared or literal
	pos  token.Pos // where names are looked up, in typed syntax
}

// maxAnnotations keeps the runtime's maps large enough for what a harness
// declares: they hold 8192.
const maxAnnotations = 7000

// planPlaced plans an inline directive.
func (prog *program) planPlaced(f *file, d, typed *annot.Placed) annot.Errors {
	at := spot{file: f, fn: enclosingName(f, d.Offset), in: typed.Func, pos: lookupPos(typed)}
	stmt, errs := prog.statement(at, d.Directive, d.Place == annot.Exit)
	if stmt != "" {
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
// annotation. At exit it is a deferred one. It is empty when there are errors.
func (prog *program) statement(at spot, d *annot.Directive, exit bool) (string, annot.Errors) {
	b := &builder{prog: prog, at: at, p: at.file.pkg}
	call := b.call(d)
	if d.If != nil {
		cond := b.condition(d.If)
		call = "if (" + cond + ") { " + call + " }"
	}
	if len(b.errs) > 0 {
		return "", b.errs
	}
	id, err := prog.register(at, d, b.kind)
	if err != nil {
		return "", annot.Errors{err}
	}
	call = strings.ReplaceAll(call, idMark, fmt.Sprint(id))
	if b.risky {
		call = fmt.Sprintf("defer %s(%d); %s", b.p.use("guard"), id, call)
	}
	if b.risky || exit {
		call = "func() { " + call + " }()"
	}
	if exit {
		call = "defer " + call
	}
	return call, nil
}

// idMark stands for the ID until it is known. It cannot occur in Go.
const idMark = "\x00"

// register gives the directive its annotation: a new one, or for a NAME that
// is known the same one.
func (prog *program) register(at spot, d *annot.Directive, k kind) (int, *annot.Error) {
	path := at.file.pkg.PkgPath
	a := &annotation{
		verb:    d.Verb,
		kind:    k,
		name:    d.Name,
		key:     path + ":" + d.Name,
		meaning: meaning(d, k),
		first:   d.Pos,
		expr:    d.Text,
		pos:     []string{prog.displayPosition(d.Pos)},
	}
	if d.Name == "" {
		site := path + "." + at.fn
		prog.ordinals[site]++
		a.key = fmt.Sprintf("%s#%d", site, prog.ordinals[site])
		a.name = texts(d.Args)
	} else if id, ok := prog.named[a.key]; ok {
		have := prog.annotations[id]
		if have.meaning != a.meaning {
			return 0, &annot.Error{Pos: d.Pos, Hint: "use another name, or the same verb and expression",
				Msg: fmt.Sprintf("%s is another annotation already: %s at %s", d.Name, have.expr, have.first)}
		}
		have.pos = append(have.pos, a.pos...)
		return id, nil
	}
	id := len(prog.annotations)
	if id == maxAnnotations {
		return 0, &annot.Error{Pos: d.Pos, Msg: fmt.Sprintf("more than %d annotations", maxAnnotations)}
	}
	prog.annotations = append(prog.annotations, a)
	if d.Name != "" {
		prog.named[a.key] = id
	}
	return id, nil
}

// meaning is what makes two directives of one NAME the same.
func meaning(d *annot.Directive, k kind) string {
	m := fmt.Sprintf("%s %s %d", d.Verb, texts(d.Args), k)
	if d.If != nil {
		m += " if " + d.If.Text
	}
	if d.By != nil {
		m += " by " + d.By.Text
	}
	return m
}

func texts(args []annot.Expr) string {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = a.Text
	}
	return strings.Join(list, ", ")
}

func (prog *program) displayPosition(p token.Position) string {
	return fmt.Sprintf("%s:%d:%d", prog.display(p.Filename), p.Line, p.Column)
}

func (prog *program) manifestAnnotations() []Annotation {
	list := []Annotation{}
	for _, a := range prog.annotations {
		list = append(list, Annotation{Verb: a.verb, Name: a.name, Key: a.key, Expr: a.expr, Pos: a.pos})
	}
	return list
}
