package fuzz

import (
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

var (
	opened = ijon.Declare(ijon.VerbMax, "opened")
	dead   = ijon.Declare(ijon.VerbMax, "dead end")
)

// TestAnAnnotationIsCreditedWithWhatItLedTo has a lock that opens byte by
// byte, which one annotation tells of; another one tells of what leads nowhere.
func TestAnAnnotationIsCreditedWithWhatItLedTo(t *testing.T) {
	const code = "lock"
	lock := func(t *testing.T, in []byte) {
		n := 0
		for n < len(in) && n < len(code) && in[n] == code[n] {
			n++
		}
		ijon.MaxInt(opened, int64(n))
		if len(in) > 0 && in[0] == 0xFF {
			ijon.MaxInt(dead, 1)
		}
		if n == len(code) {
			panic("open")
		}
	}
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 1 << 20, MaxLen: 64, Feedback: []string{"max"}}, ijon.Layout{}, lock)
	yields := make(map[string]wire.Yield)
	for _, y := range c.last.Why.Yields {
		yields[y.Name] = y
	}
	if y := yields["opened"]; y.Admitted < 3 || y.Led < 2 || y.Failures != 1 || y.Runs == 0 || y.Cost == 0 {
		t.Errorf("%+v", y)
	}
	if y := yields["dead end"]; y.Admitted != 1 || y.Led > 1 || y.Failures != 0 || y.Runs == 0 {
		t.Errorf("%+v", y)
	}
	if w := c.last.Why; w.Finds < 4 || w.Cost <= yields["opened"].Cost || w.Sampled != c.last.Execs/sampleEvery {
		t.Errorf("%+v of %d runs", w, c.last.Execs)
	}
}

// TestAncestorsAreCreditedWithAFailure keeps a line of three inputs, each for
// another reason.
func TestAncestorsAreCreditedWithAFailure(t *testing.T) {
	var ids []ijon.ID
	for _, name := range []string{"first", "second", "third", "aside"} {
		ids = append(ids, ijon.Declare(ijon.VerbMax, t.Name()+" "+name))
	}
	n := newNotes(channels{slots: true}, "")
	for _, id := range ids {
		n.keep(false)
		n.admit(slots, id)
		n.admit(slots, id)
		n.kept()
		if id != ids[2] {
			n.lineage.from(n.lineage.current(), anyReason)
		} else {
			n.lineage.from(0, anyReason)
		}
	}
	n.lineage.from(3, int32(ids[2]))
	n.blame()
	n.blame()
	for k, want := range []uint64{2, 2, 2, 0} {
		if y := n.sources[ids[k]].yield; y.failures != want || y.admitted != 1 {
			t.Errorf("%d: %+v", k, y)
		}
	}
}
