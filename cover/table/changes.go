package table

import (
	"fmt"
	"io"

	"github.com/ijongo/ijongo/cover"
)

// Diff prints what changed from one profile to another: bins, functions by
// edges taken, and percentages.
func Diff(w io.Writer, from, to *cover.Profile) error {
	g := grid{}
	for _, c := range cover.Diff(from, to) {
		g.row(c.Kind, fmt.Sprintf("%s %s %s", PackageName(c.Item.Package), c.Item.Kind, c.Item.Title()), c.Bin.Name, fmt.Sprintf("%d -> %d", c.Was, c.Is))
	}
	for _, f := range cover.DiffEdges(from, to) {
		kind := cover.Gained
		if f.Is < f.Was {
			kind = cover.Lost
		}
		g.row(kind, fmt.Sprintf("%s func %s", f.Package, f.Func), fmt.Sprintf("of %s", plural(f.Of, "edge")), fmt.Sprintf("%d -> %d", f.Was, f.Is))
	}
	if err := g.write(w); err != nil {
		return err
	}
	was, is := from.Score(), to.Score()
	wasEdges, isEdges := cover.EdgeScore(from.Edges), cover.EdgeScore(to.Edges)
	_, err := fmt.Fprintf(w, "total %s -> %s, edges %s -> %s\n",
		Percent(was.Percent()), Percent(is.Percent()), Percent(wasEdges.Percent()), Percent(isEdges.Percent()))
	return err
}

// Changes is what changed, as a program reads it.
type Changes struct {
	Was, Is Part
	Bins    []BinChange
	Funcs   []cover.FuncChange
}

// A BinChange is a bin that is not what it was.
type BinChange struct {
	Change, Package, Kind, Title, Key, Bin string

	Was, Is uint64 // hits
}

// NewChanges lists what changed from one profile to another.
func NewChanges(from, to *cover.Profile) *Changes {
	c := &Changes{Was: partOf(from.Items, from.Edges), Is: partOf(to.Items, to.Edges), Bins: []BinChange{}, Funcs: cover.DiffEdges(from, to)}
	for _, d := range cover.Diff(from, to) {
		c.Bins = append(c.Bins, BinChange{d.Kind, d.Item.Package, d.Item.Kind, d.Item.Title(), d.Item.Key, d.Bin.Name, d.Was, d.Is})
	}
	return c
}

// A Ranking is picks out of what Names names, each a What.
type Ranking struct {
	What  string
	Names []string
	Picks []cover.Pick
}

// Write prints the ranking. All picks together cover what all of Names do.
func (r *Ranking) Write(w io.Writer) error {
	if len(r.Picks) > 0 {
		g := grid{right: map[int]bool{0: true, 1: true, 2: true}}
		g.row("NEW", "COVERED", "SHARE", "NAME")
		all := r.Picks[len(r.Picks)-1].Covered
		for _, p := range r.Picks {
			g.row(fmt.Sprint(p.New), fmt.Sprint(p.Covered), Percent(100*float64(p.Covered)/float64(all)), r.Names[p.Set])
		}
		if err := g.write(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d of %s cover all that these cover; chosen greedily, so that none of them can be left out, but fewer others might do\n",
		len(r.Picks), plural(uint64(len(r.Names)), r.What))
	return err
}

// A Place is a pick as a program reads it.
type Place struct {
	Name         string
	New, Covered int
}

// List is the picks.
func (r *Ranking) List() []Place {
	list := []Place{}
	for _, p := range r.Picks {
		list = append(list, Place{r.Names[p.Set], p.New, p.Covered})
	}
	return list
}
