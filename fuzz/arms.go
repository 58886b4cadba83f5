package fuzz

// An arm is a way of making inputs.
type arm int

const (
	armRandom arm = iota
	armArchive
	armEdges
	armSet
	armMax
	numArms
)

var armNames = [numArms]string{"random", "archive", "edges", "set", "max"}

const (
	floorOfLength = 0.02
	shareOfLength = 16 // a random run is at most one part in so many of the cost so far
	burst         = 8  // suffixes tried from one cell of the archive
	holePercent   = 50 // bursts of a hundred that go towards a hole
)

// floors are the shares of the cost that arms have for certain.
type floors struct{ random, archive, other float64 }

// Where crosses are declared they are what the search is for, and the archive
// is what finds their bins.
var (
	undeclared = floors{random: 1.0 / 3, archive: 0.05, other: 0.05}
	forBins    = floors{random: 0.25, archive: 0.55, other: 0.03}
)

// arms is the portfolio of the arms, and the one whose run is in hand.
type arms struct {
	*portfolio
	which  [numArms]arm // the arm of each part
	now    int          // part of the run in hand
	length int          // part of the lengths that it used; -1 if none

	bursting []byte // prefix to the archive's cell of the moment
	left     int    // suffixes to try from it
}

func newArms(guides channels, declared bool) *arms {
	a := &arms{length: -1}
	var parts []part
	add := func(which arm, floor float64) {
		a.which[len(parts)] = which
		parts = append(parts, part{name: armNames[which], floor: floor})
	}
	f := undeclared
	if declared {
		f = forBins
	}
	add(armRandom, f.random)
	for _, c := range []struct {
		arm   arm
		floor float64
		on    bool
	}{
		{armArchive, f.archive, guides[cells]},
		{armEdges, f.other, guides[edges]},
		{armSet, f.other, guides[set] || guides[bins]},
		{armMax, f.other, guides[slots]},
	} {
		if c.on {
			add(c.arm, c.floor)
		}
	}
	if len(parts) == 1 {
		parts[0].floor = 1
	}
	a.portfolio = newPortfolio(parts)
	return a
}

// newLengths is the portfolio of n lengths of random inputs.
func newLengths(n int) *portfolio {
	parts := make([]part, n)
	for i := range parts {
		parts[i].floor = floorOfLength
	}
	return newPortfolio(parts)
}

// explore makes an input in the way that is next.
func (s *search) explore() {
	a := s.arms
	a.length = -1
	if a.left > 0 {
		s.suffix()
		return
	}
	a.now = a.pick(s.ready())
	switch a.which[a.now] {
	case armRandom:
		s.random()
	case armArchive:
		s.burst()
	case armEdges:
		s.mutant(s.pool.byEdges.pick(s.rng))
	case armSet:
		s.mutant(s.pool.bySet.pick(s.rng))
	case armMax:
		s.further()
	}
}

// ready is the mask of the arms that have something to work on.
func (s *search) ready() (mask uint) {
	for i := range s.arms.parts {
		ok := true
		switch s.arms.which[i] {
		case armArchive:
			ok = len(s.seen.archive.cells) > 0
		case armEdges:
			ok = len(s.pool.byEdges.entries) > 0
		case armSet:
			ok = len(s.pool.bySet.entries) > 0
		case armMax:
			ok = len(s.seen.slots) > 0
		}
		if ok {
			mask |= 1 << uint(i)
		}
	}
	return mask
}

// random is a fresh input of the length that is next.
func (s *search) random() {
	s.arms.length = s.lengths.pick(s.affordable())
	s.buf = s.maker.Fresh(s.buf, s.sizes[s.arms.length])
	s.notes.lineage.from(0, anyReason)
}

// affordable is the mask of the lengths of which there may be a random run by
// now. In a guided search these are the shortest, and those that are a small
// part of the cost so far: it begins with many situations, of as many
// configurations, and not with a long run in one of them. Random search by
// itself gains nothing by that for its time.
func (s *search) affordable() (mask uint) {
	for i, n := range s.sizes {
		if i == 0 || !s.guides.any() || shareOfLength*float64(n) <= s.total {
			mask |= 1 << uint(i)
		}
	}
	return mask
}

// burst goes to a rare cell, or to one that is near to a hole.
func (s *search) burst() {
	c := s.goTo()
	if c == nil {
		s.random()
		return
	}
	s.arms.bursting, s.arms.left = c.input, burst
	s.notes.lineage.from(c.birth, int32(c.id))
	if c.believed {
		s.proving = c
	}
	s.suffix()
}

// goTo is the cell from which to explore.
func (s *search) goTo() *cell {
	a := s.seen.archive
	if a.goals.declared && s.rng.Intn(100) < s.holes {
		if c := a.towards(s.rng); c != nil {
			return c
		}
	}
	return a.pick(s.rng)
}

// suffix goes on from the cell of the burst.
func (s *search) suffix() {
	s.arms.left--
	s.goOn(s.arms.bursting, nil)
	s.buf = s.maker.Extend(append(s.buf[:0], s.arms.bursting...))
}

// mutant is a changed entry of the corpus.
func (s *search) mutant(parent *entry) {
	s.notes.lineage.from(parent.birth, anyReason)
	s.change(parent)
}

func (s *search) change(parent *entry) {
	s.buf = s.maker.Mutate(append(s.buf[:0], parent.Data...), &parent.Parent, s.pool.any(s.rng))
}

// A climb is how the run with the best value of a slot is used: one in so many
// changes it, and of the others, which go on from that value, one in so many
// goes on for long.
type climb struct{ mutants, long int }

// Where the value can be loaded, many short steps cost less than a few long
// ones, and lead further.
var (
	onFoot  = climb{mutants: 2, long: 1}
	byState = climb{mutants: 8, long: 4}
)

// further takes the run with the best value of a slot and changes it, or goes
// on from that value.
func (s *search) further() {
	best := s.seen.pickSlot(s.rng)
	if best == nil {
		s.random()
		return
	}
	s.notes.lineage.from(best.from.birth, int32(best.id))
	how := onFoot
	if s.states != nil {
		how = byState
	}
	if s.rng.Intn(how.mutants) == 0 {
		s.change(best.from)
		return
	}
	start := s.maker.Prefix(best.from.Data, best.events)
	s.goOn(start, best.from.base)
	s.buf = append(s.buf[:0], start...)
	s.buf = s.maker.Extend(s.buf)
	if s.rng.Intn(how.long) == 0 {
		s.buf = s.maker.Grow(s.buf, s.rng.Intn(s.sizes[s.rng.Intn(len(s.sizes))]))
	}
}
