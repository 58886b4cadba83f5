package ijon

import (
	"errors"
	"fmt"
)

// A cross is the cells of its tuples, the last axis fastest.
type cross struct {
	axes  []axis
	cells []cell
}

// An axis is a point, and how far apart the tuples are in which it is one bin
// further.
type axis struct{ point, stride int }

// A meeting is a cross over two instances: every live one is crossed with the
// one that is sampled, in both roles.
type meeting struct {
	cells []cell
	a, b  []axis
	word  int // of an instance: place of its tuple as a, plus 1, then as b
}

// absent is the place of a tuple that is not complete.
const absent = -1

// place is where the tuple of a sample is in the cells, as far as it lies on
// these axes.
func place(axes []axis, bins []int) int {
	at := 0
	for i := range axes {
		bin := bins[axes[i].point]
		if bin < 0 {
			return absent
		}
		at += bin * axes[i].stride
	}
	return at
}

// sample crosses an instance with all others.
func (m *meeting) sample(l *live, i int, bins []int, bad cell) cell {
	a, b := place(m.a, bins), place(m.b, bins)
	words := l.of(i)
	words[m.word], words[m.word+1] = uint64(a+1), uint64(b+1)
	for other := 0; other < l.n; other++ {
		if other == i {
			continue
		}
		at := other*l.words + m.word
		if as := int(l.state[at]) - 1; as != absent && b != absent {
			bad = hitCell(m.cells[as+b], bad)
		}
		if bs := int(l.state[at+1]) - 1; bs != absent && a != absent {
			bad = hitCell(m.cells[a+bs], bad)
		}
	}
	return bad
}

func (b *builder) cross(s *CrossSpec) error {
	if err := b.begin("cross", &s.ItemSpec); err != nil {
		return err
	}
	axes, err := b.axes(s)
	if err != nil {
		return err
	}
	kinds, err := b.tuples(s, axes)
	if err != nil {
		return err
	}
	cells, err := b.crossCells(s, kinds)
	if err != nil {
		return err
	}
	if s.Axes[0].Instance == 0 {
		b.group.crosses = append(b.group.crosses, cross{axes, cells})
		return nil
	}
	m := meeting{cells: cells, word: b.word()}
	b.word()
	for i, axis := range axes {
		if s.Axes[i].Instance == 'a' {
			m.a = append(m.a, axis)
		} else {
			m.b = append(m.b, axis)
		}
	}
	b.group.meetings = append(b.group.meetings, m)
	return nil
}

// axes checks the axes of a cross.
func (b *builder) axes(s *CrossSpec) ([]axis, error) {
	if len(s.Axes) < 2 {
		return nil, errors.New("it has fewer than two axes")
	}
	instances := make(map[byte]bool)
	once := make(map[AxisSpec]bool)
	axes := make([]axis, len(s.Axes))
	stride := 1
	for i := len(s.Axes) - 1; i >= 0; i-- {
		a := s.Axes[i]
		p, err := b.onPoint(a.Point)
		if err != nil {
			return nil, err
		}
		if once[a] {
			return nil, fmt.Errorf("point %s is crossed with itself", p.Name)
		}
		if a.Instance != 0 && a.Instance != 'a' && a.Instance != 'b' {
			return nil, fmt.Errorf("instance %q, want 'a' or 'b'", a.Instance)
		}
		once[a], instances[a.Instance] = true, true
		axes[i] = axis{a.Point, stride}
		if stride *= len(p.Bins); stride > maxItemBins {
			return nil, fmt.Errorf("more than %d bins", maxItemBins)
		}
	}
	switch {
	case !instances[0] && len(instances) != 2, instances[0] && len(instances) != 1:
		return nil, errors.New("its axes are of instance a and of instance b, or all of none")
	case !instances[0] && b.spec.By == "":
		return nil, errors.New("it is over two instances, and the group has one (give it By)")
	}
	b.item().Axes = b.itemAxes(s)
	return axes, nil
}

