package ijon

import (
	"errors"
	"fmt"
)

// maxItemBins bounds the bins of a point, a cross or all transitions.
const maxItemBins = 1 << 16

// A cell is what a sample looks up: a bin, perhaps a Never one, or none.
type cell uint32

const (
	noCell    cell = 1 << 31
	neverCell cell = 1 << 30
)

// A builder turns the spec of a group into its items and the tables that a
// sample looks up.
type builder struct {
	group *Group
	spec  *GroupSpec
	key   string // of the group
	items []Item
	next  int // number of the next bin
	words int // of state that each instance has
	seen  map[string]bool
}

func newBuilder(spec *GroupSpec, next int) *builder {
	b := &builder{group: &Group{spec: spec}, spec: spec, key: spec.Key, next: next, seen: make(map[string]bool)}
	switch {
	case b.key != "":
	case spec.Package != "":
		b.key = spec.Package + ":" + spec.Name
	default:
		b.key = spec.Name
	}
	return b
}

func (b *builder) build() error {
	if b.spec.Name == "" {
		return errors.New("it has no name")
	}
	if n := len(b.spec.Events); n > maxEvents {
		return fmt.Errorf("%d events, more than %d", n, maxEvents)
	}
	for i := range b.spec.Points {
		if err := b.point(&b.spec.Points[i]); err != nil {
			return fmt.Errorf("point %s: %v", b.spec.Points[i].Name, err)
		}
	}
	for i := range b.spec.Crosses {
		if err := b.cross(&b.spec.Crosses[i]); err != nil {
			return fmt.Errorf("cross %s: %v", b.spec.Crosses[i].Name, err)
		}
	}
	for i := range b.spec.Trans {
		if err := b.trans(&b.spec.Trans[i]); err != nil {
			return fmt.Errorf("trans %s: %v", b.spec.Trans[i].Name, err)
		}
	}
	for i := range b.spec.Seqs {
		if err := b.seq(&b.spec.Seqs[i]); err != nil {
			return fmt.Errorf("seq %s: %v", b.spec.Seqs[i].Name, err)
		}
	}
	b.group.live.make(b.words)
	b.group.tally.make(b.group.points)
	return nil
}

// begin adds an item, whose bins come next.
func (b *builder) begin(kind string, s *ItemSpec) error {
	switch id := kind + " " + s.Name; {
	case s.Name == "":
		return errors.New("it has no name")
	case b.seen[id]:
		return errors.New("there is another one of that name in the group")
	default:
		b.seen[id] = true
	}
	item := Item{
		Kind: kind, Package: b.spec.Package, Group: b.spec.Name,
		Name: s.Name, Key: s.Key, Expr: s.Expr, Pos: s.Pos,
		First: b.next, Clauses: s.Clauses.or(b.spec.Clauses),
	}
	if item.Key == "" {
		item.Key = b.key + "." + kind + "." + s.Name
	}
	if item.Pos == "" {
		item.Pos = b.spec.Pos
	}
	b.items = append(b.items, item)
	return nil
}

// item is the one that was begun last.
func (b *builder) item() *Item { return &b.items[len(b.items)-1] }

// bin adds a bin to the item.
func (b *builder) bin(info BinInfo) (cell, error) {
	item := b.item()
	if len(item.Bins) == maxItemBins {
		return noCell, fmt.Errorf("more than %d bins", maxItemBins)
	}
	item.Bins = append(item.Bins, info)
	b.next++
	c := cell(b.next - 1)
	if info.Kind == Never {
		c |= neverCell
	}
	return c, nil
}

// word gives each instance a word of state.
func (b *builder) word() int {
	b.words++
	return b.words - 1
}

// onPoint is the spec of a point by its index.
func (b *builder) onPoint(i int) (*PointSpec, error) {
	if i < 0 || i >= len(b.spec.Points) {
		return nil, fmt.Errorf("there is no point %d: the group has %d", i, len(b.spec.Points))
	}
	return &b.spec.Points[i], nil
}
