package report

import (
	"github.com/ijongo/ijongo/cover"
)

// A grid is a heat map: a cross seen on two of its axes. With more axes than
// two a cell stands for all bins that agree on those, and shows the share of
// them that is covered.
type grid struct {
	Axes   []cover.Axis
	Rows   []gridRow
	Folded bool
	Cube   *cube // for the script: all bins with their coordinates
	Large  bool  // too large to be shown as a table
}

// Caption says what is where.
func (g *grid) Caption() string {
	down, across := g.Axes[0].Name, g.Axes[1].Name
	switch {
	case g.Folded:
		return down + " (down) by " + across + " (across); the other axes are folded: covered of goals"
	case down == "from" && across == "to":
		return "from (down) to (across); hits, stronger for more"
	}
	return down + " (down) by " + across + " (across); hits, stronger for more"
}

type gridRow struct {
	Name  string
	Cells []cell
}

// A cell is one cell of a grid.
type cell struct {
	State string // of the bin, "part" if some of several are covered, "" where there is none
	Level int
	Text  string
	bins  []*bin
}

// A cube is the bins of a cross as the script reads them.
type cube struct {
	Axes   []axis   `json:"axes"`
	At     []int    `json:"at"`     // coordinates, bin after bin
	Rows   []int    `json:"rows"`   // number of the bin in its item
	Hits   []uint64 `json:"hits"`   //
	States []string `json:"states"` // one letter each
	Levels []int    `json:"levels"` // the shades
}

type axis struct {
	Name string   `json:"name"`
	Bins []string `json:"bins"`
}

// maxCells is up to how many cells a heat map is a table.
const maxCells = 1 << 14

// newGrid is the heat map of an item on the first two of its axes, nil if it
// has no bins with a place on them.
func newGrid(i *item, axes []cover.Axis) *grid {
	if len(axes) < 2 {
		return nil
	}
	g := &grid{Axes: axes, Folded: len(axes) > 2, Cube: new(cube)}
	for _, a := range axes {
		g.Cube.Axes = append(g.Cube.Axes, axis(a))
	}
	for _, b := range i.Rows {
		if inside(b.At, axes) {
			g.Cube.add(b)
		}
	}
	if len(g.Cube.Rows) == 0 {
		return nil
	}
	if g.Large = len(axes[0].Bins)*len(axes[1].Bins) > maxCells; !g.Large {
		g.fill(i)
	}
	return g
}

// inside tells whether at is a place on these axes.
func inside(at []int, axes []cover.Axis) bool {
	if len(at) != len(axes) {
		return false
	}
	for k, n := range at {
		if n < 0 || n >= len(axes[k].Bins) {
			return false
		}
	}
	return true
}

func (c *cube) add(b *bin) {
	c.At = append(c.At, b.At...)
	c.Rows = append(c.Rows, b.N)
	c.Hits = append(c.Hits, b.Hits)
	c.States = append(c.States, b.State[:1])
	c.Levels = append(c.Levels, b.Level)
}

func (g *grid) fill(i *item) {
	g.Rows = make([]gridRow, len(g.Axes[0].Bins))
	for r, name := range g.Axes[0].Bins {
		g.Rows[r] = gridRow{name, make([]cell, len(g.Axes[1].Bins))}
	}
	for _, b := range i.Rows {
		if inside(b.At, g.Axes) {
			c := &g.Rows[b.At[0]].Cells[b.At[1]]
			c.bins = append(c.bins, b)
		}
	}
	for r := range g.Rows {
		for k := range g.Rows[r].Cells {
			g.Rows[r].Cells[k].show(g.Folded)
		}
	}
}

// show computes what the cell looks like.
func (c *cell) show(folded bool) {
	if len(c.bins) == 0 {
		return
	}
	if !folded {
		b := c.bins[0]
		c.State, c.Level, c.Text = b.State, b.Level, short(b.Hits)
		return
	}
	goals, met := 0, 0
	for _, b := range c.bins {
		switch b.State {
		case breached:
			c.State, c.Text = breached, short(b.Hits)
			return
		case covered:
			met++
			goals++
		case hole:
			goals++
		}
	}
	c.summarise(goals, met)
}

// summarise shows how many of how many goals are met.
func (c *cell) summarise(goals, met int) {
	switch {
	case goals == 0:
		c.State = c.bins[0].State
		return
	case met == 0:
		c.State = hole
	case met == goals:
		c.State, c.Level = covered, levels
	default:
		c.State, c.Level = "part", 1+met*(levels-1)/goals
	}
	c.Text = count(met) + "/" + count(goals)
}
