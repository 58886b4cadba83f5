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

// Rank prints picks out of what names names; all together cover as many
// elements as the last of the picks does.
func Rank(w io.Writer, picks []cover.Pick, names []string, what string) error {
	g := grid{right: map[int]bool{0: true, 1: true, 2: true}}
	g.row("NEW", "COVERED", "SHARE", "NAME")
	all := 0
	if len(picks) > 0 {
		all = picks[len(picks)-1].Covered
	}
	for _, p := range picks {
		g.row(fmt.Sprint(p.New), fmt.Sprint(p.Covered), Percent(100*float64(p.Covered)/float64(all)), names[p.Set])
	}
	if len(picks) == 0 {
		g.rows = nil
	}
	if err := g.write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d of %s cover what all of them cover; chosen greedily, and none of these can be left out: fewer others might do\n",
		len(picks), plural(len(names), what))
	return err
}
