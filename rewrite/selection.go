package rewrite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go/token"

	"golang.org/x/tools/go/packages"

	"github.com/ijongo/ijongo/annot"
)

// selection is the packages to instrument, as import paths.
type selection struct {
	roots  []string // matched by a pattern
	others []string // imported by those
}

// selectPackages resolves patterns and modules to packages.
func (prog *program) selectPackages(ctx context.Context) (*selection, error) {
	c := prog.cfg
	patterns, err := prog.nestedPatterns(ctx, c.Patterns)
	if err != nil {
		return nil, err
	}
	loaded, err := prog.packages(ctx, metadata, c.Hook || c.Tests || c.TestFiles, patterns)
	if err != nil {
		return nil, err
	}
	if errs := loadErrors(loaded); len(errs) > 0 {
		return nil, errs
	}
	sel := &selection{}
	for _, p := range loaded {
		if isTest(p) {
			continue
		}
		if err := mayInstrument(p); err != nil {
			return nil, err
		}
		sel.roots = append(sel.roots, p.PkgPath)
	}
	if len(sel.roots) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(c.Patterns, " "))
	}
	if err := prog.addImported(sel, loaded); err != nil {
		return nil, err
	}
	return sel, nil
}

func isTest(p *packages.Package) bool { return p.ForTest != "" || strings.HasSuffix(p.ID, ".test") }

// isTestOnly tells whether p has no counterpart outside of tests. Others that
// were loaded for a test are ordinary packages, compiled against one with its
// test files.
func isTestOnly(p *packages.Package) bool {
	return strings.HasSuffix(p.ID, ".test") || p.ForTest != "" && p.PkgPath == p.ForTest+"_test"
}

func mayInstrument(p *packages.Package) error {
	switch {
	case p.Module == nil:
		return fmt.Errorf("%s is in the standard library, which is never instrumented", p.PkgPath)
	case p.Module.Path == runtimeModule:
		return fmt.Errorf("%s is part of ijongo, which is never instrumented", p.PkgPath)
	}
	return nil
}

// addImported adds what the patterns stand for beside the packages they
// match: packages of modules to instrument, and with Hook those of the main
// module, as far as they are imported.
func (prog *program) addImported(sel *selection, loaded []*packages.Package) error {
	wanted := map[string]bool{}
	for _, m := range prog.cfg.Modules {
		wanted[m] = false
	}
	for _, s := range prog.sidecars {
		if s.Module != "" && s.Module != prog.main.path {
			wanted[s.Module] = false
		}
	}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if p.Module != nil && p.Module.Path == runtimeModule {
			prog.declares = true
		}
		if isTestOnly(p) || mayInstrument(p) != nil {
			return
		}
		prog.noteModule(p.Module)
		_, want := wanted[p.Module.Path]
		if want {
			wanted[p.Module.Path] = true
		}
		if want || prog.cfg.Hook && p.Module.Path == prog.main.path {
			if !slices.Contains(sel.roots, p.PkgPath) && !slices.Contains(sel.others, p.PkgPath) {
				sel.others = append(sel.others, p.PkgPath)
			}
		}
	})
	slices.Sort(sel.others)
	var errs []error
	for _, m := range prog.cfg.Modules {
		if !wanted[m] {
			errs = append(errs, fmt.Errorf("module %s is not imported by %s", m, strings.Join(prog.cfg.Patterns, " ")))
		}
	}
	return errors.Join(errs...)
}

// loadErrors collects the faults of packages and of what they import.
func loadErrors(loaded []*packages.Package) annot.Errors {
	var errs annot.Errors
	seen := map[string]bool{}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		found := p.Errors
		if slices.ContainsFunc(found, isListError) { // which says what cgo said
			found = slices.DeleteFunc(slices.Clone(found), func(e packages.Error) bool { return strings.HasPrefix(e.Msg, "could not import C ") })
		}
		precise := slices.ContainsFunc(found, func(e packages.Error) bool {
			return e.Kind == packages.TypeError || e.Kind == packages.ParseError
		})
		for _, e := range found {
			if precise && isListError(e) {
				continue // the same, as go list -export says it
			}
			if key := e.Pos + e.Msg; !seen[key] {
				seen[key] = true
				errs = append(errs, loadError(p, e)...)
			}
		}
	})
	errs.Sort()
	return errs
}

func isListError(e packages.Error) bool { return e.Kind == packages.ListError }

// loadError is a fault of a package. One that only the compiler finds comes in
// the lines that the go command prints, with files relative to its folder.
func loadError(p *packages.Package, e packages.Error) (errs annot.Errors) {
	if head, said, _ := strings.Cut(e.Msg, "\n"); e.Pos == "" && strings.HasPrefix(head, "# ") {
		for _, line := range strings.Split(said, "\n") {
			if m := compilerError.FindStringSubmatch(line); m != nil {
				pos := parsePosition(m[1])
				pos.Filename = filepath.Join(p.Dir, filepath.Base(pos.Filename))
				errs = append(errs, &annot.Error{Pos: pos, Msg: m[2]})
			}
		}
	}
	if len(errs) > 0 {
		return errs
	}
	pos := parsePosition(e.Pos)
	if pos.Filename == "" {
		pos.Filename = p.ID
	}
	return annot.Errors{{Pos: pos, Msg: strings.TrimSpace(e.Msg)}}
}

var compilerError = regexp.MustCompile(`^(\S.*?:\d+:\d+): (.*)$`)

// parsePosition reads file:line:col, of which line and column may be absent.
func parsePosition(s string) token.Position {
	var nums []int
	for len(nums) < 2 {
		colon := strings.LastIndexByte(s, ':')
		if colon < 0 {
			break
		}
		n, err := strconv.Atoi(s[colon+1:])
		if err != nil {
			break
		}
		nums = append(nums, n)
		s = s[:colon]
	}
	if s == "-" {
		s = ""
	}
	pos := token.Position{Filename: s}
	switch len(nums) {
	case 2:
		pos.Line, pos.Column = nums[1], nums[0]
	case 1:
		pos.Line = nums[0]
	}
	return pos
}
