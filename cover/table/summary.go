package table

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ijongo/ijongo/cover"
)

// Summary prints how far goals are met, package by package and group by group,
// and a line for each item.
func Summary(w io.Writer, p *cover.Profile) error {
	g := grid{right: map[int]bool{2: true, 3: true}}
	for _, pkg := range p.Packages() {
		if len(pkg.Groups) == 0 {
			continue
		}
		total := cover.ScoreOf(pkg.Items())
		g.row(PackageName(pkg.Path), "", bins(&total), Percent(total.Percent()), "")
		for _, group := range pkg.Groups {
			addGroup(&g, &group)
		}
	}
	if total := p.Score(); len(p.Items) > 0 {
		g.row("total", "", bins(&total), Percent(total.Percent()), excused(&total))
	}
	if edges := cover.EdgeScore(p.Edges); edges.Goals > 0 {
		g.row("edges", "", bins(&edges), Percent(edges.Percent()), "")
	}
	return g.write(w)
}

func addGroup(g *grid, group *cover.Group) {
	name := group.Name
	if name == "" {
		name = "properties"
	}
	s := cover.ScoreOf(group.Items)
	g.row("  "+name, "", bins(&s), Percent(s.Percent()), "")
	for _, i := range group.Items {
		s := cover.ScoreOf([]*cover.Item{i})
		percent := Percent(s.Percent())
		if s.Goals == 0 {
			percent = "-"
		}
		g.row("    "+i.Name, i.Kind, bins(&s), percent, strings.Join(remarks(i), ", "))
	}
}

// PackageName is what to call a package in a report.
func PackageName(path string) string {
	if path == "" {
		return "harness"
	}
	return path
}

func bins(s *cover.Score) string {
	if s.Goals == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", s.Covered, s.Goals)
}

// Percent formats a percentage such that only all of something is 100.0% and
// only nothing is 0.0%.
func Percent(p float64) string {
	shown := math.Round(p*10) / 10
	switch {
	case shown == 100 && p < 100:
		shown = 99.9
	case shown == 0 && p > 0:
		shown = 0.1
	}
	return fmt.Sprintf("%.1f%%", shown)
}

func excused(s *cover.Score) string {
	if s.Excused == 0 {
		return ""
	}
	return fmt.Sprintf("%s of rare items cold", plural(s.Excused, "bin"))
}

// remarks is what else there is to say of an item.
func remarks(i *cover.Item) (list []string) {
	if b := i.Violated(); b != nil {
		list = append(list, fmt.Sprintf("VIOLATED: %s, %s", b.Name, plural(b.Hits, "hit")))
	}
	if i.Vacuous() {
		list = append(list, neverDone(i))
	}
	for k := range i.Bins {
		if b := &i.Bins[k]; b.Kind == cover.Info && b.Hits > 0 && (b.Name == "outside" || b.Name == "skipped") {
			list = append(list, fmt.Sprintf("%d %s", b.Hits, b.Name))
		}
	}
	if i.Crowded {
		list = append(list, "instances forgotten")
	}
	if i.Rare {
		list = append(list, "rare")
	}
	return list
}

// neverDone says that the item was not evaluated.
func neverDone(i *cover.Item) string {
	switch {
	case i.Kind == "unreachable":
		return "never reached"
	case i.Property():
		return "never evaluated"
	case i.Kind == "seq":
		return "never begun"
	}
	return "never sampled"
}

func plural[N int | uint64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Funcs prints the share of edges taken of each function, as go tool cover
// -func does for statements.
func Funcs(w io.Writer, p *cover.Profile) error {
	g := grid{right: map[int]bool{2: true}}
	type key struct{ pkg, fn string }
	byFunc := make(map[key][]*cover.Edge)
	for _, e := range p.Edges {
		k := key{e.Package, e.Func}
		byFunc[k] = append(byFunc[k], e)
	}
	for _, e := range p.Edges {
		k := key{e.Package, e.Func}
		edges := byFunc[k]
		if edges == nil {
			continue
		}
		delete(byFunc, k)
		s := cover.EdgeScore(edges)
		g.row(line(e.Pos)+":", e.Func, Percent(s.Percent()))
	}
	total := cover.EdgeScore(p.Edges)
	g.row("total:", "(edges)", Percent(total.Percent()))
	return g.write(w)
}

// line is a position without its column.
func line(pos string) string {
	if k := strings.LastIndexByte(pos, ':'); k >= 0 {
		return pos[:k]
	}
	return pos
}
