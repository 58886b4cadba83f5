package fuzz

import (
	"strings"
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A simulation is a cluster that can be saved. It may forget something.
type simulation struct {
	cluster
	forgetful bool
	played    int // events, in all runs
}

func (s *simulation) Save(interface{}) interface{} { return s.cluster }

func (s *simulation) Load(state interface{}) {
	s.cluster = state.(cluster)
	if s.forgetful {
		s.cluster.nodes[0].own = 0
	}
}

// run is guided on a cluster that goes on from where the engine says.
func (s *simulation) run(_ *testing.T, in []byte) {
	first := ijon.Resume()
	if first == 0 {
		s.cluster = cluster{}
	}
	for in = in[2*first:]; len(in) >= 2; in = in[2:] {
		n := int(in[1]) % nodes
		s.event(int(in[0])%len(clusterLayout.Kinds), n, int(in[1])/nodes)
		at := s.sample(n)
		guiding.Sample(uint64(n), s.nodes[n].events(), at[:]...)
		ijon.Step()
		s.played++
	}
}

func simulate(t *testing.T, s *simulation, config wire.Config) *campaign {
	ijon.Snapshots(s)
	defer ijon.Snapshots(nil)
	return conduct(t, t, config, clusterLayout, s.run)
}

// TestRunsFromStates: a search that saves plays fewer events for its runs, and
// each of its finds is what the whole run gives.
func TestRunsFromStates(t *testing.T) {
	config := wire.Config{Seed: 1, Execs: 4000, MaxLen: 2000, Feedback: everyChannel}
	with := new(simulation)
	saved := simulate(t, with, config)
	config.NoSnapshots = true
	without := new(simulation)
	whole := simulate(t, without, config)
	if saved.search.states == nil || whole.search.states != nil {
		t.Fatal("states are not what the configuration says")
	}
	for _, c := range []*campaign{saved, whole} {
		if c.last.Checked == 0 || c.last.Checked != c.last.Equal {
			t.Errorf("%d checked, %d equal", c.last.Checked, c.last.Equal)
		}
	}
	if with.played != int(saved.last.Events) || without.played != int(whole.last.Events) {
		t.Errorf("%d and %d events played; %d and %d counted", with.played, without.played, saved.last.Events, whole.last.Events)
	}
	if n := saved.search.states.trust.checked[1]; n < enoughStates {
		t.Errorf("%d finds of runs from states", n)
	}
	t.Logf("events of %d runs: %d with states, %d without", config.Execs, with.played, without.played)
	if 10*with.played > 9*without.played {
		t.Errorf("events of %d runs: %d with states, %d without", config.Execs, with.played, without.played)
	}
}

// TestAForgetfulLoadIsGivenUp, and named.
func TestAForgetfulLoadIsGivenUp(t *testing.T) {
	c := simulate(t, &simulation{forgetful: true}, wire.Config{Seed: 1, Execs: 4000, MaxLen: 2000, Feedback: everyChannel})
	if c.search.states != nil {
		t.Error("the search still loads")
	}
	if names := strings.Join(c.last.Wobbling, "\n"); !strings.Contains(names, "Save and Load") {
		t.Errorf("what differed: %s", names)
	}
}

// TestAFailureOfAForgetfulLoadIsNone: the whole run does not fail.
func TestAFailureOfAForgetfulLoadIsNone(t *testing.T) {
	s := new(simulation)
	ijon.Snapshots(s)
	defer ijon.Snapshots(nil)
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 4000, MaxLen: 2000, Feedback: everyChannel}, clusterLayout, func(t *testing.T, in []byte) {
		before := s.played
		s.run(t, in)
		if 2*(s.played-before) < len(in)-1 {
			panic("the run went on from a state")
		}
	})
	if len(c.failures) > 0 || c.search.states != nil {
		t.Errorf("%d failures, still loads: %v", len(c.failures), c.search.states != nil)
	}
}

func TestStatesMakeRoom(t *testing.T) {
	s := newStates(ijon.Layout{Record: 1}, false)
	if s != nil {
		t.Fatal("states without a system")
	}
	s = &states{of: make(map[start]int)}
	inputs := make([][]byte, 3*maxStates)
	for i := range inputs {
		inputs[i] = []byte{1, 2}
		s.keep(s.room(1), inputs[i])
	}
	if len(s.all) != maxStates || len(s.of) != maxStates {
		t.Errorf("%d states, %d inputs that have one", len(s.all), len(s.of))
	}
	if i, ok := s.of[startOf(inputs[len(inputs)-1])]; !ok || &s.all[i].input[0] != &inputs[len(inputs)-1][0] {
		t.Error("the last one is gone")
	}
	for i := 0; i < 100; i++ { // long ones, for which there is room for a few
		input := []byte{3}
		s.keep(s.room(maxStateEvents/4), input)
		if s.events > maxStateEvents {
			t.Fatalf("%d events", s.events)
		}
	}
	if len(s.of) > 5 {
		t.Errorf("%d inputs have a state", len(s.of))
	}
	s.keep(s.room(2*maxStateEvents), []byte{4}) // longer than all may be: alone
	if len(s.of) != 1 {
		t.Errorf("%d inputs have a state", len(s.of))
	}
}

// TestOnlyAStartIsABase: a state of another input is no way to this one.
func TestOnlyAStartIsABase(t *testing.T) {
	s := new(simulation)
	c := simulate(t, s, wire.Config{Seed: 1, Execs: 2000, MaxLen: 2000, Feedback: everyChannel})
	var base []byte
	for _, x := range c.search.states.all {
		if x.input != nil && x.saved.Ready() {
			base = x.input
		}
	}
	longer := append(append([]byte(nil), base...), 1, 1)
	if c.search.goOn(longer, base); c.search.resumed == 0 {
		t.Error("a start of the input is no base")
	}
	other := append([]byte(nil), longer...)
	other[0]++
	if c.search.goOn(other, base); c.search.resumed != 0 {
		t.Error("the start of another input is a base")
	}
	ijon.End()
}
