package ijon

import (
	"math"
	"sync"
	"testing"
)

// observed runs f as one run of an engine and returns its feedback.
func observed(t testing.TB, f func()) Run {
	t.Helper()
	Enable()
	t.Cleanup(disable)
	Begin(1)
	f()
	End()
	return Run{}
}

func disable() { on, counting = false, false }

func value(t *testing.T, r Run, id ID) uint64 {
	t.Helper()
	for _, s := range r.Slots(nil) {
		if s.ID == id && s.By == 0 {
			return s.Value
		}
	}
	return 0
}

// Each pair is worse, better: the slot of the better run must be greater, and
// Format must give back what the program passed.
func TestSlotOrder(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		name          string
		verb          Verb
		kind          NumKind
		worse, better func(ID)
		shown         string
	}{
		{"max int across zero", VerbMax, KindInt, func(id ID) { MaxInt(id, -3) }, func(id ID) { MaxInt(id, 2) }, "2"},
		{"max int negative", VerbMax, KindInt, func(id ID) { MaxInt(id, -3) }, func(id ID) { MaxInt(id, -2) }, "-2"},
		{"max uint high bit", VerbMax, KindUint, func(id ID) { MaxUint(id, 1<<62) }, func(id ID) { MaxUint(id, 1<<63) }, "9223372036854775808"},
		{"max uint zero beats never", VerbMax, KindUint, func(id ID) {}, func(id ID) { MaxUint(id, 0) }, "0"},
		{"max float across zero", VerbMax, KindFloat, func(id ID) { MaxFloat(id, -0.5) }, func(id ID) { MaxFloat(id, 0.25) }, "0.25"},
		{"max float negative", VerbMax, KindFloat, func(id ID) { MaxFloat(id, -2) }, func(id ID) { MaxFloat(id, -1) }, "-1"},
		{"max float NaN never wins", VerbMax, KindFloat, func(id ID) { MaxFloat(id, math.NaN()) }, func(id ID) { MaxFloat(id, -inf) }, "-Inf"},
		{"min int", VerbMin, KindInt, func(id ID) { MinInt(id, 1) }, func(id ID) { MinInt(id, -1) }, "-1"},
		{"min uint", VerbMin, KindUint, func(id ID) { MinUint(id, 9) }, func(id ID) { MinUint(id, 7) }, "7"},
		{"min float", VerbMin, KindFloat, func(id ID) { MinFloat(id, 1) }, func(id ID) { MinFloat(id, -1) }, "-1"},
		{"dist int", VerbDist, KindInt, func(id ID) { DistInt(id, 0, -5, 5) }, func(id ID) { DistInt(id, 0, 3, -2) }, "5"},
		{"dist int extremes", VerbDist, KindInt, func(id ID) { DistInt(id, 0, math.MinInt64, math.MaxInt64) }, func(id ID) { DistInt(id, 0, 0, math.MaxInt64) }, "9223372036854775807"},
		{"dist uint", VerbDist, KindUint, func(id ID) { DistUint(id, 0, 1, math.MaxUint64) }, func(id ID) { DistUint(id, 0, 4, 1) }, "3"},
		{"dist float", VerbDist, KindFloat, func(id ID) { DistFloat(id, 0, 1, 4) }, func(id ID) { DistFloat(id, 0, 1, 1.5) }, "0.5"},
		{"cmp", VerbCmp, KindUint, func(id ID) { Cmp(id, 0, 0, 7) }, func(id ID) { Cmp(id, 0, 1, 7) }, "2"},
		{"bits", VerbBits, KindUint, func(id ID) { Bits(id, 0, 1<<20) }, func(id ID) { Bits(id, 0, 1) }, "63"},
		{"strdist", VerbStrDist, KindUint, func(id ID) { StrDist(id, 0, "leader", "follower") }, func(id ID) { StrDist(id, 0, "leader", "learner") }, "3"},
		{"strdist bytes", VerbStrDist, KindUint, func(id ID) { StrDistBytes(id, 0, nil, []byte("ab")) }, func(id ID) { StrDistBytes(id, 0, []byte("ab"), []byte("ab")) }, "2"},
		{"sometimes", VerbSometimes, KindUint, func(id ID) { SometimesGap(id, false, GapInt(-4, 4)) }, func(id ID) { SometimesGap(id, false, GapUint(9, 12)) }, "gap 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id := DeclareNumber(tt.verb, tt.kind, "order: "+tt.name)
			worse := value(t, observed(t, func() { tt.worse(id) }), id)
			better := value(t, observed(t, func() { tt.better(id) }), id)
			if better <= worse {
				t.Errorf("better run has slot %d, worse run %d", better, worse)
			}
			if got := describe(id).Format(better); got != tt.shown {
				t.Errorf("Format: %s, want %s", got, tt.shown)
			}
			both := value(t, observed(t, func() { tt.better(id); tt.worse(id) }), id)
			if both != better {
				t.Errorf("a worse value replaced the best: slot %d, want %d", both, better)
			}
		})
	}
}

