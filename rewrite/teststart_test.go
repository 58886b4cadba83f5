package rewrite

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ijongo/ijongo"
	"github.com/ijongo/ijongo/cover"
)

// writeFiles makes files by name.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

var tested = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.18\n",
	"p/p.go": `package p

//ijon:group g
//ijon:point n = n ; bins each 0..5
func Run(n int) {
	for i := 0; i < 1000; i++ {
	}
}
`,
	"p/in_test.go": `package p

import (
	"fmt"
	tt "testing"
)

type ijongo_start struct{}

func TestOne(t *tt.T)       { Run(1) }
func TestMain(m *tt.M)      { Run(0); m.Run() }
func BenchmarkTwo(b *tt.B)  { Run(2) }
func Example_three()        { Run(3); fmt.Println("3") /* Output: 3 */ }
func helper(t *tt.T)        { t.Helper() }
func (ijongo_start) TestX() {}
`,
	"p/out_test.go": `package p_test

import (
	"testing"

	"example.com/m/p"
)

func FuzzFour(f *testing.F) {
	f.Add(4)
	f.Fuzz(func(t *testing.T, n int) { p.Run(n) })
}

func TestFive(t *testing.T) { p.Run(5); p.Run(1) }
`,
}

// Tests say when they start, so that a bin is put down to the one that hit it
// first, and the edge counters of such a copy do not wrap.
func TestCoverageOfTests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and tests a module")
	}
	dir, out, raw := t.TempDir(), filepath.Join(t.TempDir(), "copy"), t.TempDir()
	writeFiles(t, dir, tested)
	c := Config{Dir: dir, Patterns: []string{"./..."}, Out: out, Target: ijongo.Target, Tests: true, Counts: true, Trimpath: true}
	if _, err := Instrument(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = out
		cmd.Env = append(GoEnv(out), "IJONGO_COVERDIR="+raw)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, said)
		}
	}
	run("vet", "./...")
	run("test", "-bench", ".", "-benchtime", "1x", "./...")
	p, err := cover.ReadRaw(raw, filepath.Join(out, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var first []string
	for _, b := range p.Items[0].Bins {
		first = append(first, strings.TrimPrefix(b.First, "example.com/m/p."))
	}
	want := []string{"", "TestOne", "BenchmarkTwo", "Example_three", "FuzzFour", "TestFive"}
	if !slices.Equal(first[:len(want)], want) {
		t.Errorf("first hits by %q, want %q", first, want)
	}
	if i := slices.IndexFunc(p.Edges, func(e *cover.Edge) bool { return e.Kind == "loop" }); p.Edges[i].Hits != 7000 {
		t.Errorf("the loop was entered %d times, want 1000 for each of 7 calls", p.Edges[i].Hits)
	}
}

func TestNamesOfTests(t *testing.T) {
	for name, want := range map[string]bool{"Test": true, "TestA": true, "Test_a": true, "Test1": true, "Testing": false, "Testä": false, "testA": false, "MyTest": false} {
		if isTestName(name, "Test") != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}

// A copy without Tests and Counts has tests that are the user's to the byte,
// and counters of a byte.
func TestNoCoverageOfTests(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	writeFiles(t, dir, tested)
	if _, err := Instrument(context.Background(), Config{Dir: dir, Patterns: []string{"./..."}, Out: out, Target: ijongo.Target}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"p/in_test.go", "p/out_test.go"} {
		have, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !bytes.Equal(have, []byte(tested[name])) {
			t.Errorf("%s differs from the original (%v)", name, err)
		}
	}
	names, err := filepath.Glob(filepath.Join(out, "_ijongo", runtimeModule, "runtime", "cov*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if filepath.Base(name) == "cov_counts.go" {
			t.Errorf("%s is in the copy", name)
		}
	}
}
