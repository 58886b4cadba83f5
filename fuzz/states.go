package fuzz

import (
	"bytes"

	ijon "github.com/ijongo/ijongo/runtime"
)

// maxStates bounds the saved states that a search keeps, and maxStateEvents the
// events that led to them all: a state of a cluster of a few nodes is some ten
// thousand bytes, but what remembers its history grows with that.
const (
	maxStates      = 512
	maxStateEvents = 1 << 19
)

// states are the situations to which a search goes back without playing again
// what led there, if the harness can save and load its system. Each belongs to
// the start of an input, which it keeps in memory. When there are too many,
// one that was not used for long makes room.
type states struct {
	of     map[start]int
	all    []state
	free   []int // of all, that hold nothing
	hand   int
	events int // that led to all
	trust  trust
}

// A start is the start of an input in memory.
type start struct {
	first *byte
	bytes int
}

type state struct {
	saved  ijon.Saved
	input  []byte
	events int  // 0 is nothing
	used   bool // since the hand was there
}

// newStates is nil for a search that plays everything from the beginning.
func newStates(l ijon.Layout, off bool) *states {
	if off || l.Record == 0 || !ijon.CanSave() {
		return nil
	}
	return &states{of: make(map[start]int)}
}

func startOf(input []byte) start {
	if len(input) == 0 {
		return start{}
	}
	return start{&input[0], len(input)}
}

// find is the state at the end of input; nil if none was saved.
func (s *states) find(input []byte) *ijon.Saved {
	i, ok := s.of[startOf(input)]
	if !ok || !s.all[i].saved.Ready() {
		return nil
	}
	s.all[i].used = true
	return &s.all[i].saved
}

// room makes room for a state that so many events lead to. It is that of no
// input until keep says so.
func (s *states) room(events int) (i int) {
	for s.events > 0 && s.events+events > maxStateEvents {
		i = s.drop()
		s.all[i].saved = ijon.Saved{} // and its memory
		s.free = append(s.free, i)
	}
	switch n := len(s.free); {
	case n > 0:
		i, s.free = s.free[n-1], s.free[:n-1]
	case len(s.all) == maxStates:
		i = s.drop()
	default:
		if s.all == nil {
			s.all = make([]state, 0, maxStates) // a run in hand holds an address
		}
		i = len(s.all)
		s.all = append(s.all, state{})
	}
	s.all[i].events = events
	s.events += events
	return i
}

// drop gives up a state that was not used since the hand was there.
func (s *states) drop() (i int) {
	for s.all[s.hand].used || s.all[s.hand].events == 0 {
		s.all[s.hand].used = false
		s.hand = (s.hand + 1) % len(s.all)
	}
	i = s.hand
	if k := startOf(s.all[i].input); s.of[k] == i {
		delete(s.of, k)
	}
	s.events -= s.all[i].events
	s.all[i].events, s.all[i].input = 0, nil
	return i
}

// keep makes state i that of input.
func (s *states) keep(i int, input []byte) {
	if len(input) == 0 {
		return
	}
	s.all[i].input, s.all[i].used = input, true
	s.of[startOf(input)] = i
}

// trust compares runs that went on from a state with their replays. Where
// these differ more often than other second runs do, saving and loading is
// not faithful.
type trust struct {
	checked, equal [2]uint64 // of runs from the beginning, and from a state
}

func (t *trust) note(resumed, same bool) {
	k := 0
	if resumed {
		k = 1
	}
	t.checked[k]++
	if same {
		t.equal[k]++
	}
}

// enoughStates is how many runs from states are judged by.
const enoughStates = 20

// lost tells whether over a twentieth of the runs from states were not the
// same as their replays, and that is twice as often as in other runs.
func (t *trust) lost() bool {
	whole, resumed := t.checked[0]-t.equal[0], t.checked[1]-t.equal[1]
	return t.checked[1] >= enoughStates && 20*resumed > t.checked[1] &&
		resumed*(t.checked[0]+1) > 2*(whole+1)*t.checked[1]
}

// goOn makes the run in hand one that begins with input. It begins at the
// state there if there is one; or else it saves it on the way, which begins at
// the state of base, a start of input, or at the beginning.
func (s *search) goOn(input, base []byte) {
	s.base, s.resumed = input, 0
	if s.states == nil || len(input) == 0 {
		return
	}
	if saved := s.states.find(input); saved != nil {
		s.resume(saved)
		return
	}
	n := s.maker.Units(input)
	if n == 0 {
		return
	}
	i := s.states.room(n)
	s.states.keep(i, input)
	ijon.SaveAt(n, &s.states.all[i].saved)
	if saved := s.states.find(base); saved != nil && saved.Event() < n && bytes.HasPrefix(input, base) {
		s.resume(saved)
	}
}

func (s *search) resume(saved *ijon.Saved) {
	s.resumed = saved.Event()
	ijon.ResumeFrom(saved)
}

// saveStart saves the state at the end of the candidate's start, while that is
// checked.
func (s *search) saveStart() {
	if s.states == nil || s.start == 0 {
		return
	}
	s.room = s.states.room(s.start)
	ijon.SaveAt(s.start, &s.states.all[s.room].saved)
}

// keepStart keeps that state: the candidate has become the input kept.
func (s *search) keepStart(kept []byte) {
	if s.states != nil && s.start > 0 {
		s.states.keep(s.room, s.maker.Prefix(kept, s.start))
	}
}

// compare notes whether a candidate was the same when it was run again from
// the beginning, and gives up saving and loading when that is not faithful.
func (s *search) compare(same, resumed bool) {
	if s.states == nil {
		return
	}
	if s.states.trust.note(resumed, same); s.states.trust.lost() {
		s.notes.wobble("the harness's Save and Load")
		s.states = nil
	}
}
