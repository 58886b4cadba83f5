package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// sources finds the files that a profile names.
type sources struct {
	module string // path of the main module
	root   string // its folder; empty if it is not known
	cache  string // the module cache
}

// read reads a file of the main module, or one named MODULE@VERSION/FILE.
func (s *sources) read(name string) ([]byte, error) {
	path, err := s.cached(name)
	if err != nil {
		return nil, err
	}
	if path == "" {
		if s.root == "" {
			return nil, fmt.Errorf("the folder of module %s is not known: run the command in it", s.module)
		}
		path = filepath.Join(s.root, filepath.FromSlash(name))
	}
	return os.ReadFile(path)
}

// path is the path of a file, for formats that name files: relative to the
// root of the main module if it is in that.
func (s *sources) path(name string) string {
	if path, err := s.cached(name); err == nil && path != "" {
		return path
	}
	return name
}

// cached is where a file named MODULE@VERSION/FILE is in the module cache;
// empty for one of the main module.
func (s *sources) cached(name string) (string, error) {
	path, rest, ok := strings.Cut(name, "@")
	if !ok {
		return "", nil
	}
	version, file, _ := strings.Cut(rest, "/")
	path, err := module.EscapePath(path)
	if err != nil {
		return "", err
	}
	if version, err = module.EscapeVersion(version); err != nil {
		return "", err
	}
	return filepath.Join(s.cache, filepath.FromSlash(path)+"@"+version, filepath.FromSlash(file)), nil
}

// moduleRoot is the folder of a module, which is above the current folder or
// above a profile; empty if it is not.
func moduleRoot(path string, profiles []string) string {
	for _, start := range append([]string{"."}, profiles...) {
		dir, err := filepath.Abs(start)
		if err != nil {
			continue
		}
		for {
			if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && modfile.ModulePath(text) == path {
				return dir
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	return ""
}

// moduleCache is the folder of the module cache; empty if the go command does
// not tell.
func moduleCache(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE").Output()
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(out))
}
