package fuzz

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/ijongo/ijongo/fuzz/mutate"
	ijon "github.com/ijongo/ijongo/runtime"
)

var loudMax, quietMax = ijon.Declare(ijon.VerbMax, "loud max"), ijon.Declare(ijon.VerbMax, "quiet max")

// TestWhatAdmitsOverAQuarterIsMuted lets one annotation admit every third
// run and another every fifth; the first window is not judged.
func TestWhatAdmitsOverAQuarterIsMuted(t *testing.T) {
	n := newNotes(channels{slots: true}, "")
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

// TestAnItemIsMutedForAWindow lets a cover admit every run of one window.
func TestAnItemIsMutedForAWindow(t *testing.T) {
	loud := declareCover(t).ID
	n := newNotes(channels{bins: true}, "")
	for run := 1; run <= 5*muteWindow; run++ {
		n.begin()
		if run/muteWindow == 2 {
			n.admit(bins, loud)
		}
		if got, want := n.muted(loud), run/muteWindow == 3; got != want {
			t.Fatalf("muted is %v in run %d", got, run)
		}
	}
}

func TestWhatDoesNotGuideIsNotMuted(t *testing.T) {
	n := newNotes(channels{edges: true}, "")
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
	n := newNotes(channels{}, "")
	for i := 0; i < 20; i++ {
		for times := 0; times <= i%5; times++ {
			n.wobble(fmt.Sprintf("%c", 'a'+i))
		}
	}
	if got := fmt.Sprint(n.wobbling()); got != "[e j o t d i n s c h]" {
		t.Error(got)
	}
}

func TestACapIsOfTheAnnotation(t *testing.T) {
	few := ijon.Declare(ijon.VerbSet, t.Name())
	n := newNotes(channels{set: true}, "")
	n.source(few).cap = 2
	for i := 1; i <= 3; i++ {
		n.value(few)
		if got := n.muted(few); got != (i > 2) {
			t.Errorf("after %d values muted is %v", i, got)
		}
	}
}

func TestNothingIsMutedWhenAskedNotTo(t *testing.T) {
	loud := ijon.Declare(ijon.VerbSet, t.Name())
	n := newNotes(channels{set: true}, "")
	n.unmuted = true
	for i := 0; i < 3*muteWindow; i++ {
		n.begin()
		n.value(loud)
		n.admit(set, loud)
	}
	if n.muted(loud) {
		t.Error("muted after all")
	}
}

func TestWhatObservesNeverGuides(t *testing.T) {
	max := ijon.Declare(ijon.VerbMax, t.Name())
	cover := declareCover(t)
	n := newNotes(channels{set: true, slots: true, bins: true}, "")
	s := newSeen(0, n)
	n.source(max).observe = true
	if s.maxima([]ijon.Slot{{ID: max, Value: 5}}, nil, false) != 0 || s.slots[0].value != 5 {
		t.Error("a max that observes is news, or is forgotten")
	}
	n.source(cover.ID).observe = true
	if s.goals.see(&feedback{bins: []ijon.Touch{cover}}, false) != 0 || !s.goals.bin(cover.Element).seen {
		t.Error("a cover that observes is news, or is forgotten")
	}
	if n.mutedNames() != nil {
		t.Errorf("muted %v: it was asked for", n.mutedNames())
	}
}

// declareCover declares a cover of the test's name, and touches it.
func declareCover(t *testing.T) ijon.Touch {
	ijon.Declare(ijon.VerbCover, t.Name())
	return touchOf(t, t.Name(), "hit")
}

// touchOf is the touch of a bin of the item of that name.
func touchOf(t *testing.T, name, bin string) ijon.Touch {
	t.Helper()
	for n, i := range ijon.Items() {
		for k, b := range i.Bins {
			if i.Name == name && b.Name == bin {
				return ijon.Touch{Element: uint32(i.First + k), ID: itemIDs + ijon.ID(n)}
			}
		}
	}
	t.Fatalf("no bin %s of %s", bin, name)
	return ijon.Touch{}
}

func TestARetiredSlotGuidesNoMore(t *testing.T) {
	s := newSeen(0, newNotes(channels{slots: true}, ""))
	news := func(value uint64, retired bool) int {
		return s.maxima([]ijon.Slot{{ID: quietMax, Value: value, Retired: retired}}, new(entry), true)
	}
	if news(5, false) != 1 || news(4, false) != 0 || s.pickSlot(mutate.NewRNG(1, 0, 0)) == nil {
		t.Error("a slot does not guide")
	}
	if news(4, true) != 1 {
		t.Error("the run that reaches enough is no news")
	}
	if news(9, true) != 0 || news(9, false) != 0 || s.pickSlot(mutate.NewRNG(1, 0, 0)) != nil {
		t.Error("a retired slot still guides")
	}
}

func TestMaybeWantsBothOutcomes(t *testing.T) {
	ijon.Declare(ijon.VerbMaybe, t.Name())
	g := newGoals(newNotes(channels{bins: true}, ""))
	yes, no := touchOf(t, t.Name(), "true"), touchOf(t, t.Name(), "false")
	for i, run := range []struct {
		bins []ijon.Touch
		news int
	}{{[]ijon.Touch{yes}, 1}, {[]ijon.Touch{yes}, 0}, {[]ijon.Touch{yes, no}, 1}} {
		if got := g.see(&feedback{bins: run.bins}, true); got != run.news {
			t.Errorf("run %d: %d news, want %d", i, got, run.news)
		}
	}
}

// TestInfoIsNoNews has a sometimes that was never true.
func TestInfoIsNoNews(t *testing.T) {
	ijon.Declare(ijon.VerbSometimes, t.Name())
	g := newGoals(newNotes(channels{bins: true}, ""))
	if g.see(&feedback{bins: []ijon.Touch{touchOf(t, t.Name(), "evaluated")}}, true) != 0 {
		t.Error("that a property was evaluated is news")
	}
}
