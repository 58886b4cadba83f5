package fuzz

import (
	"reflect"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
)

// TestMarksAreWhereSomethingNewCame plays walk to its third place and back,
// twice: the second time nothing is new.
func TestMarksAreWhereSomethingNewCame(t *testing.T) {
	ijon.Enable()
	n := newNotes(channels{}, "")
	s := newSeen(0, n)
	var f feedback
	play := func() []int {
		ijon.Begin(1)
		walk(t, []byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 0}) // wait, east, west, east, and a mistake
		ijon.End()
		f.read()
		return s.marks(&f)
	}
	if got := play(); !reflect.DeepEqual(got, []int{1, 2, 3, 4}) {
		t.Errorf("%v", got)
	}
	s.set(&f, true)
	s.archive.learn(&f, way{input: []byte("x"), prefix: func(in []byte, _ int) []byte { return in }})
	if got := play(); len(got) != 0 {
		t.Errorf("again %v", got)
	}
}

func TestMarksAreRisingAndFew(t *testing.T) {
	var list []int
	for _, unit := range []int{5, 3, 5, 9, 1, 3, 20, 12, 15, 7, 30} {
		list = addMark(list, unit)
	}
	if want := []int{3, 5, 7, 9, 12, 15, 20, 30}; !reflect.DeepEqual(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
}
