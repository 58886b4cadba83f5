package ijon

import (
	"fmt"
	"math/rand"
	"regexp"
	"testing"
)

// alphabet is the bins of the point of these tests; anything else is outside.
const alphabet = "ABC"

// pattern is a path as a regular expression over the bins that were sampled.
func pattern(steps []StepSpec) *regexp.Regexp {
	text := ""
	for _, s := range steps {
		bin := alphabet[s.Bin : s.Bin+1]
		switch {
		case s.Goto > 0:
			text += fmt.Sprintf("([^%s]*%s){%d}", bin, bin, s.Goto)
		case s.Max > 0:
			text += fmt.Sprintf("%s{%d,%d}", bin, s.Min, s.Max)
		default:
			text += bin
		}
	}
	return regexp.MustCompile("(" + text + ")$")
}

func randomSteps(r *rand.Rand) []StepSpec {
	steps := make([]StepSpec, 2+r.Intn(3))
	for i := range steps {
		steps[i].Bin = r.Intn(len(alphabet))
		switch r.Intn(4) {
		case 0:
			steps[i].Goto = 1 + r.Intn(3)
		case 1:
			steps[i].Min = 1 + r.Intn(2)
			steps[i].Max = steps[i].Min + r.Intn(3)
		}
	}
	return steps
}

// A path matches at the samples at which the regular expression that means the
// same matches what was sampled up to there.
func TestPathsMatchLikeRegularExpressions(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	matches := 0
	for n := 0; n < 2000; n++ {
		steps := randomSteps(r)
		p := newPath(0, len(alphabet), steps)
		want := pattern(steps)
		text := make([]byte, 0, 20)
		state := uint64(0)
		for len(text) < cap(text) {
			bin := r.Intn(len(alphabet)+1) - 1
			text = append(text, ("-" + alphabet)[bin+1])
			state = p.step(state, bin)
			if got := state&p.final != 0; got != want.Match(text) {
				t.Fatalf("%v on %s: match %v, want %v", steps, text, got, !got)
			} else if got {
				matches++
			}
			state &^= p.final
		}
	}
	if matches < 500 {
		t.Errorf("only %d matches", matches)
	}
}

func TestPathsByExample(t *testing.T) {
	step := func(bin byte) StepSpec { return StepSpec{Bin: int(bin - 'A')} }
	twice := StepSpec{Bin: 0, Min: 2, Max: 2}
	second := StepSpec{Bin: 1, Goto: 2}
	tests := []struct {
		name    string
		steps   []StepSpec
		samples string
		matches uint64
	}{
		{"A=>B=>C", []StepSpec{step('A'), step('B'), step('C')}, "ABCABABC", 2},
		{"A=>B=>A", []StepSpec{step('A'), step('B'), step('A')}, "ABABA", 2},
		{"A[*2]=>B", []StepSpec{twice, step('B')}, "ABAABAAAB", 2},
		{"A=>B[->2]", []StepSpec{step('A'), second}, "ACBCCB", 1},
		{"A=>B[->2]=>C", []StepSpec{step('A'), second, step('C')}, "ABBAC" + "ABCBC", 1},
	}
	for _, tt := range tests {
		g := DeclareGroup(GroupSpec{Name: "path " + tt.name,
			Points: []PointSpec{{ItemSpec: named("p"), Bins: binsOf("A", "B", "C")}},
			Trans:  []TransSpec{{ItemSpec: named("t"), Paths: []PathSpec{{Steps: tt.steps}}}},
		})
		got := only("trans", hitsOf(t, func() {
			for i := range tt.samples {
				g.Sample(uint64(i), 0, int(tt.samples[i]-'A')) // without By it is one instance
			}
		}))
		equal(t, got, map[string]uint64{"trans t: " + tt.name: tt.matches})
	}
}

// An oracle for sequences: by its definition, over all that was sampled.
type history struct {
	steps   []SeqStep
	samples []uint64 // events
	matched int      // attempts that began before this sample have ended
}

// reaches tells whether an attempt has its k-th event at the last sample.
func (h *history) reaches(k int) bool { return h.seenAt(k, len(h.samples)-1) }

