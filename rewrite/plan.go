package rewrite

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/ijongo/ijongo/annot"
)

// parsed is a file that was searched for directives.
type parsed struct {
	ast *ast.File
	src []byte
}

// planFile plans counters and annotations of a file.
func (prog *program) planFile(f *file) annot.Errors {
	placed, errs := annot.ParseFile(prog.fset, f.ast, f.src)
	prog.parsed = append(prog.parsed, parsed{f.ast, f.src})
	if f.skipped != "" {
		prog.skip(f.name, f.skipped)
		for _, d := range placed {
			prog.noteLeftOut(f.pkg, d.Directive)
		}
		return leaveOut(placed, errs, f.skipped)
	}
	if f.pkg.ForTest != "" {
		var left annot.Errors
		placed, left = inTestFiles(placed)
		errs = append(errs, left...)
	}
	regions, faults := annot.Regions(prog.fset, f.ast, placed)
	errs = append(errs, faults...)
	prog.skipRegions(f, regions)
	prog.planFileCounters(f)
	typed, err := prog.typedPlaces(f, placed)
	if err != nil {
		return append(errs, err)
	}
	contexts := prog.contexts(f, placed)
	for i, d := range placed {
		switch r := f.regionAt(d.Offset); {
		case d.Verb.Control():
		case r != nil:
			prog.noteLeftOut(f.pkg, d.Directive)
			errs = append(errs, leaveOut(placed[i:i+1], nil, describeRegion(r))...)
		case d.Verb != annot.Group && !d.Verb.Member():
			errs = append(errs, prog.planPlaced(f, d, typed[i], contexts.level(d))...)
		}
	}
	errs = append(errs, prog.collect(f, placed, typed)...)
	contexts.plan()
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

// planFileCounters plans the counters of a file, if it is to have some.
func (prog *program) planFileCounters(f *file) {
	switch {
	case f.skipped != "": // by a directive in it
	case ast.IsGenerated(f.ast) && !prog.cfg.Generated:
		prog.skip(f.name, "generated code: no counters")
	case !prog.cfg.NoCounters:
		prog.planCounters(f)
	}
}

func (prog *program) planCounters(f *file) {
	var excluded func(token.Pos) bool
	if len(f.regions) > 0 {
		excluded = func(pos token.Pos) bool { return f.regionAt(f.tok.Offset(pos)) != nil }
	}
	name := prog.display(f.name)
	planned := sites(f.tok, f.ast, excluded)
	f.grow(len(planned))
	for _, s := range planned {
		if s.kind == "" {
			f.insert(s.at, s.before)
			continue
		}
		id := prog.count(f, name, s.kind, s.fn, s.pos)
		f.insert(s.at, s.before+prog.increment(f.pkg, id)+s.after)
	}
	if prog.cfg.Operands && f.ast != nil && f.cgo == nil && !f.pkg.isForeign(f) {
		prog.planOperands(f)
	}
}

// count adds a counter for a place in f, which the manifest calls name.
func (prog *program) count(f *file, name string, kind Kind, fn string, pos token.Pos) int {
	prog.counters = append(prog.counters, Counter{
		Package: f.pkg.PkgPath,
		Func:    fn,
		Kind:    kind,
		Pos:     positionIn(name, f.tok, pos),
		Mapped:  prog.mapped(f, pos),
	})
	return len(prog.counters) - 1
}

// increment is the statement that counts: a constant address, or for the
// race detector a call that it does not look into.
func (prog *program) increment(p *pkg, id int) string {
	if prog.cfg.Race {
		return p.use("hit") + "(" + strconv.Itoa(id) + ")"
	}
	return increment(p.use("c"), id)
}

func increment(counters string, id int) string {
	return counters + "[" + strconv.Itoa(covBase) + "+" + strconv.Itoa(id) + "]++"
}

func (prog *program) skip(name, reason string) {
	prog.skipped = append(prog.skipped, Skipped{File: prog.display(name), Reason: reason})
}
