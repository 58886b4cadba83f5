package ijon

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
)

func cells(t *testing.T, f func()) int { return len(observed(t, f).Cells(nil)) }

func v(n uint64) uint64 { return HashUint(Hash, n) }

func TestStateCountsStepsOfEachInstance(t *testing.T) {
	id := Declare(VerbState, "role")
	tests := []struct {
		name string
		run  func()
		want int
	}{
		{"the first situation is a step from nothing", func() { State(id, 1, v(1)) }, 1},
		{"two instances that start alike make one step", func() { State(id, 1, v(1)); State(id, 2, v(1)) }, 1},
		{"a step is from the situation of the same instance", func() {
			State(id, 1, v(1))
			State(id, 2, v(2))
			State(id, 1, v(1)) // 1 => 1, and not 2 => 1
			State(id, 2, v(1)) // 2 => 1
		}, 4},
		{"there and back are two steps", func() { State(id, 1, v(1)); State(id, 1, v(2)); State(id, 1, v(1)) }, 3},
		{"the same step under another action is another", func() {
			State(id, 1, v(1))
			Action(id, v(7))
			State(id, 1, v(2))
			State(id, 1, v(1))
			Action(id, v(8))
			State(id, 1, v(2))
		}, 4},
		{"an action of one instance leaves the others", func() {
			State(id, 1, v(1))
			ActionBy(id, 1, v(7))
			State(id, 2, v(1))
		}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := cells(t, tt.run); got != tt.want {
				t.Errorf("%d cells, want %d", got, tt.want)
			}
		})
	}
}

func TestStateStartsAnewInEachRun(t *testing.T) {
	id := Declare(VerbState, "anew")
	first := observed(t, func() { State(id, 1, v(1)) }).Cells(nil)
	again := observed(t, func() { State(id, 1, v(1)) }).Cells(nil)
	if len(first) != 1 || len(again) != 1 || first[0].Element != again[0].Element {
		t.Errorf("cells %v, then %v", first, again)
	}
}

func TestMoreInstancesThanThereIsRoomForAreCounted(t *testing.T) {
	id := Declare(VerbState, "many")
	before := m.dropped
	n := len(observed(t, func() {
		for i := uint64(0); i < numInstances+10; i++ {
			State(id, i, v(i))
		}
	}).Cells(nil))
	if n == 0 || m.dropped == before {
		t.Errorf("%d cells, %d dropped", n, m.dropped-before)
	}
	if n := cells(t, func() { State(id, 1, v(1)) }); n != 1 {
		t.Errorf("%d cells in the next run, want 1", n)
	}
}

func TestContextIsFoldedInUntilItIsLeft(t *testing.T) {
	set := Declare(VerbSet, "ctx")
	report := func() { SetTuple(set, v(1)) }
	tests := []struct {
		name string
		run  func()
		want int
	}{
		{"outside and inside", func() {
			report()
			f := CtxEnter()
			Ctx(1, v(5))
			report()
			CtxExit(f)
			report()
		}, 2},
		{"two contexts", func() {
			f := CtxEnter()
			Ctx(1, v(5))
			report()
			CtxLeave(0)
			Ctx(1, v(6))
			report()
			CtxExit(f)
		}, 2},
		{"the same context twice", func() {
			f := CtxEnter()
			for i := 0; i < 2; i++ {
				Ctx(1, v(5))
				report()
				CtxLeave(0)
			}
			CtxExit(f)
		}, 1},
		{"nested, also in a callee, and left together", func() {
			f := CtxEnter()
			Ctx(1, v(5))
			report()
			g := CtxEnter()
			Ctx(1, v(5))
			report()
			Ctx(2, v(5))
			report()
			CtxExit(g)
			report()
			CtxExit(f)
			report()
		}, 4},
		{"a directive that was jumped over", func() {
			f := CtxEnter()
			Ctx(1, v(4))
			CtxLeave(0)
			Ctx(2, v(5)) // level 1 was skipped by a goto
			CtxLeave(1)
			report() // as outside
			CtxExit(f)
			report()
		}, 1},
		{"deeper than there is room for", func() {
			f := CtxEnter()
			for i := 1; i <= maxContext+2; i++ {
				Ctx(i, v(5))
			}
			report()
			CtxExit(f)
			report()
		}, 2},
		{"xor holds to the end, twice is not at all", func() { Xor(v(9)); report(); Xor(v(9)); report() }, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := cells(t, tt.run); got != tt.want {
				t.Errorf("%d cells, want %d", got, tt.want)
			}
			if got := cells(t, report); got != 1 || ctxNow != 0 || xorNow != 0 {
				t.Errorf("the next run starts in a context")
			}
		})
	}
}

func TestContextOfAnEarlierRunChangesNothing(t *testing.T) {
	var f Frame
	observed(t, func() { f = CtxEnter(); Ctx(1, v(5)) })
	observed(t, func() {
		g := CtxEnter()
		Ctx(1, v(6))
		in := ctxNow
		CtxExit(f)
		if ctxNow != in || in == 0 {
			t.Error("the frame of an earlier run closed one of this")
		}
		CtxExit(g)
	})
}

func TestContextsOfSeveralGoroutinesAreAmbiguous(t *testing.T) {
	set := Declare(VerbSet, "ambiguous")
	use := func() {
		f := CtxEnter()
		defer CtxExit(f)
		Ctx(1, v(5))
		SetTuple(set, v(1))
	}
	ambiguous = 0
	observed(t, func() {
		for i := 0; i < 2*lookEvery; i++ {
			use()
		}
	})
	if CtxAmbiguous() {
		t.Error("one goroutine is ambiguous")
	}
	observed(t, func() {
		use()
		var wg sync.WaitGroup
		for g := 0; g < 2; g++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := 0; i < 2*lookEvery; i++ {
					use()
				}
			}()
		}
		wg.Wait()
	})
	if !CtxAmbiguous() {
		t.Error("three goroutines went unnoticed")
	}
	ambiguous = 0
}

