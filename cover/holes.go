package cover

import (
	"math/bits"
	"slices"
	"strings"
)

// A Hole is one goal that was not met, or those of a cross that belong
// together because all of some coordinates are cold.
type Hole struct {
	Name string // of the bin; for several "leader*any"
	Bins []int  // indexes in the item's Bins; no bin is in two holes
}

// Holes lists the goals of the item that were not met. Those of a cross are
// put together as in hole analysis (Lachish, Marcus, Ur, Ziv: Hole Analysis
// for Functional Coverage Data, DAC 2002): where all tuples that have a
// coordinate, or some coordinates, in common are cold, they are one hole; the
// widest come first.
func (i *Item) Holes() []Hole {
	const most = 6 // axes; their subsets are gone through
	left := i.cold()
	var holes []Hole
	if n := len(i.Axes); n > 0 && n <= most && len(left) > 1 {
		masks := make([]uint, 1<<n-1)
		for m := range masks {
			masks[m] = uint(m)
		}
		slices.SortStableFunc(masks, func(a, b uint) int { return bits.OnesCount(a) - bits.OnesCount(b) })
		for _, m := range masks {
			holes = append(holes, i.wide(m, left)...)
		}
	}
	for k := range i.Bins {
		if left[k] {
			holes = append(holes, Hole{i.Bins[k].Name, []int{k}})
		}
	}
	return holes
}

func (i *Item) cold() map[int]bool {
	cold := make(map[int]bool)
	for k := range i.Bins {
		if i.Hole(&i.Bins[k]) {
			cold[k] = true
		}
	}
	return cold
}

// wide lists the holes of two bins and more whose bins share the coordinates
// on the axes of mask. It takes their bins out of left.
func (i *Item) wide(mask uint, left map[int]bool) (holes []Hole) {
	tuples := make(map[uint64][]int)
	warm := make(map[uint64]bool)
	var order []uint64
	for k := range i.Bins {
		b := &i.Bins[k]
		if b.Kind != Goal || len(b.At) != len(i.Axes) {
			continue
		}
		key := i.project(b, mask)
		if tuples[key] == nil {
			order = append(order, key)
		}
		tuples[key] = append(tuples[key], k)
		warm[key] = warm[key] || i.Covered(b)
	}
	for _, key := range order {
		if warm[key] || len(tuples[key]) < 2 {
			continue
		}
		h := Hole{Name: i.projected(&i.Bins[tuples[key][0]], mask)}
		for _, k := range tuples[key] {
			if left[k] {
				h.Bins = append(h.Bins, k)
				delete(left, k)
			}
		}
		switch len(h.Bins) {
		case 0:
			continue
		case 1: // the others are in wider holes
			h.Name = i.Bins[h.Bins[0]].Name
		}
		holes = append(holes, h)
	}
	return holes
}

// project makes one number of the coordinates of b on the axes of mask.
func (i *Item) project(b *Bin, mask uint) (key uint64) {
	for axis, at := range b.At {
		if mask>>axis&1 == 1 {
			key = key*uint64(len(i.Axes[axis].Bins)) + uint64(at)
		}
	}
	return key
}

// projected is the name of the coordinates of b on the axes of mask.
func (i *Item) projected(b *Bin, mask uint) string {
	parts := make([]string, len(b.At))
	for axis, at := range b.At {
		parts[axis] = "any"
		if mask>>axis&1 == 1 {
			parts[axis] = i.Axes[axis].Bins[at]
		}
	}
	return strings.Join(parts, "*")
}

// Nearest is the bin of the item that was hit and is closest to bin k, or nil
// if none was. An input that hit it is where to start from to hit the other:
// of a cross the tuple with the fewest other coordinates, of a sequence the
// longest prefix, of transitions one with the same beginning or else one that
// ends where that begins, of a point the neighbour.
func (i *Item) Nearest(k int) *Bin {
	hole := &i.Bins[k]
	if hole.Hits > 0 {
		return hole
	}
	var best *Bin
	least := 0
	for step := 1; step < len(i.Bins); step++ { // outwards, so that few are looked at
		for _, n := range [...]int{k - step, k + step} {
			if n < 0 || n >= len(i.Bins) || i.Bins[n].Hits == 0 || i.Kind == "seq" && n > k {
				continue
			}
			if d := i.distance(k, n); best == nil || d < least {
				best, least = &i.Bins[n], d
			}
		}
		if best != nil && least/near <= i.closest() {
			break // what is further away is no closer
		}
	}
	return best
}

// Bins that are alike in one respect come before all that are so in a lesser.
const (
	near = 1 << 20
	far  = 1 << 40
)

// distance is how far bins a and b are apart: smaller is closer.
func (i *Item) distance(a, b int) int {
	apart := a - b
	if apart < 0 {
		apart = -apart
	}
	from, to := &i.Bins[a], &i.Bins[b]
	if to.Kind == Info {
		apart += far
	}
	switch i.Kind {
	case "cross":
		return apart + near*differ(from.At, to.At)
	case "trans":
		return apart + near*unlike(from.Name, to.Name)
	}
	return apart
}

// closest is the least distance between two bins, in units of near.
func (i *Item) closest() int {
	if i.Kind == "cross" {
		return 1
	}
	return 0
}

// differ is how many coordinates differ.
func differ(a, b []int) (n int) {
	for k := range a {
		if k >= len(b) || a[k] != b[k] {
			n++
		}
	}
	return n
}

// unlike grades how a transition resembles another: it begins alike, it leads
// to where the other begins, or neither.
func unlike(hole, other string) int {
	start, rest, _ := strings.Cut(hole, "=>")
	steps := strings.Split(other, "=>")
	switch {
	case steps[0] == start && strings.HasPrefix(other, start+"=>"+first(rest)):
		return 0
	case steps[0] == start:
		return 1
	case steps[len(steps)-1] == start:
		return 2
	}
	return 3
}

// first is the next state of what is left of a transition.
func first(rest string) string {
	step, _, _ := strings.Cut(rest, "=>")
	return step
}
