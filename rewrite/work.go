package rewrite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// workspace is a go.work that the main module is part of.
type workspace struct {
	dir  string
	name string
	file *modfile.WorkFile
}

// GoEnv is the environment of go commands about the module around dir: with
// the workspace that it is part of, or none. One that is only further up
// would keep the go command from loading anything.
func GoEnv(dir string) []string {
	if abs, err := filepath.Abs(dir); err == nil { // else the go command fails as well
		dir = abs
	}
	work := "off"
	if w, err := findWorkspace(dir); err == nil && w != nil {
		work = w.name
	} else if err != nil { // the go command says the same, with more words
		work = os.Getenv("GOWORK")
	}
	return append(os.Environ(), "GOWORK="+work, "PWD="+dir)
}

// findWorkspace finds the workspace of the module around dir. It is nil
// without one.
func findWorkspace(dir string) (*workspace, error) {
	gomod, err := findGoMod(dir)
	if err != nil {
		return nil, nil // so there is no module to be part of one
	}
	name := os.Getenv("GOWORK")
	switch name {
	case "off":
		return nil, nil
	case "":
		if name = above(filepath.Dir(gomod), "go.work"); name == "" {
			return nil, nil
		}
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f, err := modfile.ParseWork(name, src, nil)
	if err != nil {
		return nil, err
	}
	w := &workspace{filepath.Dir(name), name, f}
	for _, u := range f.Use {
		if sameFile(w.path(u.Path), filepath.Dir(gomod)) {
			return w, nil
		}
	}
	return nil, nil
}

// above finds a file in dir or the nearest folder above that has one.
func above(dir, base string) string {
	for ; ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, base)
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			return name
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// path is where a path of the go.work leads.
func (w *workspace) path(p string) string {
	if p = filepath.FromSlash(p); filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(w.dir, p)
}

// checkVendor refuses a workspace that is built from its vendor folder.
func (w *workspace) checkVendor() error {
	if _, err := os.Stat(filepath.Join(w.dir, "vendor", "modules.txt")); err == nil {
		return fmt.Errorf("%s: a vendored workspace is not supported (set GOWORK=off to instrument the module alone)", w.name)
	}
	return nil
}

// workFile adds the go.work of the copy: the modules of the workspace, of
// which the instrumented ones are those of the copy, and the runtime.
func (prog *program) workFile(t *tree, rt *module) error {
	w := prog.work
	f, err := modfile.ParseWork(w.name, modfile.Format(w.file.Syntax), nil)
	if err != nil {
		return err
	}
	for _, u := range w.file.Use {
		if err := f.DropUse(u.Path); err != nil {
			return err
		}
	}
	for _, u := range w.file.Use {
		if err := f.AddUse(prog.inWork(w.path(u.Path)), ""); err != nil {
			return err
		}
	}
	if err := f.AddUse("./"+rt.at, ""); err != nil {
		return err
	}
	for _, r := range slices.Clone(f.Replace) {
		if r.New.Version == "" && !filepath.IsAbs(filepath.FromSlash(r.New.Path)) {
			if err := f.AddReplace(r.Old.Path, r.Old.Version, prog.inWork(w.path(r.New.Path)), ""); err != nil {
				return err
			}
		}
	}
	for _, m := range prog.mods {
		if m.version != "" {
			if err := f.AddReplace(m.path, m.version, "./"+m.at, ""); err != nil {
				return err
			}
		}
	}
	f.Cleanup()
	t.add("go.work", modfile.Format(f.Syntax))
	return prog.workSum(t)
}

func (prog *program) workSum(t *tree) error {
	sum, err := os.ReadFile(prog.work.name + ".sum")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	t.add("go.work.sum", sum)
	return nil
}

// inWork is a folder as the go.work of the copy names it.
func (prog *program) inWork(dir string) string {
	for _, m := range prog.mods {
		if sameFile(m.dir, dir) {
			return "./" + m.at
		}
	}
	if rel, err := filepath.Rel(prog.main.dir, dir); err == nil && inside(prog.main.dir, dir) {
		return strings.TrimSuffix("./"+filepath.ToSlash(rel), "/.")
	}
	return fromFolder(prog.cfg.Out, dir)
}

// fromFolder is the path of a file or folder as seen from another folder.
func fromFolder(from, to string) string {
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return filepath.ToSlash(to)
	}
	return filepath.ToSlash(rel)
}

// nestedPatterns names the packages of nested modules by import path: the go
// command takes a path into a module for a pattern only if it is the main one.
func (prog *program) nestedPatterns(ctx context.Context, patterns []string) ([]string, error) {
	list := slices.Clone(patterns)
	for i, pattern := range list {
		if pattern != "." && !strings.HasPrefix(pattern, "./") && !strings.HasPrefix(pattern, "../") && !filepath.IsAbs(pattern) {
			continue
		}
		folder, rest, tree := strings.Cut(pattern, "/...")
		dir := folder
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(prog.cfg.Dir, filepath.FromSlash(dir))
		}
		gomod, err := findGoMod(dir)
		if err != nil || sameFile(filepath.Dir(gomod), prog.main.dir) || !inside(prog.main.dir, dir) {
			continue
		}
		f, err := parseGoMod(gomod)
		if err != nil {
			return nil, err
		}
		if f.Module == nil || !prog.requires(ctx, f.Module.Mod.Path, filepath.Dir(gomod)) {
			return nil, fmt.Errorf("%s is in a module of its own, which the build of %s does not have (go to %s and instrument from there)",
				pattern, prog.main.path, filepath.Dir(gomod))
		}
		rel, err := filepath.Rel(filepath.Dir(gomod), dir)
		if err != nil {
			return nil, err
		}
		list[i] = strings.TrimSuffix(f.Module.Mod.Path+"/"+filepath.ToSlash(rel), "/.")
		if tree {
			list[i] += "/..." + rest
		}
	}
	return list, nil
}

// requires tells whether the build list has the module in a folder.
func (prog *program) requires(ctx context.Context, path, dir string) bool {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", path)
	cmd.Dir, cmd.Env = prog.cfg.Dir, GoEnv(prog.cfg.Dir)
	out, err := cmd.Output()
	return err == nil && sameFile(strings.TrimSpace(string(out)), dir)
}
