package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ijongo/ijongo/bench/mutant"
)

func ourRules(t *testing.T) []mutant.Mutant {
	t.Helper()
	mutants, err := readRules("mutants.rules")
	if err != nil {
		t.Fatal(err)
	}
	return mutants
}

// TestRulesApply applies every rule to a copy of etcd/raft.
func TestRulesApply(t *testing.T) {
	mutants := ourRules(t)
	if len(mutants) != 31 {
		t.Errorf("%d mutants, want 31", len(mutants))
	}
	for _, m := range mutants {
		dir, err := copyModule(t.Context(), raftModule+"@v3.7.0", filepath.Join(t.TempDir(), "raft"))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Apply(dir); err != nil {
			t.Error(err)
		}
	}
}

// TestEveryRuleHasAWitness: or says what the harness lacks. That the witnesses
// pass in raft as it is, is a test of the example.
func TestEveryRuleHasAWitness(t *testing.T) {
	const dir = "../examples/etcd-raft/testdata/witness"
	names := map[string]bool{}
	for _, m := range ourRules(t) {
		names[m.Name] = true
		if _, err := os.Stat(filepath.Join(dir, m.Name)); (err == nil) != (m.Lacks == "") {
			t.Errorf("%v: %s: witness %v, lacks %q", m.Pos, m.Name, err == nil, m.Lacks)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !names[f.Name()] {
			t.Errorf("witness %s is of no rule", f.Name())
		}
	}
}

// TestWitnessesKill tries two faults; go run ./bench witness tries all.
func TestWitnessesKill(t *testing.T) {
	if testing.Short() {
		t.Skip("builds etcd/raft twice")
	}
	for _, m := range ourRules(t) {
		if m.Name != "H33-stableto-ignores-term" && m.Name != "vote-forgotten-at-restart" {
			continue
		}
		p := proof{example: "../examples/etcd-raft", out: t.Output()}
		if killed, err := p.try(t.Context(), m); err != nil || !killed {
			t.Errorf("%s: killed %v, %v", m.Name, killed, err)
		}
	}
}
