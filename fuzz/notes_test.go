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
