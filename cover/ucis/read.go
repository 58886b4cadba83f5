package ucis

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/cover"
)

// Read reads a document; errors and notes name the file as name. The notes say
// what of it is left out.
func Read(name string, text []byte) (p *cover.Profile, notes []string, err error) {
	var doc document
	d := xml.NewDecoder(strings.NewReader(string(text)))
	if err := d.Decode(&doc); err != nil {
		line, column := d.InputPos()
		return nil, nil, fmt.Errorf("%s:%d:%d: no UCIS document: %w", name, line, column, err)
	}
	if len(doc.History) == 0 || len(doc.Instances) == 0 {
		return nil, nil, fmt.Errorf("%s: no UCIS document: historyNodes or instanceCoverages are missing", name)
	}
	im := importer{p: new(cover.Profile), place: make(map[*cover.Item]int), keys: make(map[string]bool)}
	for _, h := range doc.History {
		var r runNote
		ok, err := noteOf(h.User, &r)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: user attribute of history node %d: %w", name, h.ID, err)
		}
		if ok {
			im.p.Module, im.p.Manifest, im.p.Runs, im.p.Time = r.Module, r.Manifest, r.Runs, r.Time
		}
	}
	for k := range doc.Instances {
		if err := im.instance(&doc.Instances[k]); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	slices.SortStableFunc(im.p.Items, func(a, b *cover.Item) int { return im.place[a] - im.place[b] })
	return im.p, im.notes, nil
}

type importer struct {
	p     *cover.Profile
	notes []string
	place map[*cover.Item]int // of items that tell it
	keys  map[string]bool
}

func (im *importer) instance(in *instance) error {
	for what, n := range map[string]int{"toggles": len(in.Toggles), "blocks": len(in.Blocks), "conditions": len(in.Conditions), "branches": len(in.Branches), "state machines": len(in.FSMs)} {
		if n > 0 {
			im.notes = append(im.notes, fmt.Sprintf("%s: coverage of %s is left out", in.Name, what))
		}
	}
	slices.Sort(im.notes)
	for _, list := range in.Assertions {
		for k := range list.Assertion {
			if err := im.assertion(in, &list.Assertion[k]); err != nil {
				return fmt.Errorf("assertion %s of %s: %w", list.Assertion[k].Name, in.Name, err)
			}
		}
	}
	for _, cg := range in.Groups {
		for k := range cg.Instances {
			if err := im.group(in, &cg.Instances[k]); err != nil {
				return fmt.Errorf("covergroup %s of %s: %w", cg.Instances[k].Name, in.Name, err)
			}
		}
	}
	return nil
}

// item is a new item: what user attributes say of it, or else what other tools
// say.
func (im *importer) item(user []userAttr, in *instance, kind, group, name string) (*cover.Item, error) {
	var n itemNote
	own, err := noteOf(user, &n)
	if err != nil {
		return nil, err
	}
	i := &n.Item
	if own {
		im.place[i] = n.N
	} else {
		*i = cover.Item{Kind: kind, Package: in.Name, Group: group, Name: name}
		i.Key = in.Name + ":" + strings.TrimPrefix(group+"."+kind+"."+name, ".")
		im.place[i] = len(im.p.Items)
	}
	if i.Name == "" {
		return nil, errors.New("it has no name")
	}
	for key, k := i.Key, 2; im.keys[i.Kind+" "+i.Key]; k++ {
		i.Key = fmt.Sprintf("%s#%d", key, k)
	}
	im.keys[i.Kind+" "+i.Key] = true
	im.p.Items = append(im.p.Items, i)
	return i, nil
}

// add adds a bin, with what its user attributes say.
func add(i *cover.Item, b cover.Bin, user []userAttr) error {
	var n binNote
	if _, err := noteOf(user, &n); err != nil {
		return err
	}
	b.First, b.When, b.Only = n.First, n.When, n.Only
	if b.At == nil {
		b.At = n.At
	}
	i.Bins = append(i.Bins, b)
	return nil
}

func (im *importer) assertion(in *instance, a *assertion) error {
	kind := "cover"
	if strings.EqualFold(a.Kind, "assert") || strings.EqualFold(a.Kind, "assume") {
		kind = "always"
	}
	i, err := im.item(a.User, in, kind, "", a.Name)
	if err != nil {
		return err
	}
	type slot struct {
		bin        *bin
		name, kind string
		n          int
	}
	slots := []slot{
		{a.Cover, "hit", cover.Goal, 0}, {a.Pass, "held", cover.Goal, 0}, {a.Fail, "failed", cover.Never, 0},
		{a.Vacuous, "vacuous", cover.Info, 0}, {a.Disabled, "disabled", cover.Info, 0}, {a.Attempt, "evaluated", cover.Info, 0},
	}
	slots = slices.DeleteFunc(slots, func(s slot) bool { return s.bin == nil })
	for k := range slots {
		var n binNote
		if _, err := noteOf(slots[k].bin.User, &n); err != nil {
			return err
		}
		slots[k].n = n.N
	}
	slices.SortStableFunc(slots, func(a, b slot) int { return a.n - b.n })
	for _, s := range slots {
		b := cover.Bin{Name: s.name, Kind: s.kind, Hits: s.bin.Contents.Count}
		if s.bin.Alias != "" {
			b.Name = s.bin.Alias
		}
		if s.bin.Excluded || a.Excluded || zero(a.Weight) {
			b.Kind = cover.Info
		}
		if err := add(i, b, s.bin.User); err != nil {
			return err
		}
	}
	return nil
}

