package fuzz

import (
	"testing"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// TestSecondRunsHaveATenth: not so many runs are made twice as bring something,
// and of all cells that were gone to the prefix has been seen to lead there.
func TestSecondRunsHaveATenth(t *testing.T) {
	dir := t.TempDir()
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 2000, MaxLen: 400, Corpus: dir, Queue: "w0", Feedback: everyChannel}, clusterLayout, guided)
	s := c.search
	if s.checking == 0 || s.checking > 1.2*s.total/checkEvery {
		t.Errorf("second runs cost %.0f of %.0f", s.checking, s.total)
	}
	if c.last.Checked != c.last.Equal {
		t.Errorf("%d checked, %d equal", c.last.Checked, c.last.Equal)
	}
	believed := 0
	for _, cell := range s.seen.archive.cells {
		if cell.believed {
			believed++
			if cell.picks > 0 {
				t.Errorf("%d picks of a cell that is only believed", cell.picks)
			}
		}
	}
	t.Logf("%d of %d cells are believed", believed, len(s.seen.archive.cells))
	entries, err := corpus.Files(dir, "w0")
	if err != nil || len(entries) != c.last.Corpus {
		t.Errorf("%d entries on disk, %d in memory, %v", len(entries), c.last.Corpus, err)
	}
}

// TestAFalseBeliefIsGivenUp: cells that come by chance are barred when a run
// that goes back to them does not find them, and none is in the corpus.
func TestAFalseBeliefIsGivenUp(t *testing.T) {
	noise := mutate.NewRNG(7, 0, 0)
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 2000, MaxLen: 400, Feedback: []string{"archive"}}, clusterLayout, func(_ *testing.T, in []byte) {
		play(in, func(c *cluster, n int) {
			at := c.sample(n)
			at[pTail] = noise.Intn(points[pTail].bins)
			guiding.Sample(uint64(n), 0, at[:]...)
		})
	})
	if c.last.Equal >= c.last.Checked || len(c.last.Wobbling) == 0 {
		t.Errorf("%d of %d equal; %v", c.last.Equal, c.last.Checked, c.last.Wobbling)
	}
	for _, cell := range c.search.seen.archive.cells {
		if (cell.input == nil) != (c.search.seen.archive.index[cell.element] == barred) {
			t.Error("a cell has a prefix and is barred, or neither")
		}
	}
}

// TestWhatComesAtRestIsNoCell: an input that goes on does not lead to what the
// harness does after the last event. It is kept as it is.
func TestWhatComesAtRestIsNoCell(t *testing.T) {
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 500, MaxLen: 100, Feedback: everyChannel}, clusterLayout, func(_ *testing.T, in []byte) {
		var last cluster
		play(in, func(c *cluster, n int) { last = *c })
		at := last.sample(0)
		guiding.Sample(0, 0, at[:]...)
	})
	if n := len(c.search.seen.archive.cells); n > 0 {
		t.Errorf("%d cells", n)
	}
	if c.last.Corpus == 0 || c.last.Checked != c.last.Equal {
		t.Errorf("%d entries, %d of %d equal", c.last.Corpus, c.last.Equal, c.last.Checked)
	}
}

// TestBytesAreNotBelieved: a continuation of mere bytes need not come by where
// they led, and is no second run.
func TestBytesAreNotBelieved(t *testing.T) {
	id := ijon.Declare(ijon.VerbSet, "length of bytes")
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 3000, MaxLen: 64, Feedback: everyChannel}, ijon.Layout{}, func(_ *testing.T, in []byte) {
		ijon.Set(id, ijon.HashInt(ijon.Hash, int64(len(in))))
	})
	if c.last.Checked == 0 || c.last.Checked != c.last.Equal || len(c.last.Wobbling) > 0 {
		t.Errorf("%d of %d equal; %v", c.last.Equal, c.last.Checked, c.last.Wobbling)
	}
}
