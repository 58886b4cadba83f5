package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ijongo/ijongo/rewrite"
)

// A Package is a package with fuzz functions.
type Package struct {
	ImportPath string
	Dir        string
	Module     struct{ Path, Dir, GoMod string } // the main module
	Targets    []string                          // its fuzz functions, in the order of the source

	TestGoFiles, XTestGoFiles []string
}

// Find loads the one package that arg names: a folder, which may lie in
// another module than the current one, or an import path.
func Find(ctx context.Context, arg string) (*Package, error) {
	dir, pattern := where(arg)
	if dir != arg && build.IsLocalImport(arg) && !strings.Contains(arg, "...") {
		return nil, fmt.Errorf("%s: no such folder (name the folder of a package with a fuzz function)", arg)
	}
	out, err := run(ctx, dir, "go", "list", "-find", "-json=ImportPath,Dir,Module,TestGoFiles,XTestGoFiles", "--", pattern)
	if err != nil {
		return nil, err
	}
	var found []*Package
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(Package)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		found = append(found, p)
	}
	p, err := single(arg, found)
	if err != nil {
		return nil, err
	}
	return p, p.findTargets()
}

// where is the folder to run the go command in, and the pattern there.
func where(arg string) (dir, pattern string) {
	if info, err := os.Stat(arg); err == nil && info.IsDir() {
		return arg, "."
	}
	return ".", arg
}

func single(arg string, found []*Package) (*Package, error) {
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("%s: no such package (name one package with a fuzz function)", arg)
	case len(found) > 1:
		var names []string
		for _, p := range found {
			names = append(names, p.ImportPath)
		}
		const most = 10
		if len(names) > most {
			names = append(names[:most], "…")
		}
		return nil, fmt.Errorf("%s: %d packages (name one of %s)", arg, len(found), strings.Join(names, ", "))
	case found[0].Module.Dir == "":
		return nil, fmt.Errorf("%s: not in a module (write a go.mod: go mod init)", arg)
	}
	return found[0], nil
}

// findTargets lists the fuzz functions in the package's test files.
func (p *Package) findTargets() error {
	fset := token.NewFileSet()
	for _, name := range append(append([]string{}, p.TestGoFiles...), p.XTestGoFiles...) {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isTarget(fn) {
				p.Targets = append(p.Targets, fn.Name.Name)
			}
		}
	}
	if len(p.Targets) == 0 {
		return fmt.Errorf("%s: no fuzz function in its _test.go files (write func FuzzName(f *testing.F) { f.Fuzz(func(t *testing.T, schedule []byte) { … }) })", p.ImportPath)
	}
	return nil
}

func isTarget(fn *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(fn.Name.Name, "Fuzz")
	first, _ := utf8.DecodeRuneInString(rest)
	if !ok || fn.Recv != nil || rest != "" && unicode.IsLower(first) || fn.Type.Params.NumFields() != 1 {
		return false
	}
	star, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch x := star.X.(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name == "F"
	case *ast.Ident:
		return x.Name == "F"
	}
	return false
}

// Select is the fuzz function whose name matches pattern, which may be empty
// when there is only one.
func (p *Package) Select(pattern string) (string, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", fmt.Errorf("-run %s: %w", pattern, err)
	}
	var match []string
	for _, t := range p.Targets {
		if re.MatchString(t) {
			match = append(match, t)
		}
	}
	switch {
	case len(match) == 1:
		return match[0], nil
	case len(match) > 1:
		return "", fmt.Errorf("%s: %d fuzz functions: %s (name one: -run '^%s$')", p.ImportPath, len(match), strings.Join(match, ", "), match[0])
	}
	return "", fmt.Errorf("%s: no fuzz function matches -run %s (there are %s)", p.ImportPath, pattern, strings.Join(p.Targets, ", "))
}

// Rel is the package's folder relative to its module's.
func (p *Package) Rel() (string, error) { return filepath.Rel(p.Module.Dir, p.Dir) }

// run runs the go command and returns its output; what it says on standard
// error becomes the error.
func run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = rewrite.GoEnv(dir)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if said.Len() == 0 {
		return nil, fmt.Errorf("%s: %w", strings.Join(args[:2], " "), err)
	}
	return nil, errors.New(strings.TrimSpace(said.String()))
}
