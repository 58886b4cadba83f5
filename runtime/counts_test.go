package ijon_test

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
)

// countsMain counts two edges and what lies beside them, samples its injected
// group, and is killed.
const countsMain = `package main

import (
	"os"

	ijon "github.com/ijongo/ijongo/runtime"
)

func main() {
	for i := 0; i < 300; i++ {
		ijon.Cov[ijon.CovBase]++
	}
	last := len(ijon.Cov) - ijon.CovBase - 1
	ijon.Cov[last] = 7
	ijon.Cov[0], ijon.Cov[len(ijon.Cov)-1] = 1, 1
	for i := ijon.CovBase + 1; i < last; i++ {
		if ijon.Cov[i] != 0 {
			panic(i)
		}
	}
	ijon.Declare(ijon.VerbCover, "declared")
	a, b := new(int), new(int)
	ijon.SampleGroup(0, 1, 0, 0)
	ijon.SampleObject(0, a, 0, 0)
	ijon.SampleObject(0, b, 0, 1)
	ijon.SampleObject(0, a, 0, 1)
	ijon.Always(0, true)
	func() {
		defer ijon.GuardGroup(0)
		panic("the key of a sample")
	}()
	if len(os.Args) > 1 {
		return
	}
	self, _ := os.FindProcess(os.Getpid())
	self.Kill()
	select {}
}
`

// countsLayout is what a rewriter makes of layout.go.
const countsLayout = `package ijon

const (
	modulePath   = "example.com/raft"
	manifestHash = "0123456789abcdef"
	numCounters  = 6400
	declares     = true
)

var injected = []Annotation{{Verb: "always", Name: "term > 0", Key: "example.com/raft.Step#1", Package: "example.com/raft"}}

var injectedGroups = []GroupSpec{{
	Name: "node", Package: "example.com/raft", By: "r",
	Points: []PointSpec{{ItemSpec: ItemSpec{Name: "role"}, Bins: []BinInfo{{Name: "follower"}, {Name: "leader"}}}},
	Trans:  []TransSpec{{ItemSpec: ItemSpec{Name: "role"}, All: true}},
}}

var dictionary = []string{}
`

// buildCounts builds countsMain with the runtime as it is in a copy that
// measures coverage, and in the oldest Go that it may be copied into.
func buildCounts(t *testing.T) (exe string) {
	t.Helper()
	dir := t.TempDir()
	var sources []string
	for _, pattern := range []string{"*.go", "afl/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, found...)
	}
	files := map[string]string{
		"go.mod":  "module github.com/ijongo/ijongo\n\ngo 1.17\n",
		"main.go": countsMain,
	}
	for _, name := range sources {
		if !strings.HasSuffix(name, "_test.go") {
			files["runtime/"+name] = string(read(t, name))
		}
	}
	files["runtime/layout.go"] = countsLayout
	if err := os.MkdirAll(filepath.Join(dir, "runtime", "afl"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	exe = filepath.Join(dir, "counts")
	cmd := exec.Command("go", "build", "-tags", "ijongo_counts", "-o", exe, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return exe
}

func TestEdgeCountsSurviveTheProcess(t *testing.T) {
	exe := buildCounts(t)
	dir := t.TempDir()
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), ijon.EnvCoverDir+"="+dir)
	out, err := cmd.CombinedOutput()
	if err == nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	d, base := covered(t, dir)
	if d.Module != "example.com/raft" || d.Manifest != "0123456789abcdef" {
		t.Errorf("description of %s, %s", d.Module, d.Manifest)
	}
	want := []string{
		"always held 1 times, first in 0", "always evaluated 1 times, first in 0",
		"point follower 2 times, first in 0", "point leader 2 times, first in 0", "point skipped 1 times, first in 0",
		"trans follower=>leader 1 times, first in 0",
	}
	if got := hits(t, d, base); !reflect.DeepEqual(got, want) {
		t.Errorf("hits %q, want %q", got, want)
	}
	if last := d.Items[len(d.Items)-1]; last.Name != "declared" {
		t.Errorf("the last item is %q", last.Name)
	}
	edges := read(t, base+".edges")
	count := func(i int) uint32 { return binary.LittleEndian.Uint32(edges[d.EdgesAt+4*i:]) }
	if d.Edges != 6400 || count(0) != 300 || count(1) != 0 || count(6399) != 7 {
		t.Errorf("%d edges, counts %d, %d, …, %d", d.Edges, count(0), count(1), count(6399))
	}
	if n := len(edges); n%os.Getpagesize() != 0 || n >= 4*6400+2*os.Getpagesize() {
		t.Errorf("the file has %d bytes", n)
	}
	if out, err := exec.Command(exe, "return").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("without a folder: %v: %s", err, out)
	}
}
