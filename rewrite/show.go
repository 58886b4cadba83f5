package rewrite

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff writes a unified diff from the original to the copy, of every Go file
// that was edited or added. The sources of the runtime are left out.
func (p *Plan) Diff(w io.Writer) error {
	t, err := p.prog.tree(p.Manifest)
	if err != nil {
		return err
	}
	originals := p.originals()
	for _, name := range p.written(t) {
		from, old := "/dev/null", []byte(nil)
		if original, ok := originals[name]; ok {
			if old, err = os.ReadFile(original); err != nil {
				return err
			}
			from = "a/" + name
		}
		if _, err := w.Write(diff.Diff(from, old, "b/"+name, t[name].data)); err != nil {
			return err
		}
	}
	return nil
}

// Actions writes a line for each file that Write would edit or add, and one
// for what comes from the runtime and for what is copied as it is.
func (p *Plan) Actions(w io.Writer) error {
	t, err := p.prog.tree(p.Manifest)
	if err != nil {
		return err
	}
	originals := p.originals()
	counters := map[string]int{}
	for _, c := range p.Counters {
		counters[fileOf(c.Pos)]++
	}
	var b strings.Builder
	runtime, copied := 0, 0
	for _, name := range slices.Sorted(maps.Keys(t)) {
		original, ok := originals[name]
		switch base := path.Base(name); {
		case t[name].data == nil:
			copied++
		case ofRuntime(name):
			runtime++
		case ok:
			shown := p.prog.display(original)
			fmt.Fprintf(&b, "edit %s: %d counters\n", shown, counters[shown])
		case base == "go.mod" || base == "modules.txt":
			fmt.Fprintf(&b, "edit %s\n", name)
		default:
			fmt.Fprintf(&b, "add %s\n", name)
		}
	}
	fmt.Fprintf(&b, "add %d files of %s\ncopy %d files\n", runtime, runtimeModule, copied)
	_, err = io.WriteString(w, b.String())
	return err
}

// ofRuntime tells whether a file of the copy is part of the runtime.
func ofRuntime(name string) bool { return strings.Contains(name, "/"+runtimeModule+"/") }

// fileOf is the file of a position in the manifest.
func fileOf(pos string) string {
	for range 2 {
		if i := strings.LastIndexByte(pos, ':'); i >= 0 {
			pos = pos[:i]
		}
	}
	return pos
}

// originals are the Go files of the planned packages, by name in the copy,
// which the tree has decided on.
func (p *Plan) originals() map[string]string {
	names := map[string]string{}
	for _, list := range [][]*pkg{p.prog.pkgs, p.prog.tests} {
		for _, q := range list {
			for _, f := range q.edited() {
				names[q.inCopy(path.Base(f.name))] = f.name
			}
		}
	}
	return names
}

// written are the Go files of the copy that are not copied, without those of
// the runtime.
func (p *Plan) written(t map[string]entry) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if t[name].data != nil && path.Ext(name) == ".go" && !ofRuntime(name) {
			names = append(names, name)
		}
	}
	return names
}