func TestStackIsAKeyOfTheCallers(t *testing.T) {
	observed(t, func() {
		key := func() uint64 { return Stack() }
		var keys [2]uint64
		for i := range keys {
			keys[i] = key()
		}
		if keys[0] != keys[1] {
			t.Error("two calls from one place have two keys")
		}
		if other := key(); other == keys[0] {
			t.Error("two places have one key")
		}
	})
}

func TestUntilRetiresAReachedSlot(t *testing.T) {
	id := Declare(VerbMax, "retired")
	retired := func(f func()) bool {
		for _, s := range observed(t, f).Slots(nil) {
			if s.ID == id {
				return s.Retired
			}
		}
		return false
	}
	if !retired(func() { MaxUint(id, 3); Until(id, 0, true) }) {
		t.Error("not retired")
	}
	if retired(func() { Until(id, 0, true); MaxUint(id, 3) }) {
		t.Error("retired before it had a value")
	}
	if retired(func() { MaxUint(id, 3); Until(id, 0, false) }) {
		t.Error("retired by a false condition, or by an earlier run")
	}
}

func TestUnreachableFailsTheRun(t *testing.T) {
	id := Declare(VerbUnreachable, "split")
	r := observed(t, func() {
		defer func() {
			if v, ok := recover().(*Violation); !ok || v.Oracle != "unreachable split" {
				t.Errorf("panicked with %v", v)
			}
		}()
		Unreachable(id)
	})
	if b := r.Bins(nil); len(b) != 1 || b[0].True != 1 || r.Oracle() != "unreachable split" {
		t.Errorf("bins %v, oracle %q", b, r.Oracle())
	}
}

func TestSituationsAreInertWithoutAnEngine(t *testing.T) {
	observed(t, func() {})
	disable()
	id := Declare(VerbState, "inert")
	f := CtxEnter()
	Ctx(1, v(1))
	Xor(v(1))
	State(id, 0, v(1))
	Action(id, v(1))
	Until(id, 0, true)
	CtxLeave(0)
	CtxExit(f)
	if n := len(Run{}.Cells(nil)); n != 0 || ctxNow != 0 || xorNow != 0 || Stack() != 0 {
		t.Errorf("%d cells, context %x, xor %x", n, ctxNow, xorNow)
	}
}

// Meant for -race: instances, actions and contexts may be shared.
func TestSituationsOnManyGoroutines(t *testing.T) {
	state, set := Declare(VerbState, "shared"), Declare(VerbSet, "shared")
	stack := Declare(VerbStackMax, "shared")
	r := observed(t, func() {
		var wg sync.WaitGroup
		for g := 0; g < 8; g++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := uint64(0); i < 200; i++ {
					f := CtxEnter()
					Ctx(1, v(i%3))
					Action(state, v(i%2))
					State(state, i%4, v(i%8))
					Set(set, v(i%4))
					MaxUintBy(stack, Stack(), i)
					Until(stack, Stack(), i > 100)
					Xor(v(i))
					CtxLeave(0)
					CtxExit(f)
				}
			}()
		}
		wg.Wait()
	})
	if len(r.Cells(nil)) == 0 || len(r.Slots(nil)) == 0 {
		t.Error("nothing was observed")
	}
	ambiguous = 0
}

func TestSituationsDoNotAllocate(t *testing.T) {
	state, stack := Declare(VerbState, "alloc"), Declare(VerbStackMax, "alloc")
	observed(t, func() {
		n := testing.AllocsPerRun(200, func() {
			f := CtxEnter()
			Ctx(1, v(1))
			Action(state, v(1))
			State(state, 1, v(2))
			MaxUintBy(stack, Stack(), 1)
			CtxExit(f)
		})
		if n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestTimelineShowsStepsAndContexts(t *testing.T) {
	state, set := Declare(VerbState, "role shown"), Declare(VerbSet, "shown")
	var lines []string
	Trace(func(line string) { lines = append(lines, line) })
	defer Trace(nil)
	observed(t, func() {
		State(state, 1, HashString(Hash, "follower"))
		Action(state, HashString(Hash, "hup"))
		State(state, 1, HashString(Hash, "candidate"))
		f := CtxEnter()
		Ctx(1, v(5))
		SetTuple(set, HashInt(Hash, 3))
		CtxExit(f)
	})
	want := []string{
		"    ijon state role shown: follower",
		"    ijon state role shown: follower => candidate by hup",
		fmt.Sprintf("    ijon set shown: 3 in context #%04x", uint16(mix(v(5)))),
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("timeline %q, want %q", lines, want)
	}
}

// Meant for -race: the goroutine that drives the run ends events while others
// report.
func TestStepWhileOthersReport(t *testing.T) {
	a, b := Declare(VerbSet, "stepped a"), Declare(VerbSet, "stepped b")
	r := observed(t, func() {
		var wg sync.WaitGroup
		for _, id := range []ID{a, b} {
			wg.Add(1)
			go func(id ID) {
				defer wg.Done()
				for i := uint64(0); i < 500; i++ {
					Set(id, v(i%4))
				}
			}(id)
		}
		for i := 0; i < 200; i++ {
			Step()
		}
		wg.Wait()
	})
	if n := len(r.Cells(nil)); n != 8 {
		t.Errorf("%d cells, want 8", n)
	}
	if n := len(r.Pairs(nil)); n == 0 {
		t.Error("no pairs")
	}
}
