package report

import (
	"strings"

	"github.com/ijongo/ijongo/cover"
)

// An item is one item of the profile, ready to be shown.
type item struct {
	*cover.Item
	N       int    // the anchor of the n-th is iN
	Link    string // anchor of its line of source, empty if it is not on the page
	Goals   int
	Covered int
	Percent float64
	Rows    []*bin
	Lookup  map[*cover.Bin]*bin
	Grid    *grid    // of a cross, or of transitions between two
	Diagram *diagram // of transitions
	Open    bool     // unfolded at first
	Timed   bool     // some bin knows when
	scale   scale    // of its hits
}

// The states of a bin.
const (
	hole     = "hole"    // a goal that was not hit, or not often enough
	covered  = "covered" // a goal that was met
	never    = "never"   // must not be hit and was not
	breached = "breach"  // must not be hit and was
	info     = "info"    // only counted
)

// A bin is one bin, ready to be shown.
type bin struct {
	*cover.Bin
	N       int // in its item
	State   string
	Level   int    // its shade, 0 to 5
	Share   string // of the item's most hits, in percent, empty for none
	Command string
}

// unfolded is up to how many bins an item with holes shows without a click.
const unfolded = 24

func (b *builder) item(from *cover.Item, siblings []*cover.Item) *item {
	i := &item{Item: from, N: len(b.items), Lookup: make(map[*cover.Bin]*bin, len(from.Bins))}
	b.items[from] = i
	i.scale = scaleOf(from)
	rows := make([]bin, len(from.Bins))
	for k := range from.Bins {
		known := &from.Bins[k]
		rows[k] = bin{
			Bin: known, N: k, State: stateOf(from, known), Level: i.scale.level(known.Hits),
			Command: b.command(known.First),
		}
		if known.Kind != cover.Info {
			rows[k].Share = i.scale.share(known.Hits)
		}
		i.add(&rows[k])
	}
	if i.Goals > 0 {
		i.Percent = 100 * float64(i.Covered) / float64(i.Goals)
	}
	i.Open = len(i.Rows) <= unfolded && i.Covered < i.Goals
	switch {
	case from.Kind == "cross":
		i.Grid = newGrid(i, from.Axes)
	case from.Kind == "trans":
		states := statesOf(from, siblings)
		i.Grid = newGrid(i, []cover.Axis{{Name: "from", Bins: states}, {Name: "to", Bins: states}})
		i.Diagram = newDiagram(i, states)
	}
	return i
}

func (i *item) add(b *bin) {
	i.Rows = append(i.Rows, b)
	i.Lookup[b.Bin] = b
	i.Timed = i.Timed || b.When > 0
	switch b.State {
	case covered:
		i.Covered++
		i.Goals++
	case hole:
		i.Goals++
	}
}

func stateOf(i *cover.Item, b *cover.Bin) string {
	switch {
	case b.Kind == cover.Never && b.Hits > 0:
		return breached
	case b.Kind == cover.Never:
		return never
	case b.Kind != cover.Goal:
		return info
	case i.Hole(b):
		return hole
	}
	return covered
}

// scaleOf is the scale of the bins that are not only counted.
func scaleOf(i *cover.Item) (s scale) {
	for k := range i.Bins {
		if b := &i.Bins[k]; b.Kind != cover.Info {
			s.add(b.Hits)
		}
	}
	return s
}

// Uncovered is how many goals of the item are not met.
func (i *item) Uncovered() int { return i.Goals - i.Covered }

// Breached tells whether a bin that must not be hit was.
func (i *item) Breached() bool { return i.Violated() != nil }

// Folded tells whether the list of bins is folded away: a map shows them
// better.
func (i *item) Folded() bool { return i.Grid != nil && len(i.Rows) > unfolded }

// Strip is the bins as a line of small cells in the summary of the item, if
// they are few.
func (i *item) Strip() []*bin {
	if len(i.Rows) > unfolded {
		return nil
	}
	return i.Rows
}

// statesOf names the bins of the point whose transitions these are: by the
// point if it is one of the siblings, else by the names of the transitions.
func statesOf(trans *cover.Item, siblings []*cover.Item) []string {
	for _, s := range siblings {
		if s.Kind == "point" && s.Name == trans.Name {
			return namesOf(s.Bins[:counted(s)])
		}
	}
	var states []string
	for k := range trans.Bins {
		b := &trans.Bins[k]
		if from, to, ok := strings.Cut(b.Name, "=>"); ok && len(b.At) == 2 {
			states = nameAt(nameAt(states, b.At[0], from), b.At[1], to)
		}
	}
	return states
}

// counted is how many bins there are before those behind all others that are
// only counted: values outside of all bins, and samples that were skipped.
func counted(i *cover.Item) int {
	n := len(i.Bins)
	for n > 0 && i.Bins[n-1].Kind == cover.Info {
		n--
	}
	return n
}

// maxStates is how many states a name is kept for; a point has fewer.
const maxStates = 4096

func nameAt(names []string, n int, name string) []string {
	if n < 0 || n >= maxStates {
		return names
	}
	for len(names) <= n {
		names = append(names, "")
	}
	names[n] = name
	return names
}

func namesOf(bins []cover.Bin) []string {
	names := make([]string, len(bins))
	for k := range bins {
		names[k] = bins[k].Name
	}
	return names
}
