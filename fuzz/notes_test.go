package fuzz

import (
	"fmt"
	"reflect"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
)

var loudMax, quietMax = ijon.Declare(ijon.VerbMax, "loud max"), ijon.Declare(ijon.VerbMax, "quiet max")

// TestWhatAdmitsOverAQuarterIsMuted lets one annotation admit every third
// run and another every fifth; the first window is not judged.
func TestWhatAdmitsOverAQuarterIsMuted(t *testing.T) {
	n := newNotes(channels{slots: true})
	for run := 1; run <= 2*muteWindow; run++ {
		n.begin()
		if run == muteWindow && n.mutedNames() != nil {
			t.Errorf("muted in the first window: %v", n.mutedNames())
		}
		if run%3 == 0 {
			n.admit(slots, loudMax)
			n.admit(slots, loudMax)
		}
		if run%5 == 0 {
			n.admit(slots, quietMax)
			n.admit(slots, quietMax)
		}
	}
	if got := n.mutedNames(); !reflect.DeepEqual(got, []string{"max loud max"}) {
		t.Errorf("muted %v", got)
	}
}

func TestWhatDoesNotGuideIsNotMuted(t *testing.T) {
	n := newNotes(channels{edges: true})
	for run := 0; run < 4*muteWindow; run++ {
		n.begin()
		n.admit(slots, loudMax)
		n.value(loudMax)
	}
	if n.mutedNames() != nil {
		t.Errorf("muted %v", n.mutedNames())
	}
}

func TestWobblingIsListedMostFrequentFirst(t *testing.T) {
	n := newNotes(channels{})
	for i := 0; i < 20; i++ {
		for times := 0; times <= i%5; times++ {
			n.wobble(fmt.Sprintf("%c", 'a'+i))
		}
	}
	if got := fmt.Sprint(n.wobbling()); got != "[e j o t d i n s c h]" {
		t.Error(got)
	}
}

// declare gives a test an annotation with clauses, which only a directive can
// have.
func declare(t *testing.T, n *notes, verb ijon.Verb, clauses func(*ijon.Annotation)) ijon.ID {
	id := ijon.Declare(verb, t.Name())
	n.annotations = ijon.Annotations()
	clauses(&n.annotations[id])
	return id
}

func TestACapIsOfTheAnnotation(t *testing.T) {
	n := newNotes(channels{set: true})
	few := declare(t, n, ijon.VerbSet, func(a *ijon.Annotation) { a.Cap = 2 })
	for i := 1; i <= 3; i++ {
		n.value(few)
		if got := n.muted(few); got != (i > 2) {
			t.Errorf("after %d values muted is %v", i, got)
		}
	}
}

func TestWhatObservesNeverGuides(t *testing.T) {
	n := newNotes(channels{set: true, slots: true, bins: true})
	s := newSeen(0, n)
	observing := func(a *ijon.Annotation) { a.Observe = true }
	max := declare(t, n, ijon.VerbMax, observing)
	if s.maxima([]ijon.Slot{{ID: max, Value: 5}}, nil, false) != 0 || s.slots[0].value != 5 {
		t.Error("a max that observes is news, or is forgotten")
	}
	n.annotations[max].Verb = ijon.VerbCover
	if s.bins([]ijon.Bin{{ID: max, Evaluated: 1, True: 1}}, false) != 0 || s.binsHit != 1 {
		t.Error("a cover that observes is news, or is forgotten")
	}
	if n.mutedNames() != nil {
		t.Errorf("muted %v: it was asked for", n.mutedNames())
	}
}

func TestARetiredSlotGuidesNoMore(t *testing.T) {
	s := newSeen(0, newNotes(channels{slots: true}))
	news := func(value uint64, retired bool) int {
		return s.maxima([]ijon.Slot{{ID: quietMax, Value: value, Retired: retired}}, []byte("x"), true)
	}
	if news(5, false) != 1 || news(4, false) != 0 || s.pickSlot(newRNG(1, 0, 0)) == nil {
		t.Error("a slot does not guide")
	}
	if news(4, true) != 1 {
		t.Error("the run that reaches enough is no news")
	}
	if news(9, true) != 0 || news(9, false) != 0 || s.pickSlot(newRNG(1, 0, 0)) != nil {
		t.Error("a retired slot still guides")
	}
}

func TestMaybeWantsBothOutcomes(t *testing.T) {
	n := newNotes(channels{bins: true})
	s := newSeen(0, n)
	maybe := declare(t, n, ijon.VerbMaybe, func(*ijon.Annotation) {})
	for i, b := range []struct {
		bin  ijon.Bin
		news int
	}{{ijon.Bin{ID: maybe, Evaluated: 1, True: 1}, 1}, {ijon.Bin{ID: maybe, Evaluated: 3, True: 3}, 0}, {ijon.Bin{ID: maybe, Evaluated: 2, True: 1}, 1}} {
		if got := s.bins([]ijon.Bin{b.bin}, true); got != b.news {
			t.Errorf("run %d: %d news, want %d", i, got, b.news)
		}
	}
}
