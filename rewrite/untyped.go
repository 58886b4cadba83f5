package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// openForeign reads the files of p that this build excludes by their name or
// constraints. Other builds of the copy have them, without type information
// here.
func (prog *program) openForeign(p *pkg) error {
	for _, name := range goFiles(p.IgnoredFiles) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f := &file{pkg: p, name: name, src: src}
		tree, err := prog.parse(prog.fset, name, src)
		switch {
		case err != nil:
			f.skipped = notInBuild + ", and does not parse"
		default:
			f.ast, f.tok = tree, prog.fset.File(tree.FileStart)
			f.skipped = outsider(p, tree)
		}
		p.foreign = append(p.foreign, f)
	}
	return nil
}

// outsider says why a file that this build excludes belongs to p in no build:
// what is compiled without the rest of the package must not use the names
// that are added to it.
func outsider(p *pkg, f *ast.File) string {
	switch {
	case f.Name.Name != p.Name:
		return notInBuild + ", and of package " + f.Name.Name
	case ignored(f):
		return notInBuild + " nor of another: its constraint has the tag ignore"
	case p.Name == "main" && declaresMain(f) && hasConstraint(f):
		return notInBuild + ", and may be a program of its own"
	}
	return ""
}

func hasConstraint(f *ast.File) bool { return len(constraints(f)) > 0 }

// ignored tells whether a file has the tag of files that go run takes alone.
func ignored(f *ast.File) bool {
	for _, x := range constraints(f) {
		found := false
		x.Eval(func(tag string) bool {
			found = found || tag == "ignore"
			return tag != "ignore"
		})
		if found {
			return true
		}
	}
	return false
}

func declaresMain(f *ast.File) bool {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "main" {
			return true
		}
	}
	return false
}

// planUntyped plans the counters of a file that this build excludes. Its
// annotations cannot be checked, and are left out.
func (prog *program) planUntyped(f *file) annot.Errors {
	if f.ast == nil {
		prog.skip(f.name, f.skipped)
		return prog.unparsed(f)
	}
	placed, errs := annot.ParseFile(prog.fset, f.ast, f.src)
	prog.parsed = append(prog.parsed, parsed{f.ast, f.src})
	why := notInBuild
	if f.skipped == "" {
		regions, faults := annot.Regions(prog.fset, f.ast, placed)
		errs = append(errs, faults...)
		prog.skipRegions(f, regions)
		prog.planFileCounters(f)
	} else {
		why = f.skipped
		prog.skip(f.name, why)
	}
	var guidance []*annot.Placed
	for _, d := range placed {
		if !d.Verb.Control() {
			guidance = append(guidance, d)
		}
	}
	return leaveOut(guidance, errs, why)
}

// unparsed is a warning if a file that does not parse may have directives.
func (prog *program) unparsed(f *file) annot.Errors {
	if !mentionsUs(f.src) {
		return nil
	}
	return annot.Errors{{Pos: token.Position{Filename: f.name}, Msg: fmt.Sprintf("%s: what it annotates is left out", f.skipped), Warning: true}}
}
