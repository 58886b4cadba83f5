package ijon

import (
	"errors"
	"fmt"
	"math/bits"
)

// transitions are those of one point. The ones between two bins are looked up;
// the others are paths.
type transitions struct {
	point int
	bins  int    // of the point
	pairs []cell // from*bins + to; nil if there are none
	paths []path
	word  int // of an instance: the bin before, plus 1; the states of the paths follow
}

// A path is a nondeterministic automaton in the bits of a word: bit i is set
// while an attempt has i positions behind it. All attempts move at once, as in
// Shift-And (Baeza-Yates and Gonnet, "A new approach to text searching", 1992).
type path struct {
	cell  cell
	match []uint64 // of each bin: the bits that move on
	wait  uint64   // bits that stay when their bin does not come
	may   uint64   // bits from which the rest of a repetition may be left out
	skip  []uint64 // of such a bit: where it may be as well
	final uint64
}

// maxPositions bounds the positions of a path: a bit each, and one before.
const maxPositions = 63

// step moves all attempts. A bin of -1 is a value outside of all.
func (p *path) step(state uint64, bin int) uint64 {
	match := uint64(0)
	if bin >= 0 {
		match = p.match[bin]
	}
	next := (state | 1) & match << 1
	for m := next & p.may; m != 0; m &= m - 1 {
		next |= p.skip[bits.TrailingZeros64(m)]
	}
	return next | state&p.wait&^match
}

// sample moves to the bin that the point is in now.
func (t *transitions) sample(words []uint64, bins []int, bad cell) cell {
	bin := bins[t.point]
	if bin == NotSampled || bin == Panicked {
		return bad
	}
	if bin == Outside {
		bin = -1
	}
	before := int(words[t.word]) - 1
	words[t.word] = uint64(bin + 1)
	if t.pairs != nil && before >= 0 && bin >= 0 {
		bad = hitCell(t.pairs[before*t.bins+bin], bad)
	}
	for i := range t.paths {
		p := &t.paths[i]
		state := p.step(words[t.word+1+i], bin)
		if state&p.final != 0 {
			bad = hitCell(p.cell, bad)
		}
		words[t.word+1+i] = state &^ p.final
	}
	return bad
}

func (b *builder) trans(s *TransSpec) error {
	if err := b.begin("trans", &s.ItemSpec); err != nil {
		return err
	}
	p, err := b.onPoint(s.Point)
	if err != nil {
		return err
	}
	t := transitions{point: s.Point, bins: len(p.Bins), word: b.word()}
	listed := make(map[string]bool)
	for i := range s.Paths {
		path := &s.Paths[i]
		if err := b.path(&t, p, path, listed); err != nil {
			return fmt.Errorf("path %s: %v", pathName(p, path), err)
		}
	}
	if s.All {
		if err := b.allPairs(&t, p, s.Paths); err != nil {
			return err
		}
	}
	if len(b.item().Bins) == 0 {
		return errors.New("it has no bins")
	}
	b.group.trans = append(b.group.trans, t)
	return nil
}

// path adds one listed transition.
func (b *builder) path(t *transitions, p *PointSpec, s *PathSpec, listed map[string]bool) error {
	if err := checkPath(p, s); err != nil {
		return err
	}
	steps := fmt.Sprint(s.Steps)
	if listed[steps] {
		return errors.New("it is listed twice")
	}
	listed[steps] = true
	if s.Kind == Ignore {
		return nil
	}
	from, to, pair := s.pair()
	info := BinInfo{Name: pathName(p, s), Kind: s.Kind}
	if pair {
		info.At = []int{from, to}
	}
	c, err := b.bin(info)
	if err != nil {
		return err
	}
	if pair {
		t.setPair(from, to, c)
		return nil
	}
	b.word()
	t.paths = append(t.paths, newPath(c, len(p.Bins), s.Steps))
	return nil
}

