package cover

// A Group is the items of one covergroup, or with an empty Name the
// properties of a package.
type Group struct {
	Package string // import path; empty for what a harness declares
	Name    string
	Items   []*Item
}

// A Package is the items and edges of one package.
type Package struct {
	Path   string  // import path; empty for what a harness declares
	Groups []Group // properties first
	Edges  []*Edge
}

// Items is all items of the package, group by group.
func (p *Package) Items() (all []*Item) {
	for _, g := range p.Groups {
		all = append(all, g.Items...)
	}
	return all
}

// Packages sorts items and edges by package and group, each in the order in
// which the profile names it first.
func (p *Profile) Packages() []*Package {
	var list []*Package
	byPath := make(map[string]*Package)
	pkg := func(path string) *Package {
		known := byPath[path]
		if known == nil {
			known = &Package{Path: path}
			byPath[path] = known
			list = append(list, known)
		}
		return known
	}
	for _, i := range p.Items {
		pkg(i.Package).add(i)
	}
	for _, e := range p.Edges {
		last := pkg(e.Package)
		last.Edges = append(last.Edges, e)
	}
	return list
}

func (p *Package) add(i *Item) {
	for k := range p.Groups {
		if g := &p.Groups[k]; g.Name == i.Group {
			g.Items = append(g.Items, i)
			return
		}
	}
	g := Group{Package: p.Path, Name: i.Group, Items: []*Item{i}}
	if i.Group == "" {
		p.Groups = append([]Group{g}, p.Groups...)
	} else {
		p.Groups = append(p.Groups, g)
	}
}
