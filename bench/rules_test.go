package main

import (
	"os"
	"testing"

	"github.com/ijongo/ijongo/bench/mutant"
)

// TestRulesApply applies every rule to a copy of etcd/raft.
func TestRulesApply(t *testing.T) {
	f, err := os.Open("mutants.rules")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	mutants, err := mutant.Parse("mutants.rules", f)
	if err != nil {
		t.Fatal(err)
	}
	if len(mutants) != 31 {
		t.Errorf("%d mutants, want 31", len(mutants))
	}
	for _, m := range mutants {
		dir, err := copyModule(t.Context(), raftModule+"@v3.7.0", t.TempDir()+"/raft")
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Apply(dir); err != nil {
			t.Error(err)
		}
	}
}
