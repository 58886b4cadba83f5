package screen

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/wire"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// progress is that of a campaign after n seconds.
func progress(n int) campaign.Progress {
	return campaign.Progress{
		Elapsed: time.Duration(n) * time.Second, Workers: 2, Runs: uint64(30000 * n), PerSec: uint64(30000 + 100*n), Events: uint64(5000000 * n),
		Corpus: 40 * n, Cells: 100 * n, Pairs: 20 * n, Edges: 400 + n, Bins: 60 * n, Goals: 3903,
		Groups:  []campaign.Group{{Covered: 121, Goals: 122}, {Name: "cluster", Covered: 2857, Goals: 3173}, {Name: "node", Covered: 364, Goals: 423}},
		Best:    []campaign.Best{{Verb: "max", Name: "termAtElection", Value: "2339"}, {Verb: "max", Name: "unapplied", Value: "769"}},
		Arms:    []wire.Arm{{Name: "random", Share: 1.0 / 3, Finds: 17}, {Name: "archive", Share: 0.5, Finds: 94}, {Name: "edges", Share: 1.0 / 6, Finds: 12}},
		Checked: 1000, Equal: 998, Wobbling: []string{"set luck"}, Muted: []string{"set term, index"},
		Channels: []wire.Channel{{Name: "edges", Finds: 73}, {Name: "bins", Finds: 136}},
		Finds:    []campaign.Find{{When: 3 * time.Second, Why: "edges+1", For: []string{"edges"}}, {When: 58 * time.Second, Why: "bins+2", For: []string{"cross cluster.election", "point node.role"}}},
		LastFind: time.Duration(n)*time.Second - 2*time.Second, Failures: 1,
	}
}

func shown() *model {
	m := newModel("FuzzRaft of example.com/raft", "seed 1, 2 workers, .ijongo/FuzzRaft", func() {})
	for n := range 61 {
		m.Update(progress(n))
	}
	m.Update(&campaign.Failure{Key: "stale read by a removed leader", Size: 900, Events: true, Hits: 20, Runs: 20})
	m.Update(&campaign.Failure{Key: "stale read by a removed leader", Size: 22, Events: true, Hits: 20, Runs: 20})
	m.Update(&campaign.Failure{Key: "out of memory in raft.grow", Size: 7, Events: true, Hits: 12, Runs: 20})
	return m
}

// TestScreens compares what is drawn at several sizes with testdata.
func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {80, 40}, {120, 30}, {40, 10}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		m := shown()
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		text := ansi.Strip(m.draw())
		lines := strings.Split(text, "\n")
		if len(lines) != size[1] {
			t.Errorf("%s: %d lines", name, len(lines))
		}
		for _, l := range lines {
			if ansi.StringWidth(l) > size[0] {
				t.Errorf("%s: too wide: %q", name, l)
			}
		}
		path := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(trim(text)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if trim(text) != string(want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, text, want)
		}
	}
}

// trim leaves out what no editor keeps.
func trim(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestInstancesOfAFL draws what afl-fuzz says in the place of what only the native
// engine knows.
func TestInstancesOfAFL(t *testing.T) {
	m := newModel("FuzzRaft", "", func() {})
	p := progress(1)
	p.Arms, p.Channels, p.Groups, p.Best = nil, nil, nil, nil
	p.AFL = &campaign.Instances{Stability: 0.995, Crashes: 3, Hangs: 1, Imported: 12, Cycles: 4}
	m.Update(p)
	text := ansi.Strip(m.draw())
	for _, want := range []string{"stability", "99.50 %", "cycle 5", "3 crashes, 1 hangs, 12 imported"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, no := range []string{"second runs", "cells"} {
		if strings.Contains(text, no) {
			t.Errorf("%q in\n%s", no, text)
		}
	}
}

// TestNothingKnownYet draws before the first report, also where there is no room.
func TestNothingKnownYet(t *testing.T) {
	m := newModel("FuzzRaft", "", func() {})
	for _, size := range [][2]int{{0, 0}, {1, 1}, {10, 3}, {200, 5}} {
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		m.draw()
	}
}

// TestAKeyStopsInOrder presses q twice: the second one does not wait.
func TestAKeyStopsInOrder(t *testing.T) {
	stops := 0
	m := newModel("", "", func() { stops++ })
	press := func(key tea.KeyPressMsg) tea.Cmd {
		_, cmd := m.Update(key)
		return cmd
	}
	if cmd := press(tea.KeyPressMsg{Code: 'x', Text: "x"}); cmd != nil || stops != 0 {
		t.Errorf("x stops it")
	}
	if cmd := press(tea.KeyPressMsg{Code: 'q', Text: "q"}); cmd != nil || stops != 1 || m.state != "stopping" {
		t.Errorf("q: %d stops, %s", stops, m.state)
	}
	if cmd := press(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}); cmd == nil || stops != 1 {
		t.Errorf("ctrl-c: %d stops", stops)
	} else if _, ok := cmd().(tea.InterruptMsg); !ok {
		t.Errorf("ctrl-c: %T", cmd())
	}
}

// TestTheHistoryIsBounded reports for a long time.
func TestTheHistoryIsBounded(t *testing.T) {
	m := newModel("", "", func() {})
	for n := range 100000 {
		m.Update(campaign.Progress{Elapsed: time.Duration(n) * time.Second, Edges: n})
	}
	if len(m.past) >= samples || len(m.past) < samples/2 || m.past[0].elapsed > 1000*time.Second {
		t.Errorf("%d samples from %v on", len(m.past), m.past[0].elapsed)
	}
	for i := 1; i < len(m.past); i++ {
		if m.past[i].edges <= m.past[i-1].edges {
			t.Fatalf("%v after %v", m.past[i], m.past[i-1])
		}
	}
}

func TestSpark(t *testing.T) {
	for _, c := range []struct {
		values []float64
		width  int
		want   string
	}{
		{nil, 5, ""},
		{[]float64{0, 0}, 5, "▁▁"},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, "▁▂▃▄▅▆▇█"},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 4, "▂▄▆█"},
	} {
		if got := spark(c.values, c.width); got != c.want {
			t.Errorf("%v in %d: %s, want %s", c.values, c.width, got, c.want)
		}
	}
	if got := bar(0.5, 3) + "|" + bar(0, 2) + "|" + bar(1, 2) + "|" + bar(7, 2) + "|"; got != "█▌ |  |██|██|" {
		t.Errorf("%q", got)
	}
}
