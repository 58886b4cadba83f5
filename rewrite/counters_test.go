package rewrite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// count inserts a counter at every site of a file, as the copy has them.
func count(name string, src []byte) ([]byte, int, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, 0, err
	}
	tok := fset.File(f.FileStart)
	var e edits
	n := 0
	planned := sites(tok, f, nil)
	e.grow(len(planned))
	for _, s := range planned {
		if s.kind == "" {
			e.insert(s.at, s.before)
			continue
		}
		e.insert(s.at, s.before+increment("ijongo_c", n)+s.after)
		n++
	}
	return e.apply(src, lineMap{tok, src}.restore), n, nil
}

// TestEveryPosition instruments a part of the standard library and looks at the result:
// it parses, no line was added, and each identifier of the original is there,
// in the same order and at the same position.
func TestEveryPosition(t *testing.T) {
	roots := []string{"net/http", "regexp", "text", "sync"}
	if !testing.Short() {
		roots = append(roots, "runtime", "go/types", "reflect", "encoding", "database", "internal/trace", "cmd/cgo")
	}
	files := 0
	for _, root := range roots {
		dir := filepath.Join(build.Default.GOROOT, "src", root)
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata") {
				return err
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			files++
			checkPositions(t, name, src)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files == 0 {
		t.Fatal("no files")
	}
}

func checkPositions(t *testing.T, name string, src []byte) {
	t.Helper()
	out, _, err := count(name, src)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	if bytes.Count(src, []byte("\n")) != bytes.Count(out, []byte("\n")) {
		t.Errorf("%s: lines were added", name)
	}
	before, err := identifiers(name, src)
	if err != nil {
		t.Error(err)
	}
	after, err := identifiers(name, out)
	if err != nil {
		t.Errorf("instrumented: %v", err)
	}
	for i := range min(len(before), len(after)) {
		if before[i] != after[i] {
			t.Errorf("%s became %s", before[i], after[i])
			return
		}
	}
	if len(before) != len(after) {
		t.Errorf("%s: %d identifiers became %d", name, len(before), len(after))
	}
}

// identifiers lists the names in a file that are not ours, each with its
// position.
func identifiers(name string, src []byte) ([]string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var list []string
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name != "ijongo_c" {
			list = append(list, fset.Position(id.Pos()).String()+": "+id.Name)
		}
		return true
	})
	return list, nil
}