func (h *history) seenAt(k, at int) bool {
	if at < h.matched || h.samples[at]>>uint(h.steps[k].Event)&1 == 0 {
		return false
	}
	if k == 0 {
		return true
	}
	for before := at - 1; before >= h.matched; before-- {
		if h.seenAt(k-1, before) {
			return true
		}
		if h.steps[k].Next {
			return false
		}
		for _, f := range h.steps[k].Forbid {
			if h.samples[before]>>uint(f)&1 != 0 {
				return false
			}
		}
	}
	return false
}

func randomSeq(r *rand.Rand) []SeqStep {
	steps := make([]SeqStep, 2+r.Intn(3))
	for i := range steps {
		steps[i].Event = r.Intn(3)
		if i > 0 && r.Intn(3) == 0 {
			steps[i].Next = true
		} else if i > 0 && r.Intn(2) == 0 {
			steps[i].Forbid = []int{r.Intn(3)}
		}
	}
	return steps
}

func TestSequencesFollowTheirDefinition(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	matches := 0
	for n := 0; n < 300; n++ {
		steps := randomSeq(r)
		name := fmt.Sprintf("seq %d", n)
		g := DeclareGroup(GroupSpec{Name: name, Events: []string{"a", "b", "c"}, Seqs: []SeqSpec{{ItemSpec: named("s"), Steps: steps}}})
		h := &history{steps: steps}
		want := map[string]uint64{}
		got := hitsOf(t, func() {
			for i := 0; i < 30; i++ {
				events := uint64(r.Intn(8) & r.Intn(8)) // few
				g.Sample(0, events)
				h.samples = append(h.samples, events)
				h.count(want)
			}
		})
		equal(t, got, want)
		if t.Failed() {
			t.Fatalf("steps %+v, samples %v", steps, h.samples)
		}
		if h.matched > 0 {
			matches++
		}
	}
	if matches < 100 {
		t.Errorf("only %d sequences matched", matches)
	}
}

// count counts what the last sample hits.
func (h *history) count(hits map[string]uint64) {
	idle := true // no attempt can go on
	for k := range h.steps {
		if k+1 < len(h.steps) && h.underWay(k) {
			idle = false
		}
	}
	last := len(h.samples) - 1
	matched := false
	for k, s := range h.steps {
		if h.reaches(k) {
			hits[fmt.Sprintf("seq s: %d/%d %c", k+1, len(h.steps), 'a'+s.Event)]++
			matched = matched || k == len(h.steps)-1
		}
	}
	if idle && !h.reaches(0) {
		hits["seq s: vacuous"]++
	}
	if matched {
		h.matched = last
		if !h.reaches(0) {
			h.matched++
		}
	}
}

// underWay tells whether the last sample could have been the event after k
// events, whatever it was.
func (h *history) underWay(k int) bool {
	last := len(h.samples) - 1
	was := h.samples[last]
	h.samples[last] = ^uint64(0)
	defer func() { h.samples[last] = was }()
	return h.reaches(k + 1)
}

func TestSequencesByExample(t *testing.T) {
	const lead, lose, win = 1, 2, 4
	g := DeclareGroup(GroupSpec{Name: "election", By: "id", Events: []string{"lead", "lose", "win"}, Seqs: []SeqSpec{
		{ItemSpec: named("again"), Steps: []SeqStep{{Event: 0}, {Event: 1}, {Event: 2, Next: true}}},
		{ItemSpec: named("kept"), Steps: []SeqStep{{Event: 0}, {Event: 2, Forbid: []int{1}}}},
	}})
	sample := func(by uint64, events ...uint64) {
		for _, e := range events {
			g.Sample(by, e)
		}
	}
	got := hitsOf(t, func() {
		sample(1, 0, lead, 0, lose, win)
		sample(2, lead, win)
		sample(3, lead, lose, 0, win)
	})
	equal(t, got, map[string]uint64{
		"seq again: 1/3 lead": 3, "seq again: 2/3 lose": 2, "seq again: 3/3 win": 1, "seq again: vacuous": 1,
		"seq kept: 1/2 lead": 3, "seq kept: 2/2 win": 1, "seq kept: vacuous": 4,
	})
}
