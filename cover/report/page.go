package report

import (
	"path"
	"regexp"
	"strings"

	"github.com/ijongo/ijongo/cover"
)

// A page is what the template gets.
type page struct {
	bundle
	Title    string
	Profile  *cover.Profile
	Score    cover.Score
	Edges    cover.Score
	HoleSets []*holeSet
	Breaches []breach // bins that must not be hit and were
	Failures []failure
	Growth   *growth
	Packages []*pkg
	Items    int
	Files    []*file
	LeftOut  []string // files whose source is not on the page, for its size
}

// A pkg is one package of the profile.
type pkg struct {
	N      int // the anchor of the n-th is pN
	Path   string
	Score  cover.Score
	Edges  cover.Score
	Groups []*group
	Funcs  []*function
}

// A group is the items of a covergroup, or the properties of a package.
type group struct {
	Name  string
	Score cover.Score
	Items []*item
}

// Folded tells whether the group is folded away in the tree: it is long, and
// all of it is covered.
func (g *group) Folded() bool {
	const long = 10
	return len(g.Items) > long && g.Score.Holes() == 0
}

// Share is the percentage of goals that are met, each counted once.
func (p *page) Share() float64 {
	return 100 * float64(p.Score.Covered) / float64(max(1, p.Score.Goals))
}

// A breach is a bin that must not be hit and was.
type breach struct {
	Item *item
	Bin  *bin
}

func newPage(d *Data) (*page, error) {
	b := &builder{data: d, first: make(map[string]string), items: make(map[*cover.Item]*item)}
	p := &page{
		Title: d.Title, Profile: d.Profile,
		Score: d.Profile.Score(), Edges: cover.EdgeScore(d.Profile.Edges),
	}
	if p.Title == "" {
		p.Title = d.Profile.Module
	}
	for _, f := range d.Failures {
		p.Failures = append(p.Failures, failure{f, eventsOf(f.Timeline)})
	}
	for _, known := range d.Profile.Packages() {
		p.Packages = append(p.Packages, b.pkg(known, len(p.Packages)))
	}
	p.Items = len(d.Profile.Items)
	p.HoleSets = b.holeSets(p.Packages)
	p.Breaches = breaches(p.Packages)
	p.Files, p.LeftOut = b.files()
	b.link(p.Packages)
	p.Growth = newGrowth(d.Samples)
	var err error
	p.bundle, err = newBundle(p.Growth != nil)
	return p, err
}

// A builder makes the parts of a page out of a profile.
type builder struct {
	data  *Data
	first map[string]string // commands by what they run
	items map[*cover.Item]*item
	lines map[string]string // anchors of lines of source, by FILE:LINE
}

// command is the command that runs first again.
func (b *builder) command(first string) string {
	if first == "" || b.data.Command == nil {
		return ""
	}
	c, ok := b.first[first]
	if !ok {
		c = b.data.Command(first)
		b.first[first] = c
	}
	return c
}

func (b *builder) pkg(from *cover.Package, n int) *pkg {
	p := &pkg{N: n, Path: from.Path, Score: cover.ScoreOf(from.Items()), Edges: cover.EdgeScore(from.Edges), Funcs: functions(from.Edges)}
	for _, g := range from.Groups {
		to := &group{Name: g.Name, Score: cover.ScoreOf(g.Items)}
		for _, i := range g.Items {
			to.Items = append(to.Items, b.item(i, g.Items))
		}
		p.Groups = append(p.Groups, to)
	}
	return p
}

func breaches(packages []*pkg) (all []breach) {
	each(packages, func(i *item) {
		for _, b := range i.Rows {
			if b.State == breached {
				all = append(all, breach{i, b})
			}
		}
	})
	return all
}

// each calls f for the items of these packages.
func each(packages []*pkg, f func(*item)) {
	for _, p := range packages {
		for _, g := range p.Groups {
			for _, i := range g.Items {
				f(i)
			}
		}
	}
}

// A function is one function and its edges.
type function struct {
	Name    string
	Pos     string
	Link    string // anchor of its first edge, empty if it is not on the page
	Edges   int
	Covered int
}

func functions(edges []*cover.Edge) (list []*function) {
	byName := make(map[string]*function)
	for _, e := range edges {
		name := fileOf(e.Pos) + "\x00" + e.Func // init and literals may be in several files
		f := byName[name]
		if f == nil {
			f = &function{Name: e.Func, Pos: e.Pos}
			byName[name] = f
			list = append(list, f)
		}
		f.Edges++
		if e.Hits > 0 {
			f.Covered++
		}
	}
	return list
}

// link points items and functions to their lines of source.
func (b *builder) link(packages []*pkg) {
	each(packages, func(i *item) { i.Link = b.lines[lineOf(i.Pos)] })
	for _, p := range packages {
		for _, f := range p.Funcs {
			f.Link = b.lines[lineOf(f.Pos)]
		}
	}
}

// lineOf is pos without the column.
func lineOf(pos string) string {
	if n := strings.LastIndexByte(pos, ':'); n >= 0 {
		return pos[:n]
	}
	return pos
}

// fileOf is the file of pos.
func fileOf(pos string) string { return lineOf(lineOf(pos)) }

// Base is the last part of the package's path, with that before it where it is
// only a version, for where there is little room.
func (p *pkg) Base() string {
	dir, base := path.Split(p.Path)
	switch {
	case p.Path == "":
		return "harness"
	case dir != "" && version.MatchString(base):
		return path.Base(dir) + "/" + base
	}
	return base
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// Short is the position without the folders.
func (i *item) Short() string { return path.Base(i.Pos) }
