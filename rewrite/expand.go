package rewrite

import (
	"context"
	"fmt"
	goformat "go/format"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// Expand is the instrumented source of one file as a person would read it: the
// file of the copy without the line directives that lead back, and gofmt-ed.
//
// A file of a folder is seen from its own module. One of a dependency is named
// by import path, such as example.com/p/f.go, and is seen from that of c.Dir.
// The patterns of c are not looked at.
func Expand(ctx context.Context, c Config, name string) ([]byte, error) {
	if path.Ext(name) != ".go" {
		return nil, fmt.Errorf("%s is not a Go file", name)
	}
	is, err := c.aim(name)
	if err != nil {
		return nil, err
	}
	p, err := NewPlan(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	for _, q := range p.prog.pkgs {
		for _, f := range q.edited() {
			if is(f) && f.ast != nil {
				return goformat.Source(f.apply(f.src, func(int) string { return "" }))
			}
		}
	}
	return nil, fmt.Errorf("%s is not instrumented: %s", name, p.why(name))
}

// aim lets c select the package of a file, with those that sidecars annotate,
// and returns what recognises the file.
func (c *Config) aim(name string) (is func(*file) bool, err error) {
	sidecars := c.Sidecars
	c.Sidecars = nil
	for _, s := range sidecars {
		if !filepath.IsAbs(s) {
			s = filepath.Join(c.Dir, s)
		}
		if s, err = filepath.Abs(s); err != nil {
			return nil, err
		}
		c.Sidecars = append(c.Sidecars, s)
	}
	onDisk := name
	if !filepath.IsAbs(name) {
		onDisk = filepath.Join(c.Dir, name)
	}
	info, err := os.Stat(onDisk)
	switch {
	case err == nil:
		c.Dir, c.Patterns = filepath.Dir(onDisk), []string{"."}
		is = func(f *file) bool {
			have, err := os.Stat(f.name)
			return err == nil && os.SameFile(have, info)
		}
	case filepath.IsAbs(name) || strings.HasPrefix(name, ".") || isDir(filepath.Dir(onDisk)):
		return nil, fmt.Errorf("%s: no such file", name)
	default:
		c.Patterns = []string{path.Dir(name)}
		is = func(f *file) bool { return f.pkg.PkgPath+"/"+filepath.Base(f.name) == name }
	}
	return is, c.addAnnotated()
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// addAnnotated adds the packages of the sidecars to the patterns. What is
// wrong with the files is found later.
func (c *Config) addAnnotated() error {
	for _, name := range c.Sidecars {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		s, _ := annot.ParseSidecar(name, src)
		for _, sp := range s.Packages {
			c.Patterns = append(c.Patterns, sp.Path)
		}
	}
	return nil
}

// why says why a file has no place in the plan.
func (p *Plan) why(name string) string {
	base := path.Base(filepath.ToSlash(name))
	for _, s := range p.Skipped {
		if path.Base(s.File) == base {
			return s.Reason
		}
	}
	if strings.HasSuffix(base, "_test.go") {
		return "test files never are"
	}
	return "its package does not have it"
}
