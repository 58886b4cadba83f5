package ijon

import (
	"strings"
	"testing"
)

// TestOperandsAreNotedOnRequest compares in two runs, of which one is listened
// to, and then in a third one.
func TestOperandsAreNotedOnRequest(t *testing.T) {
	id, word := Declare(VerbCmp, "operands"), Declare(VerbStrDist, "operands")
	compare := func() {
		Cmp(id, 0, 7, 9)
		Cmp(id, 0, 7, 9) // once is enough
		Cmp(id, 0, 9, 9) // nothing to learn
		DistInt(id, 0, -1, 5)
		StrDist(word, 0, "open", strings.Repeat("x", 100))
		StrDistBytes(word, 0, []byte("a"), []byte("b"))
	}
	if r := observed(t, compare); len(r.Operands(nil)) != 0 {
		t.Error("noted without a request")
	}
	NoteOperands(true)
	defer NoteOperands(false)
	got := observed(t, compare).Operands(nil)
	if len(got) != 4 {
		t.Fatalf("%d pairs", len(got))
	}
	if o := got[0]; o.ID != id || o.Text || o.A != 7 || o.B != 9 {
		t.Errorf("%+v", o)
	}
	if o := got[1]; o.A != ^uint64(0) || o.B != 5 {
		t.Errorf("%+v", o)
	}
	if o := got[2]; !o.Text || string(o.TextA.Bytes()) != "open" || string(o.TextB.Bytes()) != strings.Repeat("x", maxText) {
		t.Errorf("%+v", o)
	}
	if o := got[3]; string(o.TextA.Bytes()) != "a" || string(o.TextB.Bytes()) != "b" {
		t.Errorf("%+v", o)
	}
	NoteOperands(false)
	if r := observed(t, func() {}); len(r.Operands(nil)) != 0 {
		t.Error("left over from an earlier run")
	}
}

// TestOperandsOfALoopAreTheFirstAndTheLast keeps an annotation from taking up
// all the room.
func TestOperandsOfALoopAreTheFirstAndTheLast(t *testing.T) {
	id, other := Declare(VerbCmp, "operands"), Declare(VerbCmp, "other operands")
	NoteOperands(true)
	defer NoteOperands(false)
	got := observed(t, func() {
		for n := uint64(1); n <= 1000; n++ {
			Cmp(id, 0, n, 0)
		}
		Cmp(other, 0, 1, 2)
	}).Operands(nil)
	if len(got) != maxPairs+1 || got[0].A != 1 || got[maxPairs-2].A != maxPairs-1 || got[maxPairs-1].A != 1000 || got[maxPairs].ID != other {
		t.Errorf("%+v", got)
	}
}

func BenchmarkCmp(b *testing.B) {
	id := Declare(VerbCmp, "bench")
	for _, noted := range []bool{false, true} {
		name := "unnoted"
		if noted {
			name = "noted"
		}
		b.Run(name, func(b *testing.B) {
			NoteOperands(noted)
			defer NoteOperands(false)
			enabled(b)
			for i := 0; i < b.N; i++ {
				Cmp(id, 0, uint64(i)&7, 8)
			}
		})
	}
}
