package ijon

import (
	"fmt"
	"sync"
	"unsafe"
)

// A Group is a covergroup that was declared: tables that a sample looks up,
// and, where instances matter, what each of them did.
type Group struct {
	spec    *GroupSpec
	points  []point
	crosses []cross

	instanced []int // indices in Items of what depends on instances

	mu       sync.Mutex // of all that follows
	tally    tally
	live     live
	meetings []meeting
	trans    []transitions
	seqs     []sequence
}

// DeclareGroup declares a group of a harness. Call it from a package-level
// variable, so that the group is known before the first run and its holes are
// visible. It panics on a spec that makes no sense, and when another group of
// the same package and name was declared.
func DeclareGroup(spec GroupSpec) *Group {
	g, err := program.declareGroup(&spec)
	if err != nil {
		panic("ijon: DeclareGroup: " + err.Error())
	}
	return g
}

// Sample samples the group for the instance by. Bit j of events tells whether
// event j of the spec holds; bins[i] is the bin of point i, or NotSampled,
// Outside or Panicked. It panics if the sample does not fit the spec, and, as
// Always does, when a Never bin was hit. It may be called on any goroutine,
// does not allocate, and does nothing in a program that nobody observes.
func (g *Group) Sample(by, events uint64, bins ...int) {
	if counting {
		g.sample(by, nil, events, bins)
	}
}

// SampleObject is Sample for the instance that is the object to which a
// pointer points. The object is kept alive for as long as the group knows it,
// so that an address never stands for two instances of a run.
func (g *Group) SampleObject(pointer interface{}, events uint64, bins ...int) {
	if counting {
		g.sample(address(pointer), pointer, events, bins)
	}
}

// SampleGroup is Sample for the i-th group that the rewriter injected.
func SampleGroup(i int, by, events uint64, bins ...int) {
	if counting {
		program.injected[i].sample(by, nil, events, bins)
	}
}

// SampleObject is Group.SampleObject for the i-th group that the rewriter
// injected.
func SampleObject(i int, pointer interface{}, events uint64, bins ...int) {
	if counting {
		program.injected[i].sample(address(pointer), pointer, events, bins)
	}
}

// address is the address that an interface with a pointer in it holds.
func address(pointer interface{}) uint64 {
	return uint64((*[2]uintptr)(unsafe.Pointer(&pointer))[1])
}

// sample counts the bins of a sample. The first Never bin among them fails the
// run, when all have been counted.
func (g *Group) sample(by uint64, object interface{}, events uint64, bins []int) {
	if len(bins) != len(g.points) {
		panic(fmt.Sprintf("ijon: sample of group %s has %d bins, and the group %d points", g.spec.Name, len(bins), len(g.points)))
	}
	key := g.key(bins)
	bad := noCell
	switch {
	case on:
		g.mu.Lock()
		bad = g.count(key, bins)
		if g.live.words > 0 {
			bad = g.sampleInstance(by, object, events, bins, bad)
		}
		g.mu.Unlock()
	case g.live.words > 0:
		bad = g.hit(bins)
		g.mu.Lock()
		bad = g.sampleInstance(by, object, events, bins, bad)
		g.mu.Unlock()
	default:
		bad = g.hit(bins)
	}
	if bad != noCell {
		g.fail(bad)
	}
}

// key is a number for a tuple of bins, if there is room for that: see tally.
func (g *Group) key(bins []int) (key uint64) {
	for i, p := range g.points {
		bin := uint(bins[i] + beforeBins)
		if bin >= uint(len(p)) {
			panic(fmt.Sprintf("ijon: sample of group %s: point %s has no bin %d", g.spec.Name, g.spec.Points[i].Name, bins[i]))
		}
		key = key*uint64(len(p)) + uint64(bin)
	}
	return key
}

// hit counts the bins of a sample that do not depend on other samples, and
// returns the first Never one of them.
func (g *Group) hit(bins []int) cell {
	bad := noCell
	for i, p := range g.points {
		bad = hitCell(p[bins[i]+beforeBins], bad)
	}
	for i := range g.crosses {
		x := &g.crosses[i]
		if at := place(x.axes, bins); at != absent {
			bad = hitCell(x.cells[at], bad)
		}
	}
	return bad
}

// hitCell counts a cell of a sample, and returns the first Never one of it:
// the one so far, or this.
func hitCell(c, bad cell) cell {
	if c == noCell {
		return bad
	}
	hitBin(uint32(c &^ neverCell))
	if c >= neverCell && bad == noCell {
		return c
	}
	return bad
}

// fail fails the run for a Never bin.
func (g *Group) fail(c cell) {
	item, bin := program.find(uint32(c &^ neverCell))
	fail("never "+item.Title()+": "+bin.Name, item.Pos)
}

// forget forgets the instances, and what hits were not asked for.
func (g *Group) forget() {
	g.mu.Lock()
	g.tally.clear()
	g.live.clear()
	g.mu.Unlock()
}
