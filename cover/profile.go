package cover

import (
	"fmt"
	"slices"
	"time"
)

// A Profile is what a program's runs have covered.
type Profile struct {
	Module   string        // path of the main module
	Manifest string        // hash of the program's manifest: profiles of the same have the same bins and edges
	Runs     uint64        // runs of campaigns, tests of go test
	Time     time.Duration // that campaigns took; 0 for tests
	Items    []*Item       // in the order of their bins in the program
	Edges    []*Edge       // in the order of the program's counters
}

// An Item is something with bins: a property, a coverpoint, a cross,
// transitions or a sequence.
type Item struct {
	Kind    string // "point", "cross", "trans", "seq", or the verb of a property: "cover", "always", "sometimes", "maybe", "reachable", "unreachable"
	Package string `json:",omitempty"` // import path; empty for what a harness declares
	Group   string `json:",omitempty"` // NAME of the group; empty for a property
	Name    string // as shown: NAME, or else the expression
	Key     string // stays when code moves; one among items of its Kind
	Expr    string `json:",omitempty"` // as written; empty if the name says it all
	Pos     string `json:",omitempty"` // file:line:col; empty for what a harness declares
	Axes    []Axis `json:",omitempty"` // of a cross: its points
	Bins    []Bin

	Crowded bool   `json:",omitempty"` // there were more instances at once than are remembered: some hits may be missing
	Observe bool   `json:",omitempty"` // does not guide a search
	Rare    bool   `json:",omitempty"` // may stay cold without failing a gate
	AtLeast int    `json:",omitempty"` // hits for a bin to be covered; 0 is 1
	Weight  int    `json:",omitempty"` // in means of items; 0 is 1
	Goal    string `json:",omitempty"` // objective that the item belongs to
	Doc     string `json:",omitempty"`
}

// An Axis is a dimension of a cross.
type Axis struct {
	Name string // of the point: "role", or of one instance of two: "role@a"
	Bins []string
}

// A Bin counts how often one situation occurred.
type Bin struct {
	Name  string
	Kind  string        `json:",omitempty"` // Goal, Never or Info
	At    []int         `json:",omitempty"` // of a cross: index on each axis; of a transition between two: from, to
	Hits  uint64        `json:",omitempty"`
	First string        `json:",omitempty"` // file of the input that hit it first, or name of the test
	When  time.Duration `json:",omitempty"` // of that, since the campaign began
	Only  string        `json:",omitempty"` // the profiles that know it, where others of a merge do not
}

// The kinds of bin.
const (
	Goal  = ""      // is to be covered
	Never = "never" // must not be hit
	Info  = "info"  // is only counted
)

// An Edge is an edge of the control flow graph that has a counter.
type Edge struct {
	Package string
	Func    string // as a sidecar names it; literals end in .func
	Kind    string // "func", "then", "else", "loop", "case", "default", "after", "label" or "right"
	Pos     string // file:line:col of the block
	Hits    uint64 `json:",omitempty"`
}

// Bins is how many bins there are.
func (p *Profile) Bins() (n int) {
	for _, i := range p.Items {
		n += len(i.Bins)
	}
	return n
}

// Crowded names the groups in which there were more instances at once than are
// remembered.
func (p *Profile) Crowded() (groups []string) {
	for _, i := range p.Items {
		if i.Crowded && !slices.Contains(groups, i.Group) {
			groups = append(groups, i.Group)
		}
	}
	return groups
}

// Property tells whether the item is a property rather than part of a group.
func (i *Item) Property() bool {
	switch i.Kind {
	case "point", "cross", "trans", "seq":
		return false
	}
	return true
}

// Title is the item's name with its group: GROUP.NAME, or NAME.
func (i *Item) Title() string {
	if i.Group == "" {
		return i.Name
	}
	return i.Group + "." + i.Name
}

// Least is how many hits cover a bin of the item, at least 1.
func (i *Item) Least() uint64 {
	if i.AtLeast < 1 {
		return 1
	}
	return uint64(i.AtLeast)
}

// Factor is the item's weight in means, at least 1.
func (i *Item) Factor() int {
	if i.Weight < 1 {
		return 1
	}
	return i.Weight
}

// Covered tells whether b, a bin of the item, is a goal that was met.
func (i *Item) Covered(b *Bin) bool { return b.Kind == Goal && b.Hits >= i.Least() }

// Hole tells whether b, a bin of the item, is a goal that was not met.
func (i *Item) Hole(b *Bin) bool { return b.Kind == Goal && b.Hits < i.Least() }

// Violated is the first bin of the item that was hit and must never be, or nil.
func (i *Item) Violated() *Bin {
	for k := range i.Bins {
		if b := &i.Bins[k]; b.Kind == Never && b.Hits > 0 {
			return b
		}
	}
	return nil
}

// Vacuous tells whether the item, a property, a point or a sequence, was never
// evaluated: no bin of it was hit, of whatever kind, or of a sequence only the
// one that counts samples at which nothing was under way. What such an item
// says of the program was not tested, also where nothing contradicts it. Of a
// cross or transitions, the points tell.
func (i *Item) Vacuous() bool {
	if i.Kind == "cross" || i.Kind == "trans" {
		return false
	}
	for k := range i.Bins {
		if b := &i.Bins[k]; b.Hits > 0 && (i.Kind != "seq" || b.Kind != Info) {
			return false
		}
	}
	return true
}

// An identity is what makes two items the same.
type identity struct{ kind, key string }

func (i *Item) identity() identity { return identity{i.Kind, i.Key} }

// check is what is wrong with the place of b, a bin of the item.
func (i *Item) check(b *Bin) error {
	if len(i.Axes) == 0 || b.At == nil {
		return nil
	}
	if len(b.At) != len(i.Axes) {
		return fmt.Errorf("bin %s has %d places on %d axes", b.Name, len(b.At), len(i.Axes))
	}
	for k, at := range b.At {
		if at < 0 || at >= len(i.Axes[k].Bins) {
			return fmt.Errorf("bin %s: %d is not on axis %s", b.Name, at, i.Axes[k].Name)
		}
	}
	return nil
}