// TestSites shows where counters go.
func TestSites(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"one line", `func f() int { return 1 }`, `func f() int {C; return 1 }`},
		{"empty body", `func f() {}`, `func f() {C;}`},
		{"no body", `func f()`, `func f()`},
		{"absent else", `func f() { if a { b() } }`, `func f() { if a {C; b() } else {C} }`},
		{"else if", `func f() { if a { } else if b { } else { } }`, `func f() { if a {C; } else if b {C; } else {C; } }`},
		{"else if that calls", `func f() { if a { } else if b() { } }`, `func f() { if a {C; } else {C;if b() {C; } else {C}} }`},
		{"straight into an if", `func f() { x := len(a[1:]); if x > int(y) { } }`, `func f() { x := len(a[1:]); if x > int(y) {C; } else {C} }`},
		{"a call before an if", `func f() { g(); if a { } }`, `func f() {C; g(); if a {C; } else {C} }`},
		{"a call in an if", `func f() { if g(); a { } }`, `func f() {C; if g(); a {C; } else {C} }`},
		{"receive before an if", `func f() { x := <-c; if x { } }`, `func f() {C; x := <-c; if x {C; } else {C} }`},
		{"if in an if", `func f() { if a { if b { } } }`, `func f() { if a { if b {C; } else {C} } else {C} }`},
		{"if in a loop", `func f() { for a { if b { } } }`, `func f() {C; for a { if b {C; } else {C} } }`},
		{"label before an if", `func f() { l: if a { }; goto l }`, `func f() {C; l:C; if a {C; } else {C}; goto l }`},
		{"after a loop", `func f() { for a { break }; b() }`, `func f() {C; for a {C; break }; b() }`},
		{"after a loop that returns", `func f() { for a { return }; b() }`, `func f() {C; for a {C; return }; C;b() }`},
		{"after a loop that panics", `func f() { for a { panic(1) }; b() }`, `func f() {C; for a {C; panic(1) }; C;b() }`},
		{"after a loop that leaves another", `func f() { l: for a { for b { break l }; c() } }`, `func f() {C; l: for a {C; for b {C; break l }; C;c() } }`},
		{"after a range that goes", `func f() { for range a { goto l }; b(); l: }`, `func f() {C; for range a {C; goto l }; C;b(); l:C; }`},
		{"an if after a loop that returns", `func f() { for a { return }; if b { } }`, `func f() {C; for a {C; return }; if b {C; } else {C} }`},
		{"a literal's return", `func f() { for a { _ = func() { return } }; b() }`, `func f() {C; for a {C; _ = func() {C; return } }; b() }`},
		{"last loop", `func f() { for a { } }`, `func f() {C; for a {C; } }`},
		{"endless loop", `func f() { for { }; b() }`, `func f() {C; for {C; }; b() }`},
		{"loop that breaks", `func f() { for { break }; b() }`, `func f() {C; for {C; break }; b() }`},
		{"break of an inner loop", `func f() { for { for { break } }; b() }`, `func f() {C; for {C; for {C; break } }; b() }`},
		{"switch", `func f() { switch a { case 1: b(); case 2: } }`, `func f() { switch a { case 1:C; b(); case 2:C; ;default:C;} }`},
		{"switch that calls", `func f() { switch { case a(): } }`, `func f() {C; switch { case a():C; ;default:C;} }`},
		{"type switch", `func f() { switch x := y.(type) { case int: if a { } } }`, `func f() { switch x := y.(type) { case int: if a {C; } else {C} ;default:C;} }`},
		{"after a switch", `func f() { switch a { default: }; b() }`, `func f() { switch a { default:C; }; b() }`},
		{"switch without clauses", `func f() { switch { } }`, `func f() { switch { default:C;} }`},
		{"fallthrough", `func f() { switch { case a: fallthrough; default: } }`, `func f() { switch { case a:C; fallthrough; default:C; } }`},
		{"select", `func f() { select { case <-a: b() } }`, `func f() {C; select { case <-a:C; b() } }`},
		{"select without clauses", `func f() { select { } }`, `func f() {C; select { } }`},
		{"label of a loop", `func f() { l: for a { continue l } }`, `func f() {C; l: for a {C; continue l } }`},
		{"label of a goto", `func f() { l: b(); goto l }`, `func f() {C; l:C; b(); goto l }`},
		{"label of both", `func f() { l: for a { break l }; goto l }`, `func f() {C; l: for a {C; break l }; goto l }`},
		{"literal", `func f() { g(func() { h() }) }`, `func f() {C; g(func() {C; h() }) }`},
		{"package literal", `var f = func() { }`, `var f = func() {C; }`},
		{"nosplit", "//go:nosplit\nfunc f() { a() }", "//go:nosplit\nfunc f() { a() }"},
		{"detached nosplit", "//go:nosplit\n\n// Comment.\nfunc f() { a() }", "//go:nosplit\n\n// Comment.\nfunc f() { a() }"},
		{"nosplit of another", "//go:nosplit\nfunc f() { }\nfunc g() { }", "//go:nosplit\nfunc f() { }\nfunc g() {C; }"},
	} {
		const header = "package p\n"
		out, n, err := count("p.go", []byte(header+test.src))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := strings.TrimPrefix(string(out), header)
		for i := range n {
			got = strings.ReplaceAll(got, fmt.Sprintf("ijongo_c[4096+%d]++", i), "C")
		}
		for {
			from, to := strings.Index(got, "/*line"), strings.Index(got, "*/")
			if from < 0 {
				break
			}
			got = got[:from] + got[to+2:]
		}
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// BenchmarkCount parses etcd/raft, and parses and instruments it, without
// types.
func BenchmarkCount(b *testing.B) {
	sources, size := raftSources(b)
	b.Run("parse", func(b *testing.B) {
		measure(b, sources, size, func(name string, src []byte) error {
			_, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
			return err
		})
	})
	b.Run("instrument", func(b *testing.B) {
		measure(b, sources, size, func(name string, src []byte) error {
			_, _, err := count(name, src)
			return err
		})
	})
}

// measure reports bytes by the CPU time, which other work on the machine
// changes less than the time by the clock.
func measure(b *testing.B, sources map[string][]byte, size int64, do func(string, []byte) error) {
	b.SetBytes(size)
	b.ReportAllocs()
	start := cpu(b)
	for b.Loop() {
		for name, src := range sources {
			if err := do(name, src); err != nil {
				b.Fatal(err)
			}
		}
	}
	used := cpu(b) - start
	b.ReportMetric(float64(size)*float64(b.N)/1e6/used.Seconds(), "MB/cpu-s")
}

func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func raftSources(b *testing.B) (map[string][]byte, int64) {
	out, err := exec.Command("go", "mod", "download", "-json", "go.etcd.io/raft/v3@v3.7.0").Output()
	if err != nil {
		b.Skipf("no etcd/raft: %v", err)
	}
	var mod struct{ Dir string }
	if err := json.Unmarshal(out, &mod); err != nil {
		b.Fatal(err)
	}
	sources, size := map[string][]byte{}, int64(0)
	err = filepath.WalkDir(mod.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") {
			return err
		}
		src, err := os.ReadFile(name)
		sources[name] = src
		size += int64(len(src))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return sources, size
}
