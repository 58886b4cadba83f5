package rewrite

import (
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// moduleFiles adds the changed go.mod of the main module, the runtime, which
// knows the manifest, and for a vendored module modules.txt.
func (prog *program) moduleFiles(t *tree, manifest []byte) error {
	rt := &module{path: runtimeModule, at: prog.topFolder() + "/" + runtimeModule}
	gomod, err := prog.mainGoMod(t, rt)
	if err != nil {
		return err
	}
	if err := prog.runtimeFiles(t, rt.at, manifest); err != nil {
		return err
	}
	for _, m := range prog.mods {
		if err := prog.requireRuntime(t, m, rt); err != nil {
			return err
		}
	}
	switch {
	case prog.work != nil:
		return prog.workFile(t, rt)
	case prog.vendored:
		return prog.vendorRuntime(t, rt, gomod)
	}
	return nil
}

// nested tells whether a module is in the folder of the main one, and so has
// its place in the copy.
func (prog *program) nested(m *module) bool { return inside(prog.main.dir, m.dir) }

// placeModules says where the modules beside the main one are in the copy.
func (prog *program) placeModules() {
	for _, m := range prog.mods {
		if prog.nested(m) {
			m.at = fromFolder(prog.main.dir, m.dir)
			continue
		}
		m.at = prog.topFolder() + "/" + m.path
		if m.version != "" {
			m.at += "@" + m.version
		}
	}
}

// topFolder is the folder of the copy that holds the modules beside the main
// one. Patterns do not enter a folder with an underscore.
func (prog *program) topFolder() string {
	name := "_ijongo"
	for n := 1; ; n++ {
		if _, err := os.Lstat(filepath.Join(prog.main.dir, name)); err != nil {
			return name
		}
		name = fmt.Sprintf("_ijongo%d", n)
	}
}

// mainGoMod adds the requirement and the replacements, and keeps relative
// replacements valid.
func (prog *program) mainGoMod(t *tree, rt *module) (*modfile.File, error) {
	name := filepath.Join(prog.main.dir, "go.mod")
	f, err := parseGoMod(name)
	if err != nil {
		return nil, err
	}
	for _, r := range slices.Clone(f.Replace) {
		if r.Old.Path == runtimeModule {
			if err := f.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return nil, err
			}
			continue
		}
		path := prog.movedReplace(r, prog.main)
		prog.moved[r.New.Path] = path
		if err := f.AddReplace(r.Old.Path, r.Old.Version, path, r.New.Version); err != nil {
			return nil, err
		}
	}
	addRequire(f)
	for _, m := range append([]*module{rt}, prog.mods...) {
		if leadsTo(f, m) {
			continue
		}
		if err := f.AddReplace(m.path, m.version, "./"+m.at, ""); err != nil {
			return nil, err
		}
	}
	return f, t.modFile("go.mod", f)
}

// leadsTo tells whether a replacement in f leads to the copy of m.
func leadsTo(f *modfile.File, m *module) bool {
	return slices.ContainsFunc(f.Replace, func(r *modfile.Replace) bool {
		return r.Old.Path == m.path && r.Old.Version == "" && r.New.Version == "" && path.Clean(r.New.Path) == m.at
	})
}

func addRequire(f *modfile.File) {
	for _, r := range f.Require {
		if r.Mod.Path == runtimeModule {
			return
		}
	}
	f.AddNewRequire(runtimeModule, "v0.0.0", false)
}

// movedReplace is the target of a replacement in a module as seen from its
// copy: a relative path that leaves what is copied means another folder from
// there.
func (prog *program) movedReplace(r *modfile.Replace, m *module) string {
	if r.New.Version != "" || filepath.IsAbs(r.New.Path) {
		return r.New.Path
	}
	target := filepath.Join(m.dir, filepath.FromSlash(r.New.Path))
	if inside(m.dir, target) || prog.nested(m) && inside(prog.main.dir, target) {
		return r.New.Path
	}
	return fromFolder(filepath.Join(prog.cfg.Out, filepath.FromSlash(m.at)), target)
}

// inside tells whether path is dir or below it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// requireRuntime adds the requirement to the go.mod of a module beside the
// main one. The go command reads replacements there only when it builds that
// module for itself.
func (prog *program) requireRuntime(t *tree, m, rt *module) error {
	name := filepath.Join(m.dir, "go.mod")
	f, err := parseGoMod(name)
	if errors.Is(err, fs.ErrNotExist) { // from before modules: the go command makes one up
		f, err = new(modfile.File), nil
		f.Syntax = new(modfile.FileSyntax)
		err = f.AddModuleStmt(m.path)
	}
	if err != nil {
		return err
	}
	for _, r := range slices.Clone(f.Replace) {
		if err := f.AddReplace(r.Old.Path, r.Old.Version, prog.movedReplace(r, m), r.New.Version); err != nil {
			return err
		}
	}
	addRequire(f)
	if err := f.AddReplace(rt.path, "", fromFolder(filepath.FromSlash(m.at), filepath.FromSlash(rt.at)), ""); err != nil {
		return err
	}
	return t.modFile(path.Join(m.at, "go.mod"), f)
}

// runtimeFiles writes the runtime as a module of its own, without tests, and
// with the layout of this program.
func (prog *program) runtimeFiles(t *tree, at string, manifest []byte) error {
	err := fs.WalkDir(prog.cfg.Target, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		src, err := fs.ReadFile(prog.cfg.Target, name)
		if err != nil {
			return err
		}
		switch {
		case name == "runtime/cov.go" && prog.cfg.Counts, name == "runtime/cov_counts.go" && !prog.cfg.Counts:
			return nil
		case name == "runtime/cov_counts.go":
			src = unconstrained(src)
		}
		t.add(path.Join(at, name), src)
		return nil
	})
	if err != nil {
		return err
	}
	t.add(path.Join(at, "runtime/layout.go"), prog.layout(manifest))
	t.add(path.Join(at, "go.mod"), []byte("module "+runtimeModule+"\n\ngo "+prog.runtimeGo()+"\n"))
	return nil
}

// unconstrained is a file without the build constraint that it begins with.
func unconstrained(src []byte) []byte {
	_, rest, _ := strings.Cut(string(src), "\n\n")
	return []byte(rest)
}

// runtimeGo is the go directive of the runtime: never newer than what the
// main module asks for, which would change the build list, and old enough to
// mean the same everywhere.
func (prog *program) runtimeGo() string {
	const newest = "1.21"
	v := prog.main.goVersion
	if v == "" {
		v = "1.16" // what the go command assumes
	}
	if version.Compare("go"+v, "go"+newest) > 0 {
		return newest
	}
	return v
}