func TestByHasSlotsOfItsOwn(t *testing.T) {
	id := Declare(VerbMax, "by")
	r := observed(t, func() {
		MaxUintBy(id, 1, 10)
		MaxUintBy(id, 2, 5)
	})
	got := map[uint64]string{}
	for _, s := range r.Slots(nil) {
		got[s.By] = describe(s.ID).Format(s.Value)
	}
	if len(got) != 2 || got[1] != "10" || got[2] != "5" {
		t.Errorf("slots by key: %v, want 1:10 2:5", got)
	}
}

func TestCellsAreDistinctSituations(t *testing.T) {
	set, inc := Declare(VerbSet, "cells"), Declare(VerbInc, "cells")
	r := observed(t, func() {
		Set(set, HashUint(Hash, 1))
		Step()
		Set(set, HashUint(Hash, 2))
		Set(set, HashUint(Hash, 1))
		for i := 0; i < 3; i++ {
			Inc(inc, HashUint(Hash, 1))
		}
	})
	cells := r.Cells(nil)
	if len(cells) != 3 {
		t.Fatalf("%d cells, want 3: %v", len(cells), cells)
	}
	if cells[0].Event != 0 || cells[1].Event != 1 || cells[2].Event != 1 {
		t.Errorf("events of first touch: %v, want 0 1 1", cells)
	}
	if cells[2].ID != inc || r.Hits(cells[2].Element) != 3 {
		t.Errorf("inc: %v with %d hits, want annotation %d with 3", cells[2], r.Hits(cells[2].Element), inc)
	}
	if again := observed(t, func() {}).Cells(nil); len(again) != 0 {
		t.Errorf("the next run starts with cells %v", again)
	}
}

func TestPairsHoldAtTheSameEvent(t *testing.T) {
	a, b := Declare(VerbSet, "pair a"), Declare(VerbSet, "pair b")
	pairs := func(f func()) int { return len(observed(t, f).Pairs(nil)) }
	one, two := HashUint(Hash, 1), HashUint(Hash, 2)
	if n := pairs(func() { Set(a, one); Set(b, one) }); n != 1 {
		t.Errorf("%d pairs for two values held at the end, want 1", n)
	}
	if n := pairs(func() {
		Set(a, one)
		Set(b, one)
		Step()
		Set(a, two)
		Step()
		Set(a, two)
	}); n != 2 {
		t.Errorf("%d pairs for (1,1) then (2,1), want 2", n)
	}
	if n := pairs(func() { Set(a, one); Set(a, two); Set(b, one) }); n != 1 {
		t.Errorf("%d pairs, want 1: a value replaced within the event is no state", n)
	}
	if n := pairs(func() { SetTuple(a, one); Set(b, one) }); n != 0 {
		t.Errorf("%d pairs with a tuple, want 0", n)
	}
	if n := pairs(func() { Set(a, one); Set(a, two) }); n != 0 {
		t.Errorf("%d pairs of one annotation with itself, want 0", n)
	}
}

func TestBins(t *testing.T) {
	cover, some := Declare(VerbCover, "bin"), Declare(VerbSometimes, "bin")
	bins := observed(t, func() {
		Cover(cover)
		Sometimes(some, false)
		Sometimes(some, false)
	}).Bins(nil)
	want := []Bin{{cover, 1, 1}, {some, 2, 0}}
	if len(bins) != 2 || bins[0] != want[0] || bins[1] != want[1] {
		t.Errorf("bins %v, want %v", bins, want)
	}
}

