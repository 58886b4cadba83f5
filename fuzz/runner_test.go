package fuzz

import (
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// TestTestingDoesNotGrow makes runs that leave subtests and log lines behind
// and looks for them in what testing keeps.
func TestTestingDoesNotGrow(t *testing.T) {
	const runs = 3 * maxBatch
	conduct(t, t, wire.Config{Seed: 1, Execs: runs, MaxLen: 16}, ijon.Layout{}, func(t *testing.T, _ []byte) {
		t.Log("talk")
		t.Run("sub", func(t *testing.T) { t.Log("more talk") })
	})
	in := inspect(t)
	if !in.known || !in.subNames.IsValid() || !in.barrier.IsValid() || !in.fuzzMode.IsValid() {
		t.Fatal("fields of testing.T are missing in this version of Go: runs are slow, and testing grows")
	}
	if n := in.subNames.Len(); n > maxBatch+10 {
		t.Errorf("%d names of subtests", n)
	}
	if n := in.output.Len(); n > 0 {
		t.Errorf("%d bytes of output", n)
	}
}

// TestRunsShareAT counts the tests that a campaign of quiet runs needs.
func TestRunsShareAT(t *testing.T) {
	tests := make(map[*testing.T]int)
	conduct(t, t, wire.Config{Seed: 1, Execs: 3 * maxBatch, MaxLen: 16}, ijon.Layout{}, func(t *testing.T, _ []byte) { tests[t]++ })
	if len(tests) != 3 {
		t.Errorf("%d", len(tests))
	}
}

// TestUserCodeCannotSpoilAnInput overwrites every input that it gets.
func TestUserCodeCannotSpoilAnInput(t *testing.T) {
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 3000, MaxLen: 64, Feedback: []string{"max"}}, ijon.Layout{}, func(_ *testing.T, in []byte) {
		ijon.MaxInt(depth, int64(len(in)))
		for i := range in {
			in[i] = 0xEE
		}
		_ = append(in, 0xEE)
	})
	if c.last.Corpus == 0 || c.last.Equal != c.last.Checked {
		t.Errorf("%+v", c.last)
	}
	for _, e := range c.search.pool.all {
		ee := 0
		for _, b := range e.Data {
			if b == 0xEE {
				ee++
			}
		}
		if len(e.Data) > 4 && ee == len(e.Data) {
			t.Errorf("entry %x", e.Data)
		}
	}
}

// TestAQuietRunDoesNotAllocate compares two campaigns, so that what a
// campaign allocates once does not count.
func TestAQuietRunDoesNotAllocate(t *testing.T) {
	allocs := func(runs uint64) float64 {
		return testing.AllocsPerRun(1, func() {
			conduct(t, t, wire.Config{Seed: 1, Execs: runs, MaxLen: 64, Feedback: everyChannel}, ijon.Layout{}, func(*testing.T, []byte) {})
		})
	}
	const few, many = 1000, 101000
	if n := (allocs(many) - allocs(few)) / (many - few); n > 0.1 {
		t.Errorf("%.2f allocations a run", n)
	}
}

// TestAPaddedHeaderHasTheSameSeed compares the randomness of an input with that
// of the same one as mutators see it.
func TestAPaddedHeaderHasTheSameSeed(t *testing.T) {
	defer ijon.Schedule(ijon.Declared())
	ijon.Schedule(ijon.Layout{Header: 4, Record: 6})
	if seedOf([]byte("ab")) != seedOf([]byte("ab\x00\x00")) || seedOf([]byte("abcd")) != seedOf([]byte("abcd123456")) {
		t.Error("padding changes the seed")
	}
	if seedOf([]byte("ab")) == seedOf([]byte("ac")) {
		t.Error("two headers have one seed")
	}
}
