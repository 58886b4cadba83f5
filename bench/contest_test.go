package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/bench/trial"
)

func TestSettings(t *testing.T) {
	s, err := parseSettings(nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if s.seeds != 10 || s.base != "swarm" || len(s.arms) != len(strings.Split(defaultArms, ",")) || !s.measure(measureDepth) {
		t.Errorf("%+v", s)
	}
	if s, err = parseSettings([]string{"-arms", "ours", "-measure", "bins", "-only", "^U"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if len(s.arms) != 1 || s.measure(measureBugs, measureDepth) || s.only.MatchString("H01") {
		t.Errorf("%+v", s)
	}
	for args, want := range map[string]string{
		"-arms swarm,mine":          "-arms swarm,mine: no arm \"mine\" (there are swarm, swarm-1600, ",
		"-arms swarm,swarm":         "-arms swarm,swarm: arm swarm twice",
		"-arms ours,edges":          "-base swarm is not in -arms ours,edges (add it, or name another)",
		"-arms ours,go -base ours":  "-arms: go needs swarm",
		"-only (":                   "-only (: ",
		"-measure bugs,speed":       "-measure: no measure \"speed\" (there are bugs, bins, depth)",
		"-seeds 0":                  "-seeds 0 (at least 1)",
		"-j 0":                      "-j 0 (at least 1)",
		"-o none/table.md":          "-o none/table.md: there is no such folder",
		"-execs 0":                  "-execs and -states are at least 1",
		"-seeds 1 swarm":            "swarm: the benchmark takes flags alone",
		"-mutants none.rules -only": "flag needs an argument",
	} {
		if _, err := parseSettings(strings.Fields(args), io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	var said bytes.Buffer
	if _, err := parseSettings([]string{"-h"}, &said); !errors.Is(err, flag.ErrHelp) || !strings.Contains(said.String(), "One eq is\n200 events") {
		t.Errorf("%v\n%s", err, said.String())
	}
}

// rules are one fault that random search finds at once: everybody votes for
// everybody.
const rules = "mutant vote-twice\nfile raft.go\n" +
	"find \"canVote := r.Vote == m.GetFrom() ||\"\nreplace \"canVote := true ||\"\n"

// TestContest plays two arms, and AFL++ if it is there, for one seed, and then takes the cells from what
// that has printed.
func TestContest(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a target")
	}
	t.Chdir("..")
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(file("rules"), []byte(rules), 0o666); err != nil {
		t.Fatal(err)
	}
	arms := "swarm,ours"
	if newestTool() != nil {
		arms += ",afl-edges"
	}
	n := strings.Count(arms, ",") + 1
	args := []string{"-mutants", file("rules"), "-only", "^vote-twice$", "-measure", "bugs", "-seeds", "1", "-execs", "500", "-arms", arms}
	var out, said bytes.Buffer
	if err := contest(t.Context(), append(args, "-json"), &out, &said); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var cells, summaries int
	for dec := json.NewDecoder(bytes.NewReader(out.Bytes())); dec.More(); {
		var l line
		if err := dec.Decode(&l); err != nil {
			t.Fatal(err)
		}
		switch l.Type {
		case "origin":
			continue
		case "summary":
			summaries++
			continue
		}
		cells++
		if c := l.Cell; !c.Found || c.Subject != "vote-twice" || c.Key == "" || c.Seed != 1001 || c.Eq <= 0 || c.Eq > 500 || c.CPU <= 0 {
			t.Errorf("%+v", c)
		}
	}
	if cells != n || summaries != 2*n {
		t.Errorf("%d cells and %d summaries, want %d and twice as many, for all and for the easy:\n%s", cells, summaries, n, out.String())
	}
	if err := os.WriteFile(file("cells"), append(out.Bytes(), `{"Type":"cell","Cell":{"Mea`...), 0o666); err != nil { // killed
		t.Fatal(err)
	}
	out.Reset()
	if err := contest(t.Context(), append(args, "-from", file("cells"), "-o", file("table.md")), &out, &said); err != nil {
		t.Fatal(err)
	}
	last := out.String()[strings.LastIndex(strings.TrimSpace(out.String()), "\n")+1:]
	if !regexp.MustCompile(`^ours: found 1 of 1 cells, [0-9.]+ without interval of swarm in eq, .* in CPU\n$`).MatchString(last) {
		t.Errorf("last line: %s", last)
	}
	table, err := os.ReadFile(file("table.md"))
	if err != nil || !strings.Contains(string(table), "| vote-twice | easy | 1/1, ") {
		t.Errorf("%v\n%s", err, table)
	}
}

// TestCellsOfAnotherRun: those of another commit or machine are refused, those
// of another budget are played again.
func TestCellsOfAnotherRun(t *testing.T) {
	s, err := parseSettings([]string{"-execs", "500"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	b := &board{settings: s, stdout: io.Discard, stderr: io.Discard, origin: origin{Commit: "b", Date: "2026-02-02"}}
	if err := b.take(line{Type: "origin", Origin: &origin{Commit: "a", Date: "2026-01-01"}}); err == nil || !strings.Contains(err.Error(), "of , , commit a, and this is , , commit b") {
		t.Errorf("%v", err)
	}
	if err := b.take(line{Type: "origin", Origin: &origin{Commit: "b", Date: "2026-01-01"}}); err != nil || b.origin.Date != "2026-01-01" {
		t.Errorf("%v, %+v", err, b.origin)
	}
	for _, budget := range []float64{400, 500, 500} {
		c := trial.Cell{Measure: trial.Bugs, Subject: "a fault", Arm: "ours", Seed: 1001, Budget: budget}
		if err := b.take(line{Type: "cell", Cell: &c}); err != nil {
			t.Fatal(err)
		}
	}
	if len(b.cells) != 1 || b.cells[0].Budget != 500 {
		t.Errorf("%+v", b.cells)
	}
}
