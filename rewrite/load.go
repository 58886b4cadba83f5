package rewrite

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/ijongo/ijongo/annot"
)

// program is what was loaded, and what is planned for it.
type program struct {
	cfg      *Config
	fset     *token.FileSet
	main     *module
	mods     []*module         // instrumented dependencies, by path
	pkgs     []*pkg            // by import path
	tests    []*pkg            // test packages to hook, or of which to know the tests
	alone    bool              // pkgs is the one package that could be loaded
	vendored bool              // built from the vendor folder
	declares bool              // a package of it imports one of ijongo
	work     *workspace        // nil without one
	moved    map[string]string // targets of replace directives, there and in the copy
	sidecars []*sidecar

	counters    []Counter
	annotations []*annotation
	named       map[string]int // annotation IDs by key
	ordinals    map[string]int // unnamed annotations of a function so far
	actions     []actionOf
	watches     []*watch
	groups      map[string]*group // by key
	words       dictionary
	covered     []*group             // those that are sampled, by number
	unsampled   map[string]bool      // keys of groups of which a directive is left out
	reads       map[*types.Func]bool // whether functions that were looked into only read
	skipped     []Skipped
	parsed      []parsed
	faults      annot.Errors
	originals   map[string]entry // the copy before anything is edited or added

	mu  sync.Mutex
	src map[string][]byte // what was parsed, by file name
}

// pkg is a package to instrument, or one of test files.
type pkg struct {
	*packages.Package
	mod     *module
	dir     string
	files   []*file
	foreign []*file         // excluded from this build
	prefix  string          // of the names that are added
	refs    references      // nil until asked for
	lead    string          // of the names of added files, in front of the prefix
	glue    map[string]bool // the added declarations that are used
	streams map[string]bool // packages of random numbers that were replaced
	linked  map[*watch]bool // watches of other packages that are called
	hooked  bool            // whether a f.Fuzz was hooked
	starts  bool            // whether its tests say that they start
	adds    []*addition     // files of sidecars

	declared []string // declarations of the added file beside those
}

// file is a Go file of a package.
type file struct {
	pkg      *pkg
	name     string // absolute
	src      []byte
	ast      *ast.File
	tok      *token.File
	cgo      *ast.File           // what cgo made of it, which is the typed syntax; nil without cgo
	replaced []*ast.SelectorExpr // uses of random functions
	regions  []*annot.Region     // that directives exclude
	skipped  string              // why the configuration leaves it out; empty if it does not
	edits
}

// edited are the files that text may be inserted into.
func (p *pkg) edited() []*file { return slices.Concat(p.files, p.foreign) }

func newProgram(c *Config, fset *token.FileSet) *program {
	return &program{
		cfg:      c,
		fset:     fset,
		src:      map[string][]byte{},
		moved:    map[string]string{},
		named:    map[string]int{},
		ordinals: map[string]int{},
		groups:   map[string]*group{},

		unsampled: map[string]bool{},
		reads:     map[*types.Func]bool{},
	}
}

func newPkg(p *packages.Package, m *module) *pkg {
	return &pkg{Package: p, mod: m, glue: map[string]bool{}, streams: map[string]bool{}}
}

const metadata = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedModule | packages.NeedForTest

const typed = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo |
	packages.NeedModule | packages.NeedForTest | packages.NeedEmbedFiles | packages.NeedEmbedPatterns

func load(ctx context.Context, c *Config) (*program, error) {
	prog := newProgram(c, token.NewFileSet())
	var err error
	if prog.main, err = mainModule(ctx, c.Dir); err != nil {
		return nil, err
	}
	if prog.work, err = findWorkspace(prog.main.dir); err != nil {
		return nil, err
	}
	if prog.work != nil {
		if err := prog.work.checkVendor(); err != nil {
			return nil, err
		}
	}
	prog.vendored = prog.work == nil && usesVendor(prog.main)
	if err := prog.readSidecars(); err != nil {
		return nil, err
	}
	c.Logf("loading %s", strings.Join(c.Patterns, " "))
	sel, err := prog.selectPackages(ctx)
	if err != nil {
		return nil, err
	}
	if err := prog.loadTyped(ctx, sel.roots, c.Hook || c.Tests || c.TestFiles); err != nil {
		return nil, err
	}
	if err := prog.loadTyped(ctx, sel.others, false); err != nil {
		return nil, err
	}
	byPath := func(a, b *pkg) int { return strings.Compare(a.ID, b.ID) }
	slices.SortFunc(prog.pkgs, byPath)
	slices.SortFunc(prog.tests, byPath)
	return prog, prog.markSkipped()
}

