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

// usesVendor tells whether the go command builds the module from its vendor
// folder: it does by itself since go 1.14, unless told not to.
func usesVendor(m *module) bool {
	if info, err := os.Stat(filepath.Join(m.dir, "vendor")); err != nil || !info.IsDir() {
		return false
	}
	mode := ""
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(flag, "-"), "mod="); ok {
			mode = v
		}
	}
	if mode != "" {
		return mode == "vendor"
	}
	return m.goVersion != "" && version.Compare("go"+m.goVersion, "go1.14") >= 0
}

// vendorRuntime puts the runtime into the vendor folder and writes
// modules.txt as go mod vendor would for the go.mod of the copy.
func (prog *program) vendorRuntime(t *tree, rt *module, gomod *modfile.File) error {
	src, err := os.ReadFile(filepath.Join(prog.main.dir, "vendor", "modules.txt"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a module that requires nothing needs none
		return err
	}
	packages, err := prog.vendorPackages(t, rt)
	if err != nil {
		return err
	}
	required := "v0.0.0"
	for _, r := range gomod.Require {
		if r.Mod.Path == runtimeModule {
			required = r.Mod.Version
		}
	}
	var b strings.Builder
	b.WriteString(prog.keptModules(string(src)))
	fmt.Fprintf(&b, "# %s %s => ./%s\n## explicit; go %s\n", runtimeModule, required, rt.at, prog.runtimeGo())
	for _, p := range packages {
		b.WriteString(runtimeModule + "/" + p + "\n")
	}
	fmt.Fprintf(&b, "# %s => ./%s\n", runtimeModule, rt.at)
	t.add("vendor/modules.txt", []byte(b.String()))
	return nil
}

// vendorPackages copies the files of the runtime to the vendor folder and
// lists its packages.
func (prog *program) vendorPackages(t *tree, rt *module) ([]string, error) {
	var packages []string
	at := path.Join("vendor", runtimeModule)
	err := fs.WalkDir(prog.cfg.Target, ".", func(name string, d fs.DirEntry, err error) error {
		planned, ok := t.entries[path.Join(rt.at, name)]
		if err != nil || d.IsDir() || !ok {
			return err
		}
		t.entries[path.Join(at, name)] = planned
		if dir := path.Dir(name); !slices.Contains(packages, dir) {
			packages = append(packages, dir)
		}
		return nil
	})
	return packages, err
}

// keptModules is modules.txt without what it says of the runtime, and with
// replacements as go.mod has them in the copy.
func (prog *program) keptModules(text string) string {
	var b strings.Builder
	drop := false
	for _, line := range strings.SplitAfter(text, "\n") {
		if head, ok := strings.CutPrefix(line, "# "); ok {
			name, _, _ := strings.Cut(strings.TrimSpace(head), " ")
			drop = name == runtimeModule
			if left, target, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " => "); ok {
				if moved, ok := prog.moved[target]; ok {
					line = left + " => " + moved + "\n"
				}
			}
		}
		if !drop {
			b.WriteString(line)
		}
	}
	return b.String()
}
