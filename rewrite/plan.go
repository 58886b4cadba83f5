package rewrite

import (
	"fmt"
	"go/ast"

	"github.com/ijongo/ijongo/annot"
)

// parsed is a file that was searched for directives.
type parsed struct {
	ast    *ast.File
	src    []byte
	placed []*annot.Placed
}

// planFile plans counters and annotations of a file that is not a test file.
func (prog *program) planFile(f *file) annot.Errors {
	placed, errs := annot.ParseFile(prog.fset, f.ast, f.src)
	prog.parsed = append(prog.parsed, parsed{f.ast, f.src, placed})
	switch {
	case f.skipped != "":
		prog.skip(f.name, f.skipped)
		return leaveOut(placed, errs, f.skipped)
	case ast.IsGenerated(f.ast) && !prog.cfg.Generated:
		prog.skip(f.name, "generated code: no counters")
	case !prog.cfg.NoCounters:
		prog.planCounters(f)
	}
	typed, err := prog.typedPlaces(f, placed)
	if err != nil {
		return append(errs, err)
	}
	for i, d := range placed {
		errs = append(errs, prog.planPlaced(f, d, typed[i])...)
	}
	return errs
}

// typedPlaces are the places in the syntax that was type-checked, which for a
// file with cgo is another one: cgo keeps comments where they were.
func (prog *program) typedPlaces(f *file, placed []*annot.Placed) ([]*annot.Placed, *annot.Error) {
	if f.cgo == nil || len(placed) == 0 {
		return placed, nil
	}
	typed, _ := annot.ParseFile(prog.fset, f.cgo, prog.src[prog.fset.File(f.cgo.FileStart).Name()])
	if len(typed) != len(placed) {
		return nil, &annot.Error{Pos: placed[0].Pos, Msg: "cgo's translation of this file lost an annotation"}
	}
	return typed, nil
}

func (prog *program) planCounters(f *file) {
	for _, s := range sites(f.tok, f.ast) {
		if s.kind == "" {
			f.insert(s.at, s.before)
			continue
		}
		id := len(prog.counters)
		prog.counters = append(prog.counters, Counter{
			Package: f.pkg.PkgPath,
			Func:    s.fn,
			Kind:    s.kind,
			Pos:     prog.position(f, s.pos),
			Mapped:  prog.mapped(f, s.pos),
		})
		f.insert(s.at, s.before+prog.increment(f.pkg, id)+s.after)
	}
}

// increment is the statement that counts: a constant address, or for the
// race detector a call that it does not look into.
func (prog *program) increment(p *pkg, id int) string {
	if prog.cfg.Race {
		return fmt.Sprintf("%s(%d)", p.use("hit"), id)
	}
	return fmt.Sprintf("%s[%d+%d]++", p.use("c"), covBase, id)
}

func (prog *program) skip(name, reason string) {
	prog.skipped = append(prog.skipped, Skipped{prog.display(name), reason})
}
