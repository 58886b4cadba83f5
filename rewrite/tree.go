package rewrite

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// tree is the planned content of the copy, by slash-separated path.
type tree struct {
	entries map[string]entry
}

// entry is a file of the copy: bytes, or the file to copy, or a link.
type entry struct {
	data []byte
	from string
	link string
	mode fs.FileMode
}

func (t *tree) add(name string, data []byte) {
	t.entries[name] = entry{data: data, mode: 0o644}
}

func (t *tree) modFile(name string, f *modfile.File) error {
	f.Cleanup()
	data, err := f.Format()
	if err != nil {
		return err
	}
	t.add(name, data)
	return nil
}

// planFiles finds the files that are copied as they are, or will be edited.
// What cannot be copied is noted, so this comes before the manifest.
func (prog *program) planFiles() error {
	w := walker{tree: &tree{entries: map[string]entry{}}, prog: prog, seen: map[string]bool{}}
	if err := w.walk(prog.main.dir, ""); err != nil {
		return err
	}
	prog.placeModules()
	for _, dep := range prog.mods {
		if prog.nested(dep) {
			continue
		}
		if err := w.walk(dep.dir, dep.at); err != nil {
			return err
		}
	}
	prog.originals = w.entries
	return nil
}

// tree plans the whole copy.
func (prog *program) tree(m *Manifest) (map[string]entry, error) {
	t := &tree{entries: maps.Clone(prog.originals)}
	data, err := prog.encode(m)
	if err != nil {
		return nil, err
	}
	if err := prog.moduleFiles(t, data); err != nil {
		return nil, err
	}
	prog.packageFiles(t)
	t.add(manifestName, data)
	return t.entries, nil
}

// packageFiles puts edited and added files of the packages in place.
func (prog *program) packageFiles(t *tree) {
	for _, list := range [][]*pkg{prog.pkgs, prog.tests} {
		for _, p := range list {
			for _, f := range p.edited() {
				if !f.empty() {
					name := p.inCopy(filepath.Base(f.name))
					t.entries[name] = entry{data: prog.output(f), mode: t.entries[name].mode}
				}
			}
			if glue := p.glueFile(prog.ownGlue(p)); glue != nil {
				t.add(t.free(p.inCopy(p.glueName())), glue)
			}
			for _, path := range slices.Sorted(maps.Keys(p.streams)) {
				t.add(t.free(p.inCopy(p.added(streams[path].name+".go"))), p.streamFile(path))
			}
			for _, a := range p.adds {
				t.add(t.free(p.inCopy(p.addName(a))), prog.copied(a.line.Path(), a.src))
			}
			if p.starts {
				t.add(t.free(p.inCopy(p.startName())), p.startFile())
			}
			if p.hooked && !prog.declaresHook(p) {
				t.add(t.free(p.inCopy(p.hookName())), p.hookFile())
			}
		}
	}
}

// declaresHook tells whether the package that the test files in p belong to
// declares the hook already.
func (prog *program) declaresHook(p *pkg) bool {
	return p.ForTest != "" && slices.ContainsFunc(prog.pkgs, func(base *pkg) bool { return base.hooked && base.PkgPath == p.PkgPath })
}

// hookName is the name of the file that declares the hook: the test variants
// of a package share its folder.
func (p *pkg) hookName() string {
	switch {
	case p.ForTest == "":
		return p.prefix + "hook.go"
	case strings.HasSuffix(p.Name, "_test"):
		return p.prefix + "x_test.go"
	}
	return p.prefix + "in_test.go"
}

// inCopy is where a file of the package's folder is in the copy.
func (p *pkg) inCopy(base string) string {
	rel, err := filepath.Rel(p.mod.dir, p.dir)
	if err != nil {
		panic(err) // both are absolute
	}
	return path.Join(p.mod.at, filepath.ToSlash(rel), base)
}

// free makes a name that the tree does not have.
func (t *tree) free(name string) string {
	for {
		if _, taken := t.entries[name]; !taken {
			return name
		}
		dir, base := path.Split(name)
		name = dir + "x" + base
	}
}

var bom = []byte("\xEF\xBB\xBF")

// output is the copy of an edited file.
func (prog *program) output(f *file) []byte {
	return prog.copied(f.name, f.apply(f.src, lineMap{f.tok, f.src}.restore))
}

// copied is the content of a file of the copy that says where its original is.
func (prog *program) copied(original string, body []byte) []byte {
	var b bytes.Buffer
	if bytes.HasPrefix(body, bom) {
		b.Write(bom)
		b.WriteByte('\n') // behind the mark, the directive would not begin its line
		body = body[len(bom):]
	}
	if prog.cfg.Trimpath {
		// Relative to the file of the copy; go build -trimpath makes the
		// import path of it.
		original = filepath.Base(original)
	}
	b.WriteString("//line " + original + ":1:1\n")
	b.Write(body)
	return b.Bytes()
}

// walker plans the copy of folders.
type walker struct {
	*tree
	prog *program
	seen map[string]bool // real folders on the way down, against loops of links
}

func (w *walker) walk(dir, at string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if w.seen[real] {
		return nil
	}
	w.seen[real] = true
	defer delete(w.seen, real)
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, d := range list {
		if err := w.visit(filepath.Join(dir, d.Name()), path.Join(at, d.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) visit(name, at string) error {
	base := filepath.Base(name)
	if prog := w.prog; prog.work != nil && (base == "go.work" || base == "go.work.sum") {
		return nil // the copy has its own
	}
	if base == ".git" || base == ".ijongo" || strings.HasPrefix(base, scratchPrefix) || name == w.prog.cfg.Out {
		return nil
	}
	link, err := os.Lstat(name)
	if err != nil {
		return err
	}
	info := link
	if link.Mode()&fs.ModeSymlink != 0 {
		if info, err = os.Stat(name); err != nil { // dangling: so it is in the copy
			return w.dangling(name, at)
		}
	}
	switch {
	case info.IsDir():
		if isCopy(name) {
			return nil
		}
		return w.walk(name, at)
	case info.Mode().IsRegular():
		w.entries[at] = entry{from: name, mode: info.Mode().Perm() | 0o200}
	default:
		w.prog.skip(name, "not a regular file, folder or link")
	}
	return nil
}

func (w *walker) dangling(name, at string) error {
	target, err := os.Readlink(name)
	if err != nil {
		return err
	}
	w.entries[at] = entry{link: target}
	return nil
}

// isCopy tells whether a folder holds an instrumented copy.
func isCopy(dir string) bool {
	_, err := ReadManifest(dir)
	return err == nil
}
