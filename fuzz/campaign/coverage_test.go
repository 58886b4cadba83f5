package campaign

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/fuzz/corpus"
)

func testEdges() []*cover.Edge {
	return []*cover.Edge{{Package: "example.com/p", Func: "F", Kind: "func", Pos: "p.go:1:1"}, {Package: "example.com/p", Func: "F", Kind: "then", Pos: "p.go:2:1"}}
}

// covering is config with edges.
func covering(t *testing.T, how string) (Config, *news) {
	c, n := config(t, how)
	c.Edges = testEdges()
	return c, n
}

func profile(t *testing.T, c Config) *cover.Profile {
	t.Helper()
	p, err := cover.Read(c.Folder.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// hits is the sum over the bins of an item.
func hits(i *cover.Item) (n uint64) {
	for _, b := range i.Bins {
		n += b.Hits
	}
	return n
}

// Every bin is in the folder, with the input that hit it first; all workers
// count.
func TestCoverage(t *testing.T) {
	c, _ := covering(t, "")
	c.Workers = 3
	r := mustRun(t, c)
	p := profile(t, c)
	if p.Runs != r.Runs || p.Module != "example.com/p" || r.Bins != 26 || r.Goals != 27 {
		t.Errorf("%d runs of %s; %d of %d bins", p.Runs, p.Module, r.Bins, r.Goals)
	}
	for _, b := range p.Items[0].Bins {
		if (b.Hits == 0) != (b.Name == "digit") || (b.First == "") != (b.Hits == 0) {
			t.Errorf("%+v", b)
		}
		if b.Hits == 0 {
			continue
		}
		input, err := os.ReadFile(filepath.Join(c.Folder.Dir, "coverage", "inputs", b.First))
		if err != nil || corpus.Name(input) != b.First || string(input[0]) != b.Name {
			t.Errorf("%s: %q, %v", b.Name, input, err)
		}
	}
	if n := hits(p.Items[0]); p.Edges[0].Hits != n || p.Edges[1].Hits != 0 || n < c.Execs-3 { // but the seeds
		t.Errorf("%d hits of bins, and edges %d and %d", n, p.Edges[0].Hits, p.Edges[1].Hits)
	}
	manifest, inputs, err := cover.ReadInputs(filepath.Join(c.Folder.Dir, cover.InputsName), 27)
	if err != nil || manifest != p.Manifest || len(inputs) != 26 {
		t.Errorf("%d inputs of %q, %v", len(inputs), manifest, err)
	}
}

// The next campaign adds to what is there, and keeps what came first.
func TestCoverageIsResumed(t *testing.T) {
	c, _ := covering(t, "")
	first := mustRun(t, c)
	before := profile(t, c)
	c.Seed, c.Edges = 2, testEdges()
	second := mustRun(t, c)
	after := profile(t, c)
	if after.Runs != before.Runs+second.Runs || after.Time < before.Time || second.Bins != first.Bins || second.Before != before.Time {
		t.Errorf("%d and %d runs make %d", before.Runs, second.Runs, after.Runs)
	}
	for k, b := range after.Items[0].Bins {
		was := before.Items[0].Bins[k]
		if b.Hits < was.Hits || b.First != was.First || b.When != was.When {
			t.Errorf("%+v, and before %+v", b, was)
		}
	}
	if n := hits(after.Items[0]); after.Edges[0].Hits != n {
		t.Errorf("%d runs through edge 0 with %d hits", after.Edges[0].Hits, n)
	}
}

// Of another version of the program, what this one still has counts.
func TestCoverageOfAProgramThatHasChanged(t *testing.T) {
	c, _ := covering(t, "")
	mustRun(t, c)
	before := profile(t, c)
	changed, n := config(t, "has changed")
	changed.Folder, changed.Edges = c.Folder, testEdges()[:1]
	changed.Edges = append(changed.Edges, &cover.Edge{Package: "example.com/p", Func: "G", Kind: "func", Pos: "p.go:9:1"})
	mustRun(t, changed)
	after := profile(t, c)
	contains(t, "news", n.text.String(), "the target has changed", "example.com/p.F has changed")
	if len(after.Items) != 2 || after.Items[0].Name != "fresh" || hits(after.Items[0]) != 0 || len(after.Items[1].Bins) != 26 {
		t.Fatalf("%+v", after.Items)
	}
	for k, b := range after.Items[1].Bins {
		if was := before.Items[0].Bins[k+1]; b.Name != was.Name || b.Hits != was.Hits || b.First != was.First || b.Only != "" {
			t.Errorf("%+v, and before %+v", b, was)
		}
	}
	if after.Manifest != "has changed" || len(after.Edges) != 2 {
		t.Errorf("manifest %q, %d edges", after.Manifest, len(after.Edges))
	}
}

// A process that dies between its claim of a bin and its word about it does
// not keep the bin.
func TestCoverageAfterADeath(t *testing.T) {
	c, _ := covering(t, "dies before it says so")
	c.KeepGoing = true
	mustRun(t, c)
	p := profile(t, c)
	if d := p.Items[0].Bins[3]; d.First == "" || d.Hits == 0 {
		t.Errorf("%+v", d)
	}
}

// What is in the folder and cannot be read is an error, and stays.
func TestCoverageThatCannotBeRead(t *testing.T) {
	for _, name := range []string{"coverage.txt", cover.InputsName} {
		c, _ := covering(t, "")
		mustRun(t, c)
		path := filepath.Join(c.Folder.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text[:len(text)/2], 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = Run(context.Background(), c)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "delete it") {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := os.ReadFile(path); err != nil || len(now) != len(text)/2 {
			t.Errorf("%s has %d bytes now, %v", name, len(now), err)
		}
	}
}

func TestGoalsThatNothingHas(t *testing.T) {
	c, _ := covering(t, "")
	c.Goal = "speling"
	_, err := Run(context.Background(), c)
	if err == nil || err.Error() != "goal speling: no annotation has it (there are spelling)" {
		t.Error(err)
	}
	c.Goal = "spelling"
	mustRun(t, c)
}

func TestTheManifestIsThatOfTheTarget(t *testing.T) {
	c, _ := covering(t, "")
	c.Edges = c.Edges[:1]
	_, err := Run(context.Background(), c)
	if err == nil || !strings.Contains(err.Error(), "the target has 2 counters, and the manifest of its copy 1") {
		t.Error(err)
	}
}

// What inputs cover is written first. A campaign of another program that was
// killed after that has left a list which is not of this one.
func TestInputsOfAnotherProgram(t *testing.T) {
	c, _ := covering(t, "")
	mustRun(t, c)
	path := c.Folder.covering()
	if err := cover.WriteInputs(path, "another", []cover.Input{{Name: "x", Bins: []int{1 << 20}}}); err != nil {
		t.Fatal(err)
	}
	mustRun(t, c)
	manifest, inputs, err := cover.ReadInputs(path, profile(t, c).Bins())
	if err != nil || manifest != profile(t, c).Manifest || len(inputs) == 0 {
		t.Errorf("%s, %d inputs, %v", manifest, len(inputs), err)
	}
}
