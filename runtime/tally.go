package ijon

import (
	"math/bits"
	"sync/atomic"
)

// maxTallies bounds the tuples of a group that are counted as one in a run.
const maxTallies = 512

// A tally counts the samples of a group by their tuple of bins. The first of a
// tuple in a run hits its bins, which is when they are new; each further one is
// a single count, that goes to the bins when somebody asks for hits. It is of
// the runs of an engine: a process that writes coverage hits every bin at once,
// because it may be killed.
type tally struct {
	tuples []tuple // in open addressing; nil if a tuple does not fit a key
	used   []uint16
	bins   []int // to take a key apart
}

type tuple struct {
	key  uint64 // plus 1; 0 is free
	more uint64 // samples that are not among the hits
	bad  cell   // the first Never one
}

// unsettled tells whether some tuple has samples that are not among the hits.
var unsettled uint32

func (t *tally) make(points []point) {
	size := uint64(1)
	for _, p := range points {
		over, low := bits.Mul64(size, uint64(len(p)))
		if size = low; over != 0 || low == ^uint64(0) {
			return
		}
	}
	t.tuples = make([]tuple, maxTallies)
	t.used = make([]uint16, 0, maxTallies)
	t.bins = make([]int, len(points))
}

// find finds or makes the tuple with a key; nil when there are too many.
func (t *tally) find(key uint64) (u *tuple, known bool) {
	if t.tuples == nil {
		return nil, false
	}
	key++
	for i := mix(key) % maxTallies; ; i = (i + 1) % maxTallies {
		switch u = &t.tuples[i]; {
		case u.key == key:
			return u, true
		case u.key != 0:
		case len(t.used) == maxTallies*3/4:
			return nil, false
		default:
			u.key = key
			t.used = append(t.used, uint16(i))
			return u, false
		}
	}
}

func (t *tally) clear() {
	for _, i := range t.used {
		t.tuples[i] = tuple{}
	}
	t.used = t.used[:0]
}

// count counts the bins of a sample, as hit does.
func (g *Group) count(key uint64, bins []int) cell {
	u, known := g.tally.find(key)
	switch {
	case u == nil:
		return g.hit(bins)
	case !known:
		u.bad = g.hit(bins)
	default:
		if u.more++; u.more == 1 {
			atomic.StoreUint32(&unsettled, 1)
		}
	}
	return u.bad
}

// settle adds what the tally has to the hits.
func (g *Group) settle() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, i := range g.tally.used {
		u := &g.tally.tuples[i]
		if u.more == 0 {
			continue
		}
		key := u.key - 1
		for k := len(g.points) - 1; k >= 0; k-- {
			n := uint64(len(g.points[k]))
			g.tally.bins[k] = int(key%n) - beforeBins
			key /= n
		}
		g.add(g.tally.bins, u.more)
		u.more = 0
	}
}

// add hits the bins of a tuple that has been hit before n times more.
func (g *Group) add(bins []int, n uint64) {
	for i, p := range g.points {
		addHits(p[bins[i]+beforeBins], n)
	}
	for i := range g.crosses {
		x := &g.crosses[i]
		if at := place(x.axes, bins); at != absent {
			addHits(x.cells[at], n)
		}
	}
}

func addHits(c cell, n uint64) {
	if c != noCell {
		atomic.AddUint64(&hits[c&^neverCell], n)
	}
}

// settle makes the hits of all groups complete. What reads hits calls it.
func (r *registry) settle() {
	if atomic.SwapUint32(&unsettled, 0) == 0 {
		return
	}
	r.Lock()
	groups := r.groups
	r.Unlock()
	for _, g := range groups {
		g.settle()
	}
}
