package sim

import (
	"fmt"
	"strings"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
)

// recorder is a harness that notes what it is asked to do. The oracle fails
// on events whose A is 99, and in the quiet phase if the first configuration
// byte is 99.
type recorder struct {
	log    []string
	config []byte
}

func (r *recorder) note(format string, args ...interface{}) {
	r.log = append(r.log, fmt.Sprintf(format, args...))
}

func (r *recorder) Begin(config []byte) {
	r.config = append(r.config[:0], config...)
	r.note("begin %v", config)
}

func (r *recorder) Play(e Event) *Violation {
	r.note("play %v", e)
	if e.A == 99 {
		return &Violation{Oracle: "safety", Detail: "a bad event"}
	}
	return nil
}

func (r *recorder) Settle() *Violation {
	r.note("settle")
	if r.config[0] == 99 {
		return &Violation{Oracle: "liveness", Detail: "a bad end"}
	}
	return nil
}

func TestPlay(t *testing.T) {
	tests := []struct {
		name   string
		config byte
		events []Event
		log    string
		err    string
	}{
		{"nothing", 1, nil, "begin [1 0 0]; settle", "<nil>"},
		{"to the end", 1, []Event{{0, 1, 2, 3}, {1, 4, 5, 6}},
			"begin [1 0 0]; play {0 1 2 3}; play {1 4 5 6}; settle", "<nil>"},
		{"to a violation", 1, []Event{{0, 1, 2, 3}, {1, 99, 5, 6}, {1, 7, 8, 9}},
			"begin [1 0 0]; play {0 1 2 3}; play {1 99 5 6}", "event 1: safety: a bad event"},
		{"the quiet phase fails", 99, []Event{{0, 1, 2, 3}},
			"begin [99 0 0]; play {0 1 2 3}; settle", "event 1: liveness: a bad end"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := &recorder{}
			v := NewPlayer(twoKinds, r).Play(input(test.config, test.events))
			if got := strings.Join(r.log, "; "); got != test.log {
				t.Errorf("got  %s\nwant %s", got, test.log)
			}
			got := "<nil>"
			if v != nil {
				got = v.Error()
			}
			if got != test.err {
				t.Errorf("got %s, want %s", got, test.err)
			}
		})
	}
}

func input(config byte, events []Event) []byte {
	data := twoKinds.Header(1, config)
	for _, e := range events {
		data = twoKinds.Append(data, e)
	}
	return data
}

// fakeT takes the place of a *testing.T that is to fail.
type fakeT struct{ failed string }

func (t *fakeT) Helper() {}
func (t *fakeT) Fatalf(format string, args ...interface{}) {
	t.failed = fmt.Sprintf(format, args...)
}

func TestRunNamesTheOracle(t *testing.T) {
	ijon.Begin(0)
	f := &fakeT{}
	Run(f, NewPlayer(twoKinds, &recorder{}), input(1, []Event{{0, 99, 0, 0}}))
	if f.failed != "event 0: safety: a bad event" {
		t.Errorf("failed with %q", f.failed)
	}
	if got := (ijon.Run{}).Oracle(); got != "safety" {
		t.Errorf("the oracle is %q", got)
	}
}

func TestTimeline(t *testing.T) {
	var lines []string
	ijon.Trace(func(line string) { lines = append(lines, line) })
	defer ijon.Trace(nil)
	Run(&fakeT{}, NewPlayer(twoKinds, &recorder{}), input(99, []Event{{1, 10, 11, 12}}))
	want := "   0 b 0a 0b 0c\n   1 quiet phase\nviolated: event 1: liveness: a bad end"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPlayDoesNotAllocate(t *testing.T) {
	p := NewPlayer(twoKinds, nothing{})
	data := input(1, make([]Event, 100))
	if n := testing.AllocsPerRun(100, func() { p.Play(data) }); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}

type nothing struct{}

func (nothing) Begin([]byte)          {}
func (nothing) Play(Event) *Violation { return nil }
func (nothing) Settle() *Violation    { return nil }

// BenchmarkPlay is what the run loop costs an event.
func BenchmarkPlay(b *testing.B) {
	p := NewPlayer(twoKinds, nothing{})
	data := input(1, make([]Event, 1000))
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		p.Play(data)
	}
}

// saver is a recorder that can be saved: its state is its log.
type saver struct{ recorder }

func (s *saver) CanSave() bool { return true }

func (s *saver) Save(interface{}) interface{} { return append([]string(nil), s.log...) }

func (s *saver) Load(state interface{}) {
	s.log = append([]string(nil), state.([]string)...)
	s.note("load")
}

// TestPlayGoesOnFromASavedState: what led there is not played again.
func TestPlayGoesOnFromASavedState(t *testing.T) {
	ijon.Enable()
	defer ijon.Snapshots(nil)
	f := &Format{Config: 1, Kinds: []ijon.Kind{{Name: "a"}, {Name: "b"}}}
	s := new(saver)
	p := NewPlayer(f, s)
	input := f.Header(1, 7)
	for i := byte(0); i < 3; i++ {
		input = f.Append(input, Event{A: i})
	}
	var state ijon.Saved
	ijon.SaveAt(2, &state)
	p.Play(input)
	ijon.End()
	s.log = nil
	ijon.ResumeFrom(&state)
	p.Play(input)
	ijon.End()
	want := "begin [7]; play {0 0 0 0}; play {0 1 0 0}; load; play {0 2 0 0}; settle"
	if got := strings.Join(s.log, "; "); got != want {
		t.Errorf("log %q, want %q", got, want)
	}
}
