package rewrite

import (
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// markSkipped finds the files that the configuration leaves out. A pattern
// that leaves out nothing is an error, as an anchor without a place is.
func (prog *program) markSkipped() error {
	for _, pattern := range prog.cfg.Skip {
		match, err := prog.matcher(pattern)
		if err != nil {
			return err
		}
		found := false
		for _, p := range prog.skippable() {
			for _, f := range p.edited() {
				if match(f) {
					found = true
					f.skipped = "skipped by -skip " + pattern
				}
			}
		}
		if !found {
			return fmt.Errorf("-skip %s: no such package or file is instrumented (write an import path, which may end in /..., or a file such as *.pb.go)", pattern)
		}
	}
	return nil
}

// skippable are the packages with files that could be left out.
func (prog *program) skippable() []*pkg {
	if prog.cfg.TestFiles {
		return slices.Concat(prog.pkgs, prog.tests)
	}
	return prog.pkgs
}

// matcher reads a pattern: of files when it ends in .go, else of import paths.
func (prog *program) matcher(pattern string) (func(*file) bool, error) {
	if strings.HasSuffix(pattern, ".go") {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("-skip %s: %w", pattern, err)
		}
		return func(f *file) bool { return prog.globMatches(pattern, f) }, nil
	}
	if pattern == "." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") {
		rel, err := filepath.Rel(prog.main.dir, filepath.Join(prog.cfg.Dir, pattern))
		if err != nil {
			return nil, fmt.Errorf("-skip %s: %w", pattern, err)
		}
		pattern = path.Join(prog.main.path, filepath.ToSlash(rel))
	}
	expr := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if head, ok := strings.CutSuffix(expr, `/.*`); ok {
		expr = head + `(/.*)?`
	}
	re, err := regexp.Compile("^" + expr + "$")
	if err != nil {
		return nil, fmt.Errorf("-skip %s: %w", pattern, err)
	}
	return func(f *file) bool { return re.MatchString(f.pkg.PkgPath) }, nil
}

// globMatches compares a file by its name, and a pattern with a slash by its
// name in the manifest or behind the import path of its package.
func (prog *program) globMatches(glob string, f *file) bool {
	base := filepath.Base(f.name)
	names := []string{base}
	if strings.Contains(glob, "/") {
		names = []string{prog.display(f.name), f.pkg.PkgPath + "/" + base}
	}
	for _, name := range names {
		if ok, _ := path.Match(strings.TrimPrefix(glob, "./"), name); ok { // the pattern has been checked
			return true
		}
	}
	return false
}

// leaveOut turns what a file says into warnings: why it has no effect.
func leaveOut(placed []*annot.Placed, errs annot.Errors, why string) annot.Errors {
	for _, e := range errs {
		e.Warning = true
	}
	for _, d := range placed {
		errs = append(errs, &annot.Error{Pos: d.Pos, Msg: why + ": the annotation is left out", Warning: true})
	}
	return errs
}

// leftOut warns of a line of a sidecar that is about a skipped file.
func (f *file) leftOut(pos token.Position) *annot.Error {
	return &annot.Error{Pos: pos, Msg: fmt.Sprintf("%s is %s: the line is left out", filepath.Base(f.name), f.skipped), Warning: true}
}
