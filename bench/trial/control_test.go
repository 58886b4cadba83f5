package trial

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/bench/mutant"
)

// harness fails on x, and panics on p.
const harness = `package harness

import "testing"

func FuzzRaft(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		switch string(b) {
		case "x":
			t.Fatal("event 3: two leaders: nodes 1 and 2")
		case "p":
			panic("index out of range")
		}
	})
}
`

// TestControl: a find is one of the fault unless the module as it is fails in
// the same way.
func TestControl(t *testing.T) {
	root := t.TempDir()
	example := filepath.Join(root, Example)
	if err := os.MkdirAll(example, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/harness\n\ngo 1.21\n", "raft_test.go": harness} {
		if err := os.WriteFile(filepath.Join(example, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := NewControl(t.Context(), root, filepath.Join(t.TempDir(), "control"))
	if err != nil {
		t.Fatal(err)
	}
	fault := &Stand{Subject: Mutated(&mutant.Mutant{Name: "fault"})}
	for _, k := range []struct {
		subject *Stand
		find    find
		counts  bool
	}{
		{fault, find{[]byte("y"), "two leaders"}, true},
		{fault, find{[]byte("x"), "two leaders"}, false},
		{fault, find{[]byte("x"), "stale read"}, true},
		{fault, find{[]byte("x"), ""}, false},
		{fault, find{[]byte("p"), ""}, false},
		{fault, find{[]byte("p"), "two leaders"}, true},
		{&Stand{Subject: Natural[0]}, find{[]byte("x"), "two leaders"}, true},
	} {
		cell := Cell{Found: true, Key: "the key"}
		if err := c.review(t.Context(), k.subject, &cell, k.find); err != nil {
			t.Fatal(err)
		}
		if cell.Found != k.counts || strings.Contains(cell.Note, "the key") == k.counts {
			t.Errorf("%s, %q: %+v", k.find.input, k.find.oracle, cell)
		}
	}
}
