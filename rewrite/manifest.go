package rewrite

import (
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/annot"
	ijon "github.com/ijongo/ijongo/runtime"
)

// manifestName is the manifest in the folder of the copy.
const manifestName = "manifest.json"

// format identifies a manifest, and with it a folder as a copy that may be
// replaced.
const format = "ijongo 1"

// Manifest says what was inserted where. It has no path that depends on
// where the copy or the original is: files of the main module are relative
// to its root, those of other modules begin with their path and version.
type Manifest struct {
	Format      string
	Module      string // path of the main module
	Race        bool
	Packages    []string     // instrumented packages
	Counters    []Counter    // indexed by counter
	Annotations []Annotation // indexed by annotation ID
	Groups      []Group      // indexed as the program samples them
	Added       []Added      `json:",omitempty"` // files of sidecars
	Dictionary  []string     // what the code compares with constants, spelled as in AFL's dictionaries
	Skipped     []Skipped
	Warnings    annot.Errors
}

// A Counter is one edge counter.
type Counter struct {
	Package string
	Func    string // as a sidecar names it; literals end in .func
	Kind    Kind
	Pos     string // file:line:col of the block
	Mapped  string `json:",omitempty"` // the same as line directives of the file have it, if it has any
}

// An Annotation is one annotation of the program.
type Annotation struct {
	Verb annot.Verb
	Name string // NAME, or the expression
	Key  string
	Expr string   // as written
	Pos  []string // file:line:col, all places where it stands

	Mapped []string `json:",omitempty"` // as line directives of the files have these, where they have some

	Observe bool   `json:",omitempty"`
	Rare    bool   `json:",omitempty"`
	Cap     int    `json:",omitempty"`
	AtLeast int    `json:",omitempty"`
	Weight  int    `json:",omitempty"`
	Goal    string `json:",omitempty"`
	Doc     string `json:",omitempty"`
}

// A Group is a covergroup of the program. Its spec tells all of its items.
type Group struct {
	ijon.GroupSpec
	Samples []Sample
	Items   []GroupItem // points, crosses, transitions and sequences
}

// A GroupItem is what belongs to a group, in short.
type GroupItem struct {
	Kind    annot.Verb
	Name    string
	Bins    int    // also those of which a hit fails the run
	LeftOut string `json:",omitempty"` // of a point: the constant that counts the others of an enumeration, and has no bin
}

// A Sample is a place where a group is sampled.
type Sample struct {
	Func string // as a sidecar names it; of a watch TYPE.FIELD
	When string // "exit", "entry", "line", or "write" of a watch
	Pos  string // file:line:col of the directive
}

// Skipped is a file that was copied as it is, or with Pos a part of one.
type Skipped struct {
	File   string
	Reason string
	Pos    string `json:",omitempty"` // file:line:col of the directive
	Func   string `json:",omitempty"` // the function that it is, or is part of; empty for a file
}

// SkippedFiles is how many whole files were skipped.
func (m *Manifest) SkippedFiles() (n int) {
	for _, s := range m.Skipped {
		if s.Func == "" {
			n++
		}
	}
	return n
}

// Annotated is how many annotations the program has, with its groups and what
// belongs to them.
func (m *Manifest) Annotated() int {
	n := len(m.Annotations)
	for _, g := range m.Groups {
		n += 1 + len(g.Points) + len(g.Crosses) + len(g.Trans) + len(g.Seqs)
	}
	return n
}

func (prog *program) manifest() *Manifest {
	m := &Manifest{
		Format:   format,
		Module:   prog.main.path,
		Race:     prog.cfg.Race,
		Packages: []string{},
		Counters: append([]Counter{}, prog.counters...),
		Skipped:  append([]Skipped{}, prog.skipped...),
	}
	for _, p := range prog.pkgs {
		m.Packages = append(m.Packages, p.PkgPath)
	}
	for _, p := range prog.tests {
		if prog.cfg.TestFiles && p.outside() {
			m.Packages = append(m.Packages, p.PkgPath)
		}
	}
	m.Annotations = prog.manifestAnnotations()
	m.Groups = prog.manifestGroups()
	m.Dictionary = prog.words.quoted()
	m.Added = prog.manifestAdded()
	m.Warnings = append(annot.Errors{}, prog.faults...)
	return m
}

// encode is the manifest as it is written: warnings name files as the rest of
// it does, where the returned one has paths that a person can open.
func (prog *program) encode(m *Manifest) ([]byte, error) {
	written := *m
	written.Warnings = annot.Errors{}
	for _, w := range m.Warnings {
		shown := *w
		shown.Pos.Filename = prog.display(w.Pos.Filename)
		written.Warnings = append(written.Warnings, &shown)
	}
	b, err := json.MarshalIndent(&written, "", "\t")
	return append(b, '\n'), err
}

// ReadManifest reads the manifest of the copy in dir.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestName)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := new(Manifest)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.Format != format {
		return nil, fmt.Errorf("%s: format %q, want %q (instrument again)", path, m.Format, format)
	}
	return m, nil
}

// display is the name of a source file in the manifest.
func (prog *program) display(name string) string {
	for _, m := range append([]*module{prog.main}, prog.mods...) {
		rel, err := filepath.Rel(m.dir, name)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		return m.display(filepath.ToSlash(rel))
	}
	return filepath.ToSlash(name)
}

// positionIn is the physical position of pos in the file that the manifest
// calls name.
func positionIn(name string, tok *token.File, pos token.Pos) string {
	p := tok.PositionFor(pos, false)
	return name + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// mapped is what line directives of the file make of pos; empty where they
// change nothing.
func (prog *program) mapped(f *file, pos token.Pos) string {
	physical, adjusted := f.tok.PositionFor(pos, false), f.tok.PositionFor(pos, true)
	if physical == adjusted {
		return ""
	}
	adjusted.Filename = prog.display(adjusted.Filename)
	return adjusted.String()
}
