package fuzz

import ijon "github.com/ijongo/ijongo/runtime"

// goals is what the program's items ask a search to cover, and what of it
// has been seen.
type goals struct {
	notes    *notes
	bins     []bin // by number
	items    []item
	declared bool // there are situations that the user has declared
	archived bool // and the archive looks after them
}

// A bin is what the search knows of one of the program's.
type bin struct {
	item   int32
	wanted bool   // it is coverage: neither info nor never
	cell   bool   // it is a situation, to which the archive remembers the way
	seen   bool   // at least once
	hole   int32  // place among the holes of its item, plus 1; 0 is none
	hits   uint64 // while it is a hole
}

func newGoals(n *notes) *goals {
	g := &goals{notes: n}
	g.load()
	return g
}

// load takes up the items that have been declared since.
func (g *goals) load() {
	all := ijon.Items()
	for n := len(g.items); n < len(all); n++ {
		g.add(&all[n])
	}
}

func (g *goals) add(declared *ijon.Item) {
	i := newItem(len(g.items), declared)
	for k := range declared.Bins {
		b := bin{item: int32(len(g.items)), wanted: declared.Bins[k].Kind == ijon.Goal}
		b.cell = b.wanted && i.situations()
		if b.cell && !g.notes.muted(i.id) {
			g.declared = true
			i.holes = append(i.holes, int32(k))
			b.hole = int32(len(i.holes))
		}
		g.bins = append(g.bins, b)
	}
	g.items = append(g.items, i)
}

// bin is what is known of a bin that a run has hit.
func (g *goals) bin(number uint32) *bin {
	if int(number) >= len(g.bins) {
		g.load()
	}
	return &g.bins[number]
}

// see compares the bins of a run. What a muted item says is remembered and
// not counted, as are bins that are no goals, and the archive's.
func (g *goals) see(f *feedback, learn bool) (found int) {
	for _, t := range f.bins {
		b := g.bin(t.Element)
		if b.seen {
			continue
		}
		muted := !b.wanted || b.cell && g.archived && f.during(t) || g.notes.muted(t.ID)
		if muted {
			b.seen = true
			continue
		}
		if found++; learn {
			g.learn(b, t.ID)
		}
	}
	return found
}

func (g *goals) learn(b *bin, id ijon.ID) {
	if b.seen {
		return
	}
	b.seen = true
	if b.wanted {
		g.notes.admit(bins, id)
	}
}

// count adds the hits of a run to those of the holes.
func (g *goals) count(f *feedback) {
	for k, t := range f.bins {
		b := g.bin(t.Element)
		if b.hole == 0 {
			continue
		}
		i := &g.items[b.item]
		if b.hits += f.binHits[k]; b.hits >= i.atLeast {
			g.cover(i, b)
		}
	}
}

// reach notes that the archive knows the way to a bin.
func (g *goals) reach(bin int) {
	i := &g.items[g.bins[bin].item]
	i.cells = append(i.cells, int32(bin-i.first))
}

// cover ends a hole; the last one of its item takes its place.
func (g *goals) cover(i *item, b *bin) {
	last := i.holes[len(i.holes)-1]
	i.holes[b.hole-1] = last
	i.holes = i.holes[:len(i.holes)-1]
	g.bins[i.first+int(last)].hole = b.hole
	b.hole = 0
}