func zero(weight *int) bool { return weight != nil && *weight == 0 }

func (im *importer) group(in *instance, g *groupInstance) error {
	points := make(map[string]*cover.Item)
	name := g.Name
	if name == "" {
		name = g.ID.Name
	}
	for k := range g.Coverpoints {
		c := &g.Coverpoints[k]
		if err := im.coverpoint(in, name, c, points); err != nil {
			return fmt.Errorf("coverpoint %s: %w", c.Name, err)
		}
	}
	for k := range g.Crosses {
		c := &g.Crosses[k]
		if err := im.cross(in, name, c, points); err != nil {
			return fmt.Errorf("cross %s: %w", c.Name, err)
		}
	}
	return nil
}

// setOptions takes over the options that user attributes have not told.
func setOptions(i *cover.Item, o options) {
	if o.AtLeast > 1 {
		i.AtLeast = o.AtLeast
	}
	if o.Weight != nil && *o.Weight > 1 {
		i.Weight = *o.Weight
	}
	i.Doc = o.Comment
}

func (im *importer) coverpoint(in *instance, group string, c *coverpoint, points map[string]*cover.Item) error {
	items := make(map[bool]*cover.Item) // by whether its bins are sequences
	for k := range c.Bins {
		x := &c.Bins[k]
		isSeq := len(x.Sequences) > 0
		i := items[isSeq]
		if i == nil {
			kind := "point"
			if isSeq {
				kind = "trans"
			}
			var err error
			if i, err = im.item(c.User, in, kind, group, c.Name); err != nil {
				return err
			}
			setOptions(i, c.Options)
			i.Expr = c.Expr
			items[isSeq] = i
			if !isSeq {
				points[c.Name] = i
			}
		}
		b := cover.Bin{Name: x.Name, Kind: binKind(x.Type, c.Options)}
		if b.Kind == cover.Goal && x.Type == typeDefault {
			b.Kind = cover.Info
		}
		for _, r := range x.Ranges {
			b.Hits += r.Contents.Count
		}
		for _, s := range x.Sequences {
			b.Hits += s.Contents.Count
		}
		if err := add(i, b, x.User); err != nil {
			return err
		}
	}
	return nil
}

func binKind(kind string, o options) string {
	switch {
	case kind == typeIllegal:
		return cover.Never
	case kind == typeIgnore || zero(o.Weight):
		return cover.Info
	}
	return cover.Goal
}

func (im *importer) cross(in *instance, group string, c *cross, points map[string]*cover.Item) error {
	i, err := im.item(c.User, in, "cross", group, c.Name)
	if err != nil {
		return err
	}
	setOptions(i, c.Options)
	if i.Axes == nil {
		i.Axes = axes(c.Exprs, points)
	}
	for k := range c.Bins {
		x := &c.Bins[k]
		b := cover.Bin{Name: x.Name, Kind: binKind(x.Type, c.Options), Hits: x.Contents.Count, At: x.Index}
		if !fits(x.Index, i.Axes) {
			b.At = placeOf(x.Name, i.Axes)
		}
		if err := add(i, b, x.User); err != nil {
			return err
		}
	}
	return nil
}

// axes are the coverpoints of a cross, if all of them are known.
func axes(names []string, points map[string]*cover.Item) (list []cover.Axis) {
	for _, name := range names {
		name = strings.TrimSpace(name)
		p := points[name]
		if p == nil {
			return nil
		}
		a := cover.Axis{Name: name}
		for k := range p.Bins {
			a.Bins = append(a.Bins, p.Bins[k].Name)
		}
		list = append(list, a)
	}
	return list
}

// fits tells whether index is a place on the axes. Some tools write -1.
func fits(index []int, axes []cover.Axis) bool {
	for k, n := range index {
		if k >= len(axes) || n < 0 || n >= len(axes[k].Bins) {
			return false
		}
	}
	return len(index) == len(axes) && len(axes) > 0
}

// placeOf is the place of a bin named <low,full>, as tools call those of a
// cross; nil if it is named otherwise.
func placeOf(name string, axes []cover.Axis) []int {
	inner, ok := strings.CutPrefix(name, "<")
	inner, ok2 := strings.CutSuffix(inner, ">")
	parts := strings.Split(inner, ",")
	if !ok || !ok2 || len(parts) != len(axes) {
		return nil
	}
	at := make([]int, len(parts))
	for k, part := range parts {
		if at[k] = slices.Index(axes[k].Bins, strings.TrimSpace(part)); at[k] < 0 {
			return nil
		}
	}
	return at
}