// packages calls packages.Load. Faults of the packages themselves are left
// in them.
func (prog *program) packages(ctx context.Context, mode packages.LoadMode, tests bool, patterns []string) ([]*packages.Package, error) {
	loaded, err := packages.Load(&packages.Config{
		Mode:      mode,
		Context:   ctx,
		Dir:       prog.cfg.Dir,
		Env:       GoEnv(prog.cfg.Dir),
		Fset:      prog.fset,
		ParseFile: prog.parse,
		Tests:     tests,
	}, patterns...)
	if ctx.Err() != nil {
		return nil, ctx.Err() // else the fault is that the go command was killed
	}
	if err != nil {
		if _, said, ok := strings.Cut(err.Error(), "stderr: "); ok {
			err = errors.New(strings.TrimSpace(said))
		}
		return nil, err
	}
	return loaded, nil
}

// parse keeps the source that the syntax tree was made from.
func (prog *program) parse(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	prog.mu.Lock()
	prog.src[name] = src
	prog.mu.Unlock()
	return parser.ParseFile(fset, name, src, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
}

// loadTyped loads packages of the given import paths with syntax and types.
func (prog *program) loadTyped(ctx context.Context, paths []string, tests bool) error {
	if len(paths) == 0 {
		return nil
	}
	loaded, err := prog.packages(ctx, typed, tests, paths)
	if err != nil {
		return err
	}
	if errs := loadErrors(loaded); len(errs) > 0 {
		return errs
	}
	for _, lp := range loaded {
		if strings.HasSuffix(lp.ID, ".test") {
			continue
		}
		p := newPkg(lp, prog.module(lp.Module))
		if err := prog.openFiles(p); err != nil {
			return err
		}
		switch {
		case lp.ForTest != "":
			prog.tests = append(prog.tests, p)
		default:
			prog.pkgs = append(prog.pkgs, p)
			if err := prog.openForeign(p); err != nil {
				return err
			}
		}
		if err := p.chooseNames(); err != nil {
			return err
		}
	}
	return nil
}

// openFiles finds syntax and source of the files of p: in a test variant the
// test files only.
func (prog *program) openFiles(p *pkg) error {
	compiled := map[string]*ast.File{}
	for _, f := range p.Syntax {
		compiled[prog.fset.File(f.FileStart).Name()] = f
	}
	for _, name := range p.GoFiles {
		p.dir = filepath.Dir(name)
		if p.ForTest != "" && !strings.HasSuffix(name, "_test.go") {
			continue
		}
		f := &file{pkg: p, name: name, ast: compiled[name], src: prog.src[name]}
		if f.ast == nil { // cgo compiles a translation of it
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			f.src = src
			if f.ast, err = prog.parse(prog.fset, name, src); err != nil {
				return err
			}
		}
		f.tok = prog.fset.File(f.ast.FileStart)
		f.cgo = translation(prog.fset, p.Syntax, f)
		p.files = append(p.files, f)
	}
	if p.dir == "" {
		p.dir = p.Dir
	}
	return nil
}

// translation finds what cgo made of a file: its line directives name it.
func translation(fset *token.FileSet, syntax []*ast.File, f *file) *ast.File {
	for _, g := range syntax {
		if g != f.ast && fset.File(g.FileStart).Name() != f.name && fset.Position(g.Package).Filename == f.name {
			return g
		}
	}
	return nil
}

// module finds or makes the module of a package.
func (prog *program) module(m *packages.Module) *module {
	if m == nil || m.Path == prog.main.path || prog.vendored {
		return prog.main
	}
	for _, have := range prog.mods {
		if have.path == m.Path {
			return have
		}
	}
	dep := &module{path: m.Path, version: m.Version, dir: m.Dir}
	prog.mods = append(prog.mods, dep)
	slices.SortFunc(prog.mods, func(a, b *module) int { return strings.Compare(a.path, b.path) })
	return dep
}

// chooseNames finds a prefix for added names that occurs in no Go file of the
// folder, so that it can clash with no name in any scope or build, and a lead
// that sorts the added files before all others.
func (p *pkg) chooseNames() error {
	names, err := sources(p.dir, "*.go")
	if err != nil {
		return err
	}
	var all strings.Builder
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		all.Write(src)
		all.WriteString(" " + filepath.Base(name) + " ")
	}
	text := strings.ToLower(all.String())
	p.prefix = "ijongo_"
	for n := 1; strings.Contains(text, p.prefix); n++ {
		p.prefix = fmt.Sprintf("ijongo%d_", n)
	}
	for _, p.lead = range leads {
		if !slices.ContainsFunc(names, func(name string) bool { return filepath.Base(name) <= p.lead+p.prefix }) {
			break
		}
	}
	return nil
}

// leads are beginnings of file names that the go command takes, each sorted
// before the one in front of it. The order of files decides in which order
// variables are initialised that do not depend on each other. The variables
// of the added file come first, so that all others keep their order: behind
// one that calls an instrumented function, one that calls none would overtake
// it.
var leads = []string{"", "0", "0-", "0!", "0!!"}

// added is the name of a file that is added to the package.
func (p *pkg) added(name string) string { return p.lead + p.prefix + name }

func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
