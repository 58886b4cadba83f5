package rewrite

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ijongo/ijongo/annot"
)

// Stripped is a file of the user's without its directives. Text and comments
// were cut by byte offset: what is left is as it was.
type Stripped struct {
	Name     string
	Old, New []byte
	Removed  int // directives
}

// Write replaces the file, by a new one that is renamed over it.
func (s *Stripped) Write() error {
	name, err := filepath.EvalSymlinks(s.Name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return replaceFile(name, s.New, info.Mode().Perm())
}

// replaceFile renames a new file over name, so that what is there is at every
// moment the old content or the new.
func replaceFile(name string, data []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(name), scratchPrefix+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Strip removes every directive from the packages of the main module that the
// patterns match: from all their Go files, also those that the build excludes
// and those of tests. It writes nothing. The comments that look like a
// directive and are none are left, and reported.
func Strip(ctx context.Context, dir string, patterns []string) ([]*Stripped, annot.Errors, error) {
	names, err := sourceFiles(ctx, dir, patterns)
	if err != nil {
		return nil, nil, err
	}
	var list []*Stripped
	var warnings annot.Errors
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		s, faults, err := stripFile(name, src)
		if err != nil {
			return nil, nil, err
		}
		if s != nil {
			list = append(list, s)
		}
		warnings = append(warnings, faults...)
	}
	return list, warnings, nil
}

// stripFile is nil for a file without directives.
func stripFile(name string, src []byte) (*Stripped, annot.Errors, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	comments := annot.Comments(fset, f, src)
	_, faults := annot.ParseFile(fset, f, src)
	faults = slices.DeleteFunc(faults, func(e *annot.Error) bool {
		return slices.ContainsFunc(comments, func(c annot.Comment) bool { return c.From <= e.Pos.Offset && e.Pos.Offset <= c.To })
	})
	if len(comments) == 0 {
		return nil, faults, nil
	}
	out, err := annot.Strip(src, comments)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Stripped{name, src, out, len(comments)}, faults, nil
}

// sourceFiles are the Go files in the folders of packages.
func sourceFiles(ctx context.Context, dir string, patterns []string) ([]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedModule, Context: ctx, Dir: dir, Env: GoEnv(dir),
	}, patterns...)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range loaded {
		switch {
		case p.Dir == "":
			return nil, loadErrors([]*packages.Package{p})
		case p.Module == nil || !p.Module.Main:
			return nil, fmt.Errorf("%s does not belong to the main module: its source is left alone", p.PkgPath)
		}
		files, err := sources(p.Dir, "*.go")
		if err != nil {
			return nil, err
		}
		names = append(names, files...)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
