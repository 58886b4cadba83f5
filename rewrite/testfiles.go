package rewrite

import (
	"maps"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// planTestFiles plans counters and annotations of the test files of the
// patterns, if they are to have some.
func (prog *program) planTestFiles() annot.Errors {
	var errs annot.Errors
	if !prog.cfg.TestFiles {
		return nil
	}
	for _, p := range prog.tests {
		for _, f := range p.files {
			errs = append(errs, prog.planFile(f)...)
		}
	}
	return errs
}

// inTestFiles leaves out what a test file cannot have: a group or a watch
// belongs to a package, of which its test files are no part.
func inTestFiles(placed []*annot.Placed) (rest []*annot.Placed, errs annot.Errors) {
	for i, d := range placed {
		if d.Verb == annot.Group || d.Verb.Member() || d.Watch != nil {
			errs = append(errs, leaveOut(placed[i:i+1], nil, "groups and watches do not reach into test files")...)
		} else {
			rest = append(rest, d)
		}
	}
	return rest, errs
}

// isPlannedTest tells whether a file is a test file of this build that is
// instrumented as well.
func (prog *program) isPlannedTest(name string) bool {
	return prog.cfg.TestFiles && slices.ContainsFunc(prog.tests, func(p *pkg) bool {
		return slices.ContainsFunc(p.files, func(f *file) bool { return f.name == name })
	})
}

// glueName is the name of the added file. The test files of a package and
// those outside of it have one each.
func (p *pkg) glueName() string {
	switch {
	case p.ForTest == "":
		return p.added("rt.go")
	case p.outside():
		return p.added("rt_x_test.go")
	}
	return p.added("rt_in_test.go")
}

// outside tells whether the test files of p are in a package of their own.
func (p *pkg) outside() bool { return strings.HasSuffix(p.Name, "_test") && p.PkgPath != p.ForTest }

// ownGlue are the names that the added file of p declares: test files in a
// package have those of the package.
func (prog *program) ownGlue(p *pkg) map[string]bool {
	if p.ForTest == "" || p.outside() {
		return p.glue
	}
	own := maps.Clone(p.glue)
	if base := prog.packageByPath(p.PkgPath); base != nil {
		maps.DeleteFunc(own, func(name string, _ bool) bool { return base.glue[name] })
	}
	return own
}
