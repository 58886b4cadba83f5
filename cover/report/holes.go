package report

import (
	"strings"

	"github.com/ijongo/ijongo/cover"
)

// A holeSet is the holes of one item.
type holeSet struct {
	*item
	Clusters []*cluster
}

// Lines is about how many lines of text the holes take.
func (s *holeSet) Lines() int {
	n := 1
	for _, c := range s.Clusters {
		if n++; c.Open {
			n += len(c.Holes)
		}
	}
	return n
}

// A cluster is holes of a cross that have coordinates in common with which
// nothing was ever hit, see [cover.Item.Holes], or holes that have nothing in
// common and an empty Label.
type cluster struct {
	Label string
	Holes []gap
	Open  bool // unfolded at first
}

// A gap is a hole, and the bin that was hit and is nearest to it.
type gap struct {
	*bin
	Near  *bin   // nil if the item has none
	Least uint64 // hits that cover it
}

// holeSets is the holes of all items, those of rare ones last.
func (b *builder) holeSets(packages []*pkg) []*holeSet {
	var sets, rare []*holeSet
	each(packages, func(i *item) {
		if i.Uncovered() == 0 {
			return
		}
		set := &holeSet{i, clustersOf(i)}
		if i.Rare {
			rare = append(rare, set)
		} else {
			sets = append(sets, set)
		}
	})
	return append(sets, rare...)
}

// The most holes of an item that are shown one by one without a click; of
// more, the clusters are listed.
const loose = 24

func clustersOf(i *item) []*cluster {
	var all []*cluster
	rest := &cluster{}
	for _, h := range i.Holes() {
		if len(h.Bins) == 1 {
			rest.add(i, h.Bins)
			continue
		}
		c := &cluster{Label: labelOf(h.Name, i.Axes), Open: i.Uncovered() <= loose}
		c.add(i, h.Bins)
		all = append(all, c)
	}
	if len(rest.Holes) > 0 {
		rest.Open = len(rest.Holes) <= loose
		all = append(all, rest)
	}
	return all
}

func (c *cluster) add(i *item, bins []int) {
	for _, k := range bins {
		g := gap{bin: i.Rows[k], Least: i.Least()}
		if near := i.Nearest(k); near != nil {
			g.Near = i.Lookup[near]
		}
		c.Holes = append(c.Holes, g)
	}
}

// labelOf is the fixed coordinates of a hole "leader*any": role = leader.
func labelOf(name string, axes []cover.Axis) string {
	parts := strings.Split(name, "*")
	if len(parts) != len(axes) {
		return name // a bin has a * in its name
	}
	var fixed []string
	for k, a := range axes {
		if parts[k] != "any" {
			fixed = append(fixed, a.Name+" = "+parts[k])
		}
	}
	if fixed == nil {
		return "none of them"
	}
	return strings.Join(fixed, ", ")
}
