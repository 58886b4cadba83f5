package rewrite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/ijongo/ijongo"
	"github.com/ijongo/ijongo/annot"
)

var (
	everything = flag.String("packages", "",
		"what TestEverything instruments, separated by spaces: PATTERN[@VERSION] of any module, or std[/PATTERN] for what can be copied out of the standard library")
	cross  = flag.String("cross", "", "systems to build copies for too, such as windows/amd64, separated by spaces")
	suites = flag.Bool("suites", false, "let TestEverything run the tests of the packages too")
)

// TestEverything instruments modules that nobody wrote for it. Each is copied,
// instrumented, built and vetted. Vet must say of the instrumented copy what it
// says of the original, and the line tables of the compiled packages must
// agree: they are what a panic, runtime.Caller and a debugger print. An error
// with a position is as good, if the module is at fault.
//
//	go test ./rewrite -run Everything -packages 'go.etcd.io/raft/v3/... std' -v
func TestEverything(t *testing.T) {
	patterns := strings.Fields(*everything)
	if len(patterns) == 0 {
		if testing.Short() {
			t.Skip("builds packages of the standard library twice")
		}
		patterns = []string{"std/container/...", "std/text/...", "std/encoding/..."}
	}
	var results []*result
	for _, pattern := range patterns {
		t.Run(strings.NewReplacer("/", "_", ".", "_").Replace(pattern), func(t *testing.T) {
			r := &result{pattern: pattern}
			results = append(results, r)
			r.check(t)
		})
	}
	t.Log("\n" + table(results))
}

// result is a row of the table.
type result struct {
	pattern                   string
	packages, files, counters int
	functions                 int // whose lines were compared
	instrument                time.Duration
	outcome                   string
	dir, copy, in             string // folders of original and copy, and the pattern inside
}

func table(results []*result) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 1, ' ', tabwriter.AlignRight|tabwriter.Debug)
	fmt.Fprintln(w, "pattern\tpackages\tfiles\tcounters\tfunctions\tseconds\tresult\t")
	for _, r := range results {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.1f\t%s\t\n", r.pattern, r.packages, r.files, r.counters, r.functions, r.instrument.Seconds(), r.outcome)
	}
	w.Flush()
	return b.String()
}

func (r *result) check(t *testing.T) {
	r.outcome = "FAILED"
	if name, ok := strings.CutPrefix(r.pattern, "std"); ok && (name == "" || name[0] == '/') {
		r.dir, r.in = copyStd(t, strings.TrimPrefix(name, "/")), "./..."
	} else {
		r.fetch(t)
	}
	r.copy = filepath.Join(t.TempDir(), "copy")
	start := time.Now()
	p, err := NewPlan(context.Background(), Config{
		Dir: r.dir, Patterns: []string{r.in}, Out: r.copy, Generated: true, Target: ijongo.Target,
	})
	if err == nil {
		if err = p.Err(); err == nil {
			err = p.Write(context.Background())
		}
	}
	r.instrument = time.Since(start)
	var faults annot.Errors
	if errors.As(err, &faults) && faults[0].Pos.Line > 0 {
		r.outcome = "error: " + faults[0].Error()
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	r.packages, r.counters = len(p.Packages), len(p.Counters)
	for _, q := range p.prog.pkgs {
		r.files += len(q.edited())
	}
	run(t, r.copy, "go", "build", r.in)
	r.compareBuilds(t, strings.Fields(*cross))
	r.compareVet(t)
	r.comparePositions(t, p.prog)
	if *suites {
		r.compareTests(t)
	}
	if !t.Failed() {
		r.outcome = "ok"
	}
}

// run runs a command that must succeed.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := try(dir, args...)
	if err != nil {
		t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return out
}

// try returns what a command writes to standard output.
func try(dir string, args ...string) (string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, GoEnv(dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String() + stderr.String(), fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	return stdout.String(), nil
}

// fetch copies the module that has the packages out of the module cache.
func (r *result) fetch(t *testing.T) {
	pattern, version, versioned := strings.Cut(r.pattern, "@")
	if !versioned {
		version = "latest"
	}
	var mod struct{ Path, Version, Dir string }
	root := strings.TrimSuffix(pattern, "/...")
	for name := root; mod.Dir == ""; name = path.Dir(name) {
		if name == "." {
			t.Fatalf("no module has %s", pattern)
		}
		if out, err := try(t.TempDir(), "go", "mod", "download", "-json", name+"@"+version); err == nil {
			if err := json.Unmarshal([]byte(out), &mod); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.pattern = pattern + "@" + mod.Version
	r.in = "." + strings.TrimPrefix(pattern, mod.Path)
	r.dir = filepath.Join(t.TempDir(), "original")
	if err := os.CopyFS(r.dir, os.DirFS(mod.Dir)); err != nil {
		t.Fatal(err)
	}
	dropReplaces(t, r.dir)
	run(t, r.dir, "go", "list", "-mod=mod", "-deps", "-test", r.in)
}

// dropReplaces takes out replacements by folders that the module was published
// without, so that the versions it requires are used.
func dropReplaces(t *testing.T, dir string) {
	name := filepath.Join(dir, "go.mod")
	f, err := parseGoMod(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range append([]*modfile.Replace{}, f.Replace...) {
		if r.New.Version != "" {
			continue
		}
		if err := f.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			t.Fatal(err)
		}
	}
	f.Cleanup()
	data, err := f.Format()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
