package table

import "github.com/ijongo/ijongo/cover"

// A Report is a summary as a program reads it.
type Report struct {
	Module, Manifest string
	Runs             uint64
	Part
	Packages []PackageReport
}

// A Part is how far the goals of a part of the program are met.
type Part struct {
	Percent                          float64
	Goals, Covered, Excused, Vacuous int
	Edges, EdgesTaken                int
}

// A PackageReport is the summary of a package.
type PackageReport struct {
	Path string
	Part
	Groups []GroupReport
}

// A GroupReport is the summary of a group; its name is empty for properties.
type GroupReport struct {
	Name string
	Part
	Items []ItemReport
}

// An ItemReport is the summary of an item.
type ItemReport struct {
	Kind, Name, Key, Pos string
	Part
	Remarks []string `json:",omitempty"`
}

func partOf(items []*cover.Item, edges []*cover.Edge) Part {
	s, e := cover.ScoreOf(items), cover.EdgeScore(edges)
	return Part{s.Percent(), s.Goals, s.Covered, s.Excused, s.Vacuous, e.Goals, e.Covered}
}

// NewReport sums up a profile.
func NewReport(p *cover.Profile) *Report {
	r := &Report{p.Module, p.Manifest, p.Runs, partOf(p.Items, p.Edges), []PackageReport{}}
	for _, pkg := range p.Packages() {
		list := PackageReport{pkg.Path, partOf(pkg.Items(), pkg.Edges), []GroupReport{}}
		for _, g := range pkg.Groups {
			group := GroupReport{g.Name, partOf(g.Items, nil), nil}
			for _, i := range g.Items {
				group.Items = append(group.Items, ItemReport{i.Kind, i.Name, i.Key, i.Pos, partOf([]*cover.Item{i}, nil), remarks(i)})
			}
			list.Groups = append(list.Groups, group)
		}
		r.Packages = append(r.Packages, list)
	}
	return r
}
