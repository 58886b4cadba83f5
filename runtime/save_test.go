package ijon

import (
	"fmt"
	"math/rand"
	"testing"
)

// A walker is a system of a few objects that stray and report where they are,
// in every channel. Load makes new objects.
type walker struct {
	nodes [3]*walking
	group *Group
	ids   map[Verb]ID
}

type walking struct{ at, steps uint64 }

func newWalker(name string) *walker {
	w := &walker{group: DeclareGroup(allSpec(name)), ids: make(map[Verb]ID)}
	for _, verb := range []Verb{VerbSet, VerbInc, VerbState, VerbMax, VerbSometimes, VerbCover} {
		w.ids[verb] = Declare(verb, name)
	}
	return w
}

func (w *walker) begin() {
	for i := range w.nodes {
		w.nodes[i] = new(walking)
	}
}

func (w *walker) Save(interface{}) interface{} {
	var copied [3]walking
	for i, n := range w.nodes {
		copied[i] = *n
	}
	return savedWalker{copied, w.nodes}
}

type savedWalker struct {
	state [3]walking
	nodes [3]*walking
}

func (w *walker) Load(state interface{}) {
	s := state.(savedWalker)
	for i := range w.nodes {
		n := s.state[i]
		w.nodes[i] = &n
		Moved(s.nodes[i], w.nodes[i])
	}
}

// play plays the events from where the run begins, and tells how many.
func (w *walker) play(events []byte) (played int) {
	at := Resume()
	if at == 0 {
		w.begin()
	}
	for _, e := range events[at:] {
		w.event(e)
		Step()
		played++
	}
	return played
}

func (w *walker) event(e byte) {
	i := int(e) % len(w.nodes)
	n := w.nodes[i]
	Node(i)
	n.steps++
	n.at = (n.at + uint64(e>>4) + Rand()%3) % 7
	Set(w.ids[VerbSet], v(n.at))
	Inc(w.ids[VerbInc], v(n.at))
	Xor(v(n.steps % 2))
	State(w.ids[VerbState], uint64(i), v(n.at%3))
	MaxUintBy(w.ids[VerbMax], uint64(i), n.steps*n.at)
	Sometimes(w.ids[VerbSometimes], n.at == 6)
	if n.at == 5 {
		Cover(w.ids[VerbCover])
	}
	a, b := int(n.at%4), int(n.steps%3)
	w.group.SampleObject(n, n.at, a, b, 0, 1, 2, b, NotSampled, 0)
}

// told is all that an engine reads of a run.
func told() string {
	var r Run
	text := fmt.Sprintln(Event(), r.Pairs(nil), r.Slots(nil))
	for _, c := range r.Cells(nil) {
		text += fmt.Sprintln(c, r.Hits(c.Element))
	}
	for _, b := range r.Covered(nil) {
		text += fmt.Sprintln(b, r.BinHits(b.Element))
	}
	return text
}

// run makes one run and returns what it told, and how many events it played.
func (w *walker) run(events []byte) (feedback string, played int) {
	Begin(1)
	played = w.play(events)
	End()
	return told(), played
}

// TestARunFromASavedStateIsTheWholeRun saves at a random event of a random run
// and goes on from there, several times, with other runs in between.
func TestARunFromASavedStateIsTheWholeRun(t *testing.T) {
	Enable()
	defer disable()
	w := newWalker("saved")
	Snapshots(w)
	defer Snapshots(nil)
	rng := rand.New(rand.NewSource(1))
	var saved Saved
	for i := 0; i < 200; i++ {
		events := make([]byte, 2+rng.Intn(60))
		rng.Read(events)
		at := 1 + rng.Intn(len(events)-1)
		SaveAt(at, &saved)
		want, _ := w.run(events)
		if !saved.Ready() || saved.Event() != at {
			t.Fatalf("saved %v at %d, want true at %d", saved.Ready(), saved.Event(), at)
		}
		for k := 0; k < 3; k++ {
			ResumeFrom(&saved)
			got, played := w.run(events)
			if played != len(events)-at {
				t.Fatalf("%d events played of %d from %d on", played, len(events), at)
			}
			if got != want {
				t.Fatalf("from event %d of %x:\n%s\nthe whole run:\n%s", at, events, got, want)
			}
			rng.Read(events[at:])
			ResumeFrom(&saved)
			got, _ = w.run(events)
			if whole, _ := w.run(events); got != whole {
				t.Fatalf("another suffix from event %d of %x:\n%s\nthe whole run:\n%s", at, events, got, whole)
			}
			rng.Read(events[at:])
			SaveAt(len(events)+1, new(Saved)) // never
			want, _ = w.run(events)
		}
	}
}

// TestAnUnsavedStateIsNotReady: the run ends too early, or is in a context.
func TestAnUnsavedStateIsNotReady(t *testing.T) {
	Enable()
	defer disable()
	w := newWalker("unsaved")
	Snapshots(w)
	defer Snapshots(nil)
	var saved Saved
	SaveAt(5, &saved)
	w.run(make([]byte, 4))
	if saved.Ready() {
		t.Error("ready after 4 events of 5")
	}
	w.run(make([]byte, 9))
	if saved.Ready() {
		t.Error("a later run has saved")
	}
	SaveAt(1, &saved)
	Begin(1)
	f := CtxEnter()
	Ctx(1, v(1))
	w.play(make([]byte, 2))
	CtxExit(f)
	End()
	if saved.Ready() {
		t.Error("saved in the middle of a context")
	}
}

// BenchmarkSaveAndResume is what the feedback of a run of 100 events costs to save
// and to restore.
func BenchmarkSaveAndResume(b *testing.B) {
	Enable()
	defer disable()
	w := newWalker("bench")
	Snapshots(w)
	defer Snapshots(nil)
	events := make([]byte, 100)
	rand.New(rand.NewSource(1)).Read(events)
	var saved Saved
	SaveAt(len(events), &saved)
	w.run(events)
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		saved.save()
		saved.restore()
	}
}