// allPairs adds the pairs of different bins that are not listed.
func (b *builder) allPairs(t *transitions, p *PointSpec, paths []PathSpec) error {
	listed := make(map[[2]int]bool)
	for i := range paths {
		if from, to, pair := paths[i].pair(); pair {
			listed[[2]int{from, to}] = true
		}
	}
	for from := range p.Bins {
		for to := range p.Bins {
			if from == to || listed[[2]int{from, to}] || p.Bins[from].Kind == Never || p.Bins[to].Kind == Never {
				continue
			}
			c, err := b.bin(BinInfo{Name: p.Bins[from].Name + "=>" + p.Bins[to].Name, At: []int{from, to}})
			if err != nil {
				return err
			}
			t.setPair(from, to, c)
		}
	}
	return nil
}

func (t *transitions) setPair(from, to int, c cell) {
	if t.pairs == nil {
		t.pairs = make([]cell, t.bins*t.bins)
		for i := range t.pairs {
			t.pairs[i] = noCell
		}
	}
	t.pairs[from*t.bins+to] = c
}

// pair tells whether a path is a transition between two bins.
func (s *PathSpec) pair() (from, to int, ok bool) {
	if len(s.Steps) != 2 || !s.Steps[0].once() || !s.Steps[1].once() {
		return 0, 0, false
	}
	return s.Steps[0].Bin, s.Steps[1].Bin, true
}

func (s StepSpec) once() bool { return s.Goto <= 1 && s.Max <= 1 && s.Goto == 0 }

func checkPath(p *PointSpec, s *PathSpec) error {
	if s.Kind != Goal && s.Kind != Never && s.Kind != Ignore {
		return fmt.Errorf("kind %q, want Goal, Never or Ignore", s.Kind)
	}
	positions := 0
	for _, step := range s.Steps {
		switch {
		case step.Bin < 0 || step.Bin >= len(p.Bins):
			return fmt.Errorf("there is no bin %d: point %s has %d", step.Bin, p.Name, len(p.Bins))
		case step.Goto < 0 || step.Min < 0 || step.Max < step.Min || step.Max > 0 && step.Min == 0:
			return errors.New("a step is repeated Min to Max times, with 1 <= Min <= Max")
		case step.Goto > 0 && step.Max > 0:
			return errors.New("a step has a repetition or a Goto, not both")
		}
		positions += step.positions()
		if positions > maxPositions {
			return fmt.Errorf("more than %d samples", maxPositions)
		}
	}
	if positions < 2 {
		return errors.New("a transition has two steps or more")
	}
	return nil
}

func (s StepSpec) positions() int {
	switch {
	case s.Goto > 0:
		return s.Goto
	case s.Max > 0:
		return s.Max
	}
	return 1
}

func newPath(c cell, bins int, steps []StepSpec) path {
	p := path{cell: c, match: make([]uint64, bins), skip: make([]uint64, maxPositions+1)}
	at := 0
	for _, s := range steps {
		n := s.positions()
		for i := at; i < at+n; i++ {
			p.match[s.Bin] |= 1 << uint(i)
			if s.Goto > 0 {
				p.wait |= 1 << uint(i)
			}
		}
		for i := s.Min; s.Max > 0 && i < s.Max; i++ {
			p.may |= 1 << uint(at+i)
			p.skip[at+i] = 1 << uint(at+n)
		}
		at += n
	}
	p.final = 1 << uint(at)
	return p
}

// pathName is a path as written.
func pathName(p *PointSpec, s *PathSpec) string {
	if s.Name != "" {
		return s.Name
	}
	name := ""
	for i, step := range s.Steps {
		if i > 0 {
			name += "=>"
		}
		if step.Bin >= 0 && step.Bin < len(p.Bins) {
			name += p.Bins[step.Bin].Name
		} else {
			name += "?"
		}
		switch {
		case step.Goto > 0:
			name += fmt.Sprintf("[->%d]", step.Goto)
		case step.Min < step.Max:
			name += fmt.Sprintf("[*%d..%d]", step.Min, step.Max)
		case step.Max > 1:
			name += fmt.Sprintf("[*%d]", step.Max)
		}
	}
	return name
}