func (b *builder) itemAxes(s *CrossSpec) (axes []Axis) {
	for _, a := range s.Axes {
		p := &b.spec.Points[a.Point]
		axis := Axis{Name: p.Name}
		if a.Instance != 0 {
			axis.Name += "@" + string(rune(a.Instance))
		}
		for _, bin := range p.Bins {
			axis.Bins = append(axis.Bins, bin.Name)
		}
		axes = append(axes, axis)
	}
	return axes
}

// tuples tells the kind of each tuple: Goal, Never or Ignore.
func (b *builder) tuples(s *CrossSpec, axes []axis) ([]string, error) {
	kinds := make([]string, axes[0].stride*len(b.spec.Points[axes[0].point].Bins))
	for _, part := range []struct {
		kind   string
		tuples [][]int
	}{{Never, s.Never}, {Ignore, s.Ignore}, {Ignore, b.neverTuples(s)}} {
		for _, tuple := range part.tuples {
			if err := b.fits(s, tuple); err != nil {
				return nil, err
			}
			b.paint(kinds, axes, tuple, part.kind)
		}
	}
	return kinds, nil
}

// neverTuples are those that a Never bin of a point is in.
func (b *builder) neverTuples(s *CrossSpec) (tuples [][]int) {
	for i, a := range s.Axes {
		for j, bin := range b.spec.Points[a.Point].Bins {
			if bin.Kind != Never {
				continue
			}
			tuple := make([]int, len(s.Axes))
			for k := range tuple {
				tuple[k] = -1
			}
			tuple[i] = j
			tuples = append(tuples, tuple)
		}
	}
	return tuples
}

// fits is an error when a tuple is none of the cross.
func (b *builder) fits(s *CrossSpec, tuple []int) error {
	if len(tuple) != len(s.Axes) {
		return fmt.Errorf("tuple %v, and the cross has %d axes", tuple, len(s.Axes))
	}
	for i, bin := range tuple {
		if p := &b.spec.Points[s.Axes[i].Point]; bin < -1 || bin >= len(p.Bins) {
			return fmt.Errorf("tuple %v: point %s has %d bins", tuple, p.Name, len(p.Bins))
		}
	}
	return nil
}

// paint sets the kind of all that a tuple stands for.
func (b *builder) paint(kinds []string, axes []axis, tuple []int, kind string) {
	if len(tuple) == 0 {
		kinds[0] = kind
		return
	}
	n := len(b.spec.Points[axes[0].point].Bins)
	for bin := 0; bin < n; bin++ {
		if tuple[0] == bin || tuple[0] == -1 {
			b.paint(kinds[bin*axes[0].stride:], axes[1:], tuple[1:], kind)
		}
	}
}

// crossCells adds a bin for each tuple that is not ignored.
func (b *builder) crossCells(s *CrossSpec, kinds []string) ([]cell, error) {
	cells := make([]cell, len(kinds))
	at := make([]int, len(s.Axes))
	for i := range cells {
		cells[i] = noCell
		if kinds[i] != Ignore {
			c, err := b.bin(BinInfo{Name: b.tupleName(s, at), Kind: kinds[i], At: append([]int(nil), at...)})
			if err != nil {
				return nil, err
			}
			cells[i] = c
		}
		for k := len(at) - 1; k >= 0; k-- {
			if at[k]++; at[k] < len(b.spec.Points[s.Axes[k].Point].Bins) {
				break
			}
			at[k] = 0
		}
	}
	if len(b.item().Bins) == 0 {
		return nil, errors.New("all tuples are left out")
	}
	return cells, nil
}

func (b *builder) tupleName(s *CrossSpec, at []int) string {
	name := ""
	for i, bin := range at {
		if i > 0 {
			name += "*"
		}
		name += b.spec.Points[s.Axes[i].Point].Bins[bin].Name
	}
	return name
}
