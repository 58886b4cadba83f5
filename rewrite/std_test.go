package rewrite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// stdModule is the module of packages copied out of the standard library.
const stdModule = "example.com/std"

// copyStd makes a module of those packages of the standard library that build
// outside of it. Internal packages are copied too, and imported from there;
// packages that the runtime or the compiler treats in a special way do not
// build and are left out again, with those that import them.
func copyStd(t *testing.T, pattern string) string {
	dir := filepath.Join(t.TempDir(), "original")
	if pattern == "" {
		pattern = "std"
	}
	copied := map[string]string{}
	out := run(t, t.TempDir(), "go", "list", "-deps", "-f", "{{.ImportPath}}\t{{.Dir}}", pattern)
	wanted := strings.Fields(run(t, t.TempDir(), "go", "list", pattern))
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		name, from, _ := strings.Cut(line, "\t")
		if slices.Contains(wanted, name) || !importable(name) {
			copied[name] = from
		}
	}
	for name, from := range copied {
		copyPackage(t, from, filepath.Join(dir, filepath.FromSlash(moved(name))), copied)
	}
	version, _, _ := strings.Cut(strings.TrimPrefix(runtime.Version(), "go"), " ")
	gomod := fmt.Sprintf("module %s\n\ngo %s\n", stdModule, version)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(gomod), 0o644); err != nil {
		t.Fatal(err)
	}
	for bad := broken(t, dir); len(bad) > 0; bad = broken(t, dir) {
		for name := range bad {
			removePackage(t, filepath.Join(dir, strings.TrimPrefix(name, stdModule)))
		}
	}
	return dir
}

// importable tells whether code outside the standard library may import a
// package of it.
func importable(name string) bool {
	return !strings.Contains("/"+name+"/", "/internal/") && !strings.HasPrefix(name, "vendor/")
}

// moved is the folder of a copied package. The go command would take one named
// vendor for its own.
func moved(name string) string {
	if rest, ok := strings.CutPrefix(name, "vendor/"); ok {
		return "third/" + rest
	}
	return name
}

// copyPackage copies the files of one package without its tests, and lets it
// import the copies of internal packages.
func copyPackage(t *testing.T, from, to string, copied map[string]string) {
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		name := d.Name()
		if d.IsDir() || strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".go") {
			data = redirect(t, name, data, copied)
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// redirect changes the imports of internal packages.
func redirect(t *testing.T, name string, src []byte, copied map[string]string) []byte {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var e edits
	for _, imp := range f.Imports {
		path, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if copied["vendor/"+path] != "" {
			path = "vendor/" + path
		}
		if copied[path] != "" && !importable(path) {
			from := fset.Position(imp.Path.Pos()).Offset
			e.replace(from, from+len(imp.Path.Value), strconv.Quote(stdModule+"/"+moved(path)))
		}
	}
	return e.apply(src, func(int) string { return "" })
}

func removePackage(t *testing.T, dir string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		if d.IsDir() {
			continue
		}
		if err := os.Remove(filepath.Join(dir, d.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

var failedPackage = regexp.MustCompile(`(?m)^(?:# )?(` + stdModule + `/[^\s:]+)|^(\S+)/[^/\s]+\.go:\d+:\d+: `)

// broken finds packages that do not build.
func broken(t *testing.T, dir string) map[string]bool {
	bad := map[string]bool{}
	out := run(t, dir, "go", "list", "-e", "-json=ImportPath,Error,DepsErrors", "./...")
	for dec := json.NewDecoder(bytes.NewReader([]byte(out))); ; {
		var p struct {
			ImportPath string
			Error      *struct{}
			DepsErrors []struct{}
		}
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.Error != nil || len(p.DepsErrors) > 0 {
			bad[p.ImportPath] = true
		}
	}
	if len(bad) > 0 {
		return bad
	}
	out, err := try(dir, "go", "build", "./...")
	if err == nil {
		return nil
	}
	for _, m := range failedPackage.FindAllStringSubmatch(out, -1) {
		bad[m[1]+m[2]] = true
	}
	if len(bad) == 0 {
		t.Fatal(err)
	}
	return bad
}
