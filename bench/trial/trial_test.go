package trial

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

func at(events uint64) *wire.Spent {
	return &wire.Spent{Events: events, CPU: time.Duration(events) * time.Millisecond}
}

func newWatcher(measure string) *watcher {
	w := &watcher{cell: Cell{Measure: measure}, best: map[int32]float64{}, stop: func() {}}
	if measure == States {
		w.desc = &wire.Description{
			Annotations: []wire.Site{{Verb: "max", Name: "lag"}, {Verb: "min", Name: "gap"}},
			Items: []ijon.Item{
				{Kind: "point", Group: "node", Name: "role", Bins: []ijon.BinInfo{{Name: "L"}}},
				{Kind: "cross", Group: "cluster", Name: "election", First: 1, Bins: []ijon.BinInfo{{Name: "L*C"}, {Name: "outside", Kind: ijon.Info}}},
			},
		}
	}
	return w
}

// TestFind: what a find costs is told with the failure, not with its
// confirmation.
func TestFind(t *testing.T) {
	w := newWatcher(Bugs)
	w.heard(wire.Message{Stats: new(wire.Stats), Spent: at(100)})
	w.heard(wire.Message{Failure: new(wire.Outcome), Spent: at(400)})
	w.heard(wire.Message{Stats: new(wire.Stats), Spent: at(800)})
	w.failed(&campaign.Failure{Key: "two leaders", Hits: 20})
	w.end(Plan{Budget: 10})
	if c := w.cell; !c.Found || c.Key != "two leaders" || c.Cost != (Cost{2, 0.4}) {
		t.Errorf("%+v", c)
	}
}

func TestNoFind(t *testing.T) {
	w := newWatcher(Bugs)
	w.heard(wire.Message{Failure: new(wire.Outcome), Spent: at(400)})
	w.failed(&campaign.Failure{Key: "a shadow"})
	w.heard(wire.Message{Stats: new(wire.Stats), Spent: at(600)})
	w.end(Plan{Budget: 10})
	if c := w.cell; c.Found || c.Cost != (Cost{3, 0.6}) || !strings.Contains(c.Note, "a shadow") {
		t.Errorf("what did not come again: %+v", c)
	}
	w = newWatcher(Bugs)
	w.heard(wire.Message{Failure: new(wire.Outcome), Spent: at(2200)})
	w.failed(&campaign.Failure{Key: "two leaders", Hits: 20})
	w.end(Plan{Budget: 10})
	if c := w.cell; c.Found || c.Eq != 10 {
		t.Errorf("behind the budget: %+v", c)
	}
}

// TestStates: of bins those of the frozen groups that are goals, of
// annotations those that ask for a maximum.
func TestStates(t *testing.T) {
	w := newWatcher(States)
	w.heard(wire.Message{Covered: &wire.Covered{First: []uint32{0, 1, 2}}, Spent: at(200)})
	for i, v := range []string{"3", "3", "7"} {
		w.heard(wire.Message{Stats: &wire.Stats{Best: []wire.Best{{ID: 0, Value: v}, {ID: 1, Value: v}}}, Spent: at(uint64(200 * (i + 1)))})
	}
	w.end(Plan{Budget: 3})
	c := w.cell
	if len(c.Hits) != 1 || c.Hits[0] != (Hit{"cross cluster.election L*C", Cost{1, 0.2}}) {
		t.Errorf("%+v", c.Hits)
	}
	if len(c.Best) != 2 || c.Best[1] != (Best{"lag", 7, Cost{3, 0.6}}) {
		t.Errorf("%+v", c.Best)
	}
	if c.Cost != (Cost{3, 0.6}) {
		t.Errorf("%+v", c.Cost)
	}
}

// TestExampleIsCopiedWithoutFinds: what a campaign left beside the example
// would be a seed of every cell.
func TestExampleIsCopiedWithoutFinds(t *testing.T) {
	root, to := t.TempDir(), t.TempDir()
	example := filepath.Join(root, Example)
	for name, text := range map[string]string{
		"go.mod": "module example.com/harness\n", "raft.ijon": "ijon 1\n", "testdata/raft/save.go": "package raft\n",
		"testdata/fuzz/FuzzRaft/found": "go test fuzz v1\n", ".ijongo/FuzzRaft/stats.jsonl": "{}\n",
	} {
		path := filepath.Join(example, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyExample(t.Context(), root, to, "/raft"); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(to, "go.mod"))
	if err != nil || !strings.Contains(string(mod), "go.etcd.io/raft/v3 => /raft") || !strings.Contains(string(mod), root) {
		t.Errorf("%v\n%s", err, mod)
	}
	for name, want := range map[string]bool{"raft.ijon": true, "testdata/raft/save.go": true, "testdata/fuzz": false, ".ijongo": false} {
		if _, err := os.Stat(filepath.Join(to, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