func TestAlwaysFailsTheRunEvenIfTheProgramRecovers(t *testing.T) {
	id := Declare(VerbAlways, "x > 0")
	r := observed(t, func() {
		defer func() {
			v, ok := recover().(*Violation)
			if !ok || v.Oracle != "always x > 0" {
				t.Errorf("panicked with %v, want a Violation of always x > 0", v)
			}
		}()
		defer Guard(id) // the guard of an annotation lets a violation through
		Always(id, false)
	})
	if got := r.Oracle(); got != "always x > 0" {
		t.Errorf("oracle %q", got)
	}
	if got := observed(t, func() {}).Oracle(); got != "" {
		t.Errorf("the next run starts with oracle %q", got)
	}
}

func TestAlwaysFailsWithoutAnEngine(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a false always did not panic")
		}
	}()
	Always(Declare(VerbAlways, "inert"), false)
}

func TestInertWithoutAnEngine(t *testing.T) {
	observed(t, func() {})
	disable()
	id := Declare(VerbMax, "inert")
	MaxUint(id, 1)
	Set(id, 1)
	Cover(id)
	Step()
	if n := len(Run{}.Slots(nil)) + len(Run{}.Cells(nil)) + len(Run{}.Bins(nil)); n != 0 || Event() != 0 {
		t.Errorf("%d map elements and event %d without an engine", n, Event())
	}
}

func TestGuardSkipsThePanickingVisit(t *testing.T) {
	id := Declare(VerbMax, "guarded")
	before := Skipped(id)
	r := observed(t, func() {
		var p *struct{ term uint64 }
		func() {
			defer Guard(id)
			MaxUint(id, p.term)
		}()
	})
	if value(t, r, id) != 0 || Skipped(id) != before+1 {
		t.Errorf("slot %d, %d skips, want none and one more than %d", value(t, r, id), Skipped(id), before)
	}
}

// Meant for -race: annotations may come from any goroutine.
func TestManyGoroutines(t *testing.T) {
	max, set, inc, cover := Declare(VerbMax, "g"), Declare(VerbSet, "g"), Declare(VerbInc, "g"), Declare(VerbCover, "g")
	r := observed(t, func() {
		var wg sync.WaitGroup
		for g := 0; g < 8; g++ {
			wg.Add(1)
			go func(g int) {
				defer wg.Done()
				for i := 0; i < 200; i++ {
					MaxUintBy(max, uint64(i%16), uint64(i))
					Set(set, HashUint(Hash, uint64(i%8)))
					Inc(inc, HashUint(Hash, uint64(g)))
					Cover(cover)
				}
			}(g)
		}
		wg.Wait()
	})
	if n := len(r.Slots(nil)); n != 16 {
		t.Errorf("%d slots, want 16", n)
	}
	if n := len(r.Cells(nil)); n != 8+8 {
		t.Errorf("%d cells, want 16", n)
	}
	if b := r.Bins(nil); len(b) != 1 || b[0].True != 1600 {
		t.Errorf("bins %v, want 1600 hits", b)
	}
}

func TestRandIsAStreamOfEachNode(t *testing.T) {
	draw := func(nodes ...int) (last uint64) {
		Seed(7)
		for _, n := range nodes {
			Node(n)
			last = Rand()
		}
		return last
	}
	if draw(1, 1, 2) != draw(2) {
		t.Error("draws of node 1 shift those of node 2")
	}
	if draw(1) == draw(1, 1) || draw(1) == draw(2) {
		t.Error("draws repeat")
	}
}

func TestFloatZerosAreOneValue(t *testing.T) {
	negative := math.Copysign(0, -1)
	if ordFloat(negative) != ordFloat(0) || HashFloat(Hash, negative) != HashFloat(Hash, 0) {
		t.Error("-0 and 0 differ")
	}
}

func TestTimelineShowsTheValuesOfATuple(t *testing.T) {
	id := Declare(VerbSet, "traced")
	var lines []string
	Trace(func(line string) { lines = append(lines, line) })
	defer Trace(nil)
	observed(t, func() {
		h := HashInt(Hash, -2)
		h = HashBool(h, true)
		h = HashString(h, "leader")
		SetTuple(id, HashFloat(h, 0.5))
	})
	if want := "    ijon set traced: -2, true, leader, 0.5"; len(lines) != 1 || lines[0] != want {
		t.Errorf("timeline %q, want %q", lines, want)
	}
}
