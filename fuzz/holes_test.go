package fuzz

import (
	"fmt"
	"testing"

	"github.com/ijongo/ijongo/fuzz/mutate"
	ijon "github.com/ijongo/ijongo/runtime"
)

// items are a cross of two points, the transitions of one and a sequence.
func testItems() []ijon.Item {
	named := func(names ...string) (bins []ijon.BinInfo) {
		for _, name := range names {
			bins = append(bins, ijon.BinInfo{Name: name})
		}
		return bins
	}
	cross := ijon.Item{Kind: "cross"}
	for a := 0; a < 3; a++ {
		for b := 0; b < 2; b++ {
			cross.Bins = append(cross.Bins, ijon.BinInfo{Name: fmt.Sprint(a, "*", b), At: []int{a, b}})
		}
	}
	return []ijon.Item{
		cross,
		{Kind: "trans", Bins: named("A=>B", "B=>C", "C=>A", "A=>B=>C", "B[*2] => A")},
		{Kind: "seq", Bins: named("1/3 x", "2/3 y", "3/3 z")},
	}
}

// TestDistanceToAHole has, for a hole, the other bins of its item from the
// nearest to the farthest, and none from which there is no way.
func TestDistanceToAHole(t *testing.T) {
	cross, trans, seq := 0, 1, 2
	for _, c := range []struct {
		item    int
		hole    string
		nearest []string
	}{
		{cross, "0*0", []string{"0*1 1", "1*0 1", "2*0 1"}},
		{cross, "2*1", []string{"0*1 1", "1*1 1", "2*0 1"}},
		{trans, "A=>B", []string{"C=>A 2", "B[*2] => A 2", "A=>B=>C 3"}},
		{trans, "A=>B=>C", []string{"A=>B 2", "C=>A 4", "B[*2] => A 4"}},
		{trans, "B[*2] => A", []string{"A=>B 2", "B=>C 3", "A=>B=>C 3"}},
		{seq, "3/3 z", []string{"2/3 y 1", "1/3 x 2"}},
		{seq, "1/3 x", nil},
	} {
		declared := testItems()[c.item]
		i := newItem(0, &declared)
		hole := int32(-1)
		for k, b := range declared.Bins {
			if b.Name == c.hole {
				hole = int32(k)
			}
		}
		var got []string
		for far := 1; far < 10; far++ {
			for k, b := range declared.Bins {
				if int32(k) != hole && i.distance(hole, int32(k)) == far {
					got = append(got, fmt.Sprint(b.Name, " ", far))
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.nearest) {
			t.Errorf("%s: %q, want %q", c.hole, got, c.nearest)
		}
	}
}

// declaredGoals is goals with these items alone.
func declaredGoals(items ...ijon.Item) *goals {
	n := newNotes(channels{cells: true}, "")
	n.sources = n.sources[:itemIDs]
	g := &goals{notes: n}
	first := 0
	for k := range items {
		items[k].First = first
		first += len(items[k].Bins)
		n.sources = append(n.sources, source{verb: items[k].Kind})
		g.add(&items[k])
	}
	return g
}

func hits(bin uint32, n uint64) *feedback {
	return &feedback{bins: []ijon.Touch{{Element: bin}}, binHits: []uint64{n}}
}

// TestHolesAreDrawnByWeight covers all but one bin of a cross that weighs five
// times as much as a sequence.
func TestHolesAreDrawnByWeight(t *testing.T) {
	items := testItems()
	items[0].Weight = 5
	g := declaredGoals(items[0], items[2])
	for _, i := range []int{0, 6} {
		g.reach(i)
	}
	for bin := uint32(0); bin < 5; bin++ {
		g.count(hits(bin, 1))
	}
	if got := fmt.Sprint(g.items[0].holes); got != "[5]" {
		t.Errorf("holes of the cross: %s", got)
	}
	r, drawn := mutate.NewRNG(1, 0, 0), map[string]int{}
	for n := 0; n < 8000; n++ {
		drawn[g.drawItem(r).kind]++
	}
	if n := drawn["cross"]; n < 4800 || n > 5200 { // of 5 + 3 parts
		t.Errorf("%v", drawn)
	}
}

// TestAtLeastManyHitsCoverAHole counts over several runs.
func TestAtLeastManyHitsCoverAHole(t *testing.T) {
	seq := testItems()[2]
	seq.AtLeast = 5
	g := declaredGoals(seq)
	for _, c := range []struct {
		hits  uint64
		holes int
	}{{2, 3}, {2, 3}, {2, 2}, {2, 2}} {
		g.count(hits(1, c.hits))
		if n := len(g.items[0].holes); n != c.holes {
			t.Errorf("%d holes, want %d", n, c.holes)
		}
	}
}

// TestTowardsIsTheRarestOfTheNearest has two cells of a cross next to a hole
// and one far from it.
func TestTowardsIsTheRarestOfTheNearest(t *testing.T) {
	g := declaredGoals(testItems()[0])
	a := newArchive(g.notes, g)
	for bin, visits := range map[int]int{0: 50, 1: 20, 2: 7} { // 0*0, 0*1, 1*0
		a.take(binElements+bin, ijon.Touch{ID: itemIDs}, new(way))
		a.cells[len(a.cells)-1].visits = visits
	}
	for bin := uint32(0); bin < 5; bin++ {
		g.count(hits(bin, 1)) // but 2*1
	}
	if c := a.towards(mutate.NewRNG(1, 0, 0)); c == nil || c.visits != 20 || c.picks != 1 {
		t.Errorf("%+v", c)
	}
	g.count(hits(5, 1))
	if c := a.towards(mutate.NewRNG(1, 0, 0)); c != nil {
		t.Errorf("towards nothing: %+v", c)
	}
}

// TestOnlyWhatHasTheGoalGuides has two groups of the same points.
func TestOnlyWhatHasTheGoalGuides(t *testing.T) {
	spec := clusterSpec("with a goal", false)
	spec.Goal = "depth"
	ijon.DeclareGroup(spec)
	g := newGoals(newNotes(channels{cells: true}, "depth"))
	for _, i := range ijon.Items() {
		first := g.bins[i.First]
		if want := i.Goal == "depth" && first.cell; (first.hole > 0) != want {
			t.Errorf("%s %s.%s of goal %q: hole %d", i.Kind, i.Group, i.Name, i.Goal, first.hole)
		}
	}
	if !g.declared {
		t.Error("nothing is declared")
	}
}

// TestPairsAreCellsWhereNothingIsDeclared, and where they are asked for.
func TestPairsAreCellsWhereNothingIsDeclared(t *testing.T) {
	f := &feedback{pairs: []ijon.Touch{{Element: 1}}, units: 1}
	for _, c := range []struct {
		declared, pairs bool
		cells           int
	}{{false, false, 1}, {true, false, 0}, {true, true, 1}} {
		n := newNotes(channels{cells: true}, "")
		g := &goals{notes: n, declared: c.declared}
		a := newArchive(n, g)
		a.pairs = c.pairs
		if got := a.look(f).cells; got != c.cells {
			t.Errorf("%+v: %d cells", c, got)
		}
	}
}
