package fuzz_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// results reads all messages of a search.
func results(p *process) (failures []*wire.Outcome, last *wire.Stats) {
	for {
		m := p.message()
		switch {
		case m == nil:
			return failures, last
		case m.Failure != nil:
			failures = append(failures, m.Failure)
		case m.Stats != nil:
			last = m.Stats
		default:
			p.t.Fatalf("%+v", m)
		}
	}
}

func TestSearchEndsWithItsFirstFailure(t *testing.T) {
	var inputs [2][]byte
	for i := range inputs {
		p := start(t, wire.Config{Mode: wire.Search, Target: "FuzzSlow", Seed: 3, Execs: 100000, MaxLen: 400})
		failures, last := results(p)
		if len(failures) != 1 || last == nil || !last.Done || last.Execs == 100000 {
			t.Fatalf("%+v, %+v\n%s", failures, last, p.output.String())
		}
		f := failures[0]
		if f.Fault != wire.Failed || f.Key != "failed target_test.go:"+line(t, "crashed at once") || !strings.Contains(f.Text, "crashed at once") {
			t.Errorf("%+v", f)
		}
		inputs[i] = f.Input
	}
	if inputs[0][0] != 7 || !reflect.DeepEqual(inputs[0], inputs[1]) {
		t.Errorf("%x and %x", inputs[0], inputs[1])
	}
}

// line is the line of the target in which text stands.
func line(t *testing.T, text string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "target", "target_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	before := strings.SplitN(string(src), text, 2)[0]
	return strconv.Itoa(strings.Count(before, "\n") + 1)
}

// TestSearchPlaysSoManyEvents bounds a search by what it costs, and its runs
// by their length.
func TestSearchPlaysSoManyEvents(t *testing.T) {
	const events, length = 20000, 10
	p := start(t, wire.Config{Mode: wire.Search, Target: "FuzzEmpty", Seed: 1, MaxLen: 400, Events: events, Length: length})
	var last *wire.Message
	for m := p.message(); m != nil; m = p.message() {
		last = m
	}
	if last == nil || last.Stats == nil || last.Spent == nil || !last.Stats.Done {
		t.Fatalf("%+v\n%s", last, p.output.String())
	}
	if n := last.Spent.Events; n < events || n >= events+length || n != last.Stats.Events || last.Spent.CPU <= 0 {
		t.Errorf("%+v, %+v", last.Spent, last.Stats)
	}
	if last.Stats.Execs < events/length {
		t.Errorf("%d runs, want at least %d of at most %d bytes", last.Stats.Execs, events/length, length)
	}
}

func TestSearchGoesOnWhenAskedTo(t *testing.T) {
	p := start(t, wire.Config{Mode: wire.Search, Target: "FuzzSlow", Seed: 3, Execs: 5000, MaxLen: 400, KeepOn: true})
	failures, last := results(p)
	if len(failures) != 1 || last == nil || last.Execs != 5000 {
		t.Errorf("%d failures, %+v", len(failures), last)
	}
}

// TestSearchStopsWhenItsCampaignDoes closes the pipe in a search without end.
func TestSearchStopsWhenItsCampaignDoes(t *testing.T) {
	torn := filepath.Join(t.TempDir(), "torn")
	p := start(t, wire.Config{Mode: wire.Search, Target: "FuzzEmpty", Seed: 1, MaxLen: 64}, "TEARDOWN="+torn)
	if m := p.message(); m == nil || m.Stats == nil {
		t.Fatalf("%+v\n%s", m, p.output.String())
	}
	p.in.Close()
	if _, last := results(p); last == nil || !last.Done || last.Execs == 0 {
		t.Errorf("%+v", last)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, p.output.String())
	}
	if _, err := os.Stat(torn); err != nil {
		t.Error(err)
	}
}

func TestAConfigThatMakesNoSenseIsAnError(t *testing.T) {
	p := start(t, wire.Config{Mode: wire.Search, Target: "FuzzEmpty", Feedback: []string{"edgse"}})
	m := p.message()
	if m == nil || m.Error != `unknown feedback channel "edgse" (want edges, set, max, bins, archive or pairs)` {
		t.Errorf("%+v", m)
	}
}
