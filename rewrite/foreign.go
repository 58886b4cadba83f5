package rewrite

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// Why a directive of a file has no effect.
const (
	notInBuild  = "the file is not part of this build"
	testsAreNot = "test files are not instrumented"
)

// planForeign deals with the files in the folder of p that are not
// fully instrumented: those that this build excludes get counters, and a
// directive in one of them, or in a test file, is reported.
func (prog *program) planForeign(p *pkg) (annot.Errors, error) {
	var errs annot.Errors
	for _, f := range p.foreign {
		errs = append(errs, prog.planUntyped(f)...)
	}
	excluded := goFiles(p.IgnoredFiles)
	tests, err := sources(p.dir, "*_test.go")
	if err != nil {
		return nil, err
	}
	tests = slices.DeleteFunc(tests, prog.isPlannedTest)
	for _, name := range tests {
		why := testsAreNot
		if slices.Contains(excluded, name) {
			why = notInBuild
		}
		faults, err := prog.leftOut(name, why)
		if err != nil {
			return nil, err
		}
		errs = append(errs, faults...)
	}
	return errs, nil
}

// sources are the files of a folder that match a glob, without those that the
// go command does not look at either: such as the locks of an editor, which are dangling links.
func sources(dir, glob string) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(globEscape(dir), glob))
	return slices.DeleteFunc(names, func(name string) bool {
		base := filepath.Base(name)
		return base[0] == '.' || base[0] == '_'
	}), err
}

func goFiles(names []string) []string {
	var list []string
	for _, name := range names {
		if strings.HasSuffix(name, ".go") {
			list = append(list, name)
		}
	}
	return list
}

// mentionsUs tells whether a file may have directives, or what is meant as one.
func mentionsUs(src []byte) bool { return bytes.Contains(bytes.ToLower(src), []byte("ijon")) }

// leftOut warns of every directive of a file, and of what only looks like one.
func (prog *program) leftOut(name, why string) (annot.Errors, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if !mentionsUs(src) {
		return nil, nil
	}
	f, err := prog.parse(prog.fset, name, src)
	if f == nil || err != nil {
		return annot.Errors{{Pos: parsePosition(name), Msg: fmt.Sprintf("%s, and does not parse: what it annotates is left out", why), Warning: true}}, nil
	}
	placed, errs := annot.ParseFile(prog.fset, f, src)
	prog.parsed = append(prog.parsed, parsed{f, src})
	return leaveOut(placed, errs, why), nil
}
