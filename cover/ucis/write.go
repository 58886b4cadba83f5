package ucis

import (
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/cover"
)

// epoch is the time in every file, so that equal profiles are written alike.
const epoch = "1970-01-01T00:00:00"

// propertyGroup is the covergroup of the properties that are no assertions.
const propertyGroup = "properties"

// Write writes the items of a profile.
func Write(w io.Writer, p *cover.Profile) error {
	e := exporter{files: make(map[string]int)}
	e.source("") // ids count from 1, and something must have the first
	for _, pkg := range p.Packages() {
		if len(pkg.Groups) == 0 {
			continue
		}
		if err := e.pkg(p, pkg); err != nil {
			return err
		}
	}
	if len(e.doc.Instances) == 0 { // the schema wants one
		e.doc.Instances = []instance{{Name: p.Module, Key: p.Module, ID: e.source("")}}
	}
	user, err := note(runNote{p.Module, p.Manifest, p.Runs, p.Time})
	if err != nil {
		return err
	}
	e.doc.UCISVersion, e.doc.WrittenBy, e.doc.WrittenTime = "1.0", "ijongo", epoch
	e.doc.History = []history{{LogicalName: p.Module, Kind: "test", TestStatus: true, Date: epoch, Category: "UCIS:simulator",
		UCISVersion: "1.0", VendorID: "ijongo", VendorTool: "ijongo", ToolVersion: "1", User: user}}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "\t")
	if err := enc.Encode(&e.doc); err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n")
	return err
}

type exporter struct {
	doc   document
	files map[string]int
	n     map[*cover.Item]int
}

// source is the place of file:line:col. Nowhere is line 1 of the first file.
func (e *exporter) source(pos string) statementID {
	parts := strings.Split(pos, ":")
	line := 1
	name := "(none)"
	if n := len(parts); n >= 3 {
		if k, err := strconv.Atoi(parts[n-2]); err == nil && k > 0 {
			name, line = strings.Join(parts[:n-2], ":"), k
		}
	}
	id := e.files[name]
	if id == 0 {
		id = len(e.files) + 1
		e.files[name] = id
		e.doc.SourceFiles = append(e.doc.SourceFiles, sourceFile{name, id})
	}
	return statementID{id, line, 1}
}

func (e *exporter) pkg(p *cover.Profile, pkg *cover.Package) error {
	if e.n == nil {
		e.n = make(map[*cover.Item]int)
		for k, i := range p.Items {
			e.n[i] = k
		}
	}
	in := instance{Name: name(pkg.Path), Key: name(pkg.Path), ModuleName: name(pkg.Path), ID: e.source("")}
	for _, g := range pkg.Groups {
		var list assertions
		group := cover.Group{Package: g.Package, Name: g.Name}
		for _, i := range g.Items {
			if !assertable(i) {
				group.Items = append(group.Items, i)
				continue
			}
			a, err := e.assertion(i)
			if err != nil {
				return err
			}
			list.Assertion = append(list.Assertion, a)
		}
		if list.Assertion != nil {
			in.Assertions = append(in.Assertions, list)
		}
		if group.Items != nil {
			cg, err := e.group(&group)
			if err != nil {
				return err
			}
			in.Groups = append(in.Groups, covergroup{[]groupInstance{cg}})
		}
	}
	e.doc.Instances = append(e.doc.Instances, in)
	return nil
}

// name is that of a package as an instance.
func name(path string) string {
	if path == "" {
		return "harness"
	}
	return path
}

// assertable tells whether the item is a property with at most one bin of each
// kind, and so an assertion.
func assertable(i *cover.Item) bool {
	count := make(map[string]int)
	for k := range i.Bins {
		count[i.Bins[k].Kind]++
	}
	return i.Property() && count[cover.Goal] <= 1 && count[cover.Never] <= 1 && count[cover.Info] <= 1
}

func (e *exporter) assertion(i *cover.Item) (a assertion, err error) {
	a = assertion{Name: i.Name, Kind: "cover", Weight: &i.Weight}
	if i.Weight == 0 {
		a.Weight = nil
	}
	if i.Kind == "always" || i.Kind == "unreachable" {
		a.Kind = "assert"
	}
	for k := range i.Bins {
		b := &i.Bins[k]
		x := &bin{Alias: b.Name, Contents: contents{b.Hits}}
		if x.User, err = noteBin(b, binNote{N: k}); err != nil {
			return a, err
		}
		switch {
		case b.Kind == cover.Never:
			a.Fail = x
		case b.Kind == cover.Info:
			a.Attempt = x
		case a.Kind == "assert":
			a.Pass = x
		default:
			a.Cover, x.Goal = x, i.AtLeast
		}
	}
	a.User, err = e.note(i)
	return a, err
}

func (e *exporter) note(i *cover.Item) ([]userAttr, error) {
	bare := *i
	bare.Bins = nil
	return note(itemNote{e.n[i], bare})
}

func (e *exporter) group(g *cover.Group) (x groupInstance, err error) {
	title := g.Name
	if title == "" {
		title = propertyGroup
	}
	at := e.source(g.Items[0].Pos)
	x = groupInstance{Name: title, Key: name(g.Package) + ":" + title, ID: groupID{title, name(g.Package), at, at}}
	for _, i := range g.Items {
		if i.Kind == "cross" {
			c, err := e.cross(i)
			if err != nil {
				return x, err
			}
			x.Crosses = append(x.Crosses, c)
			continue
		}
		c, err := e.coverpoint(g, i)
		if err != nil {
			return x, err
		}
		x.Coverpoints = append(x.Coverpoints, c)
	}
	return x, nil
}

func optionsOf(i *cover.Item) options {
	o := options{Comment: i.Doc, AtLeast: i.AtLeast}
	if i.Weight != 0 {
		o.Weight = &i.Weight
	}
	return o
}

func (e *exporter) coverpoint(g *cover.Group, i *cover.Item) (c coverpoint, err error) {
	c = coverpoint{Name: i.Name, Key: i.Kind + " " + i.Key, Expr: i.Expr, Options: optionsOf(i)}
	if i.Kind == "trans" {
		c.Name += ".trans" // the name is the point's
	}
	states := statesOf(g, i)
	for k := range i.Bins {
		b := &i.Bins[k]
		x := coverpointBin{Name: b.Name, Key: strconv.Itoa(k), Type: binType(b, typeBins)}
		if i.Kind == "trans" {
			x.Sequences = []valueList{{contents{b.Hits}, values(b.Name, states)}}
		} else {
			from, to := bounds(b.Name, k)
			x.Ranges = []valueSet{{strconv.FormatInt(from, 10), strconv.FormatInt(to, 10), contents{b.Hits}}}
		}
		if x.User, err = noteBin(b, binNote{At: b.At}); err != nil {
			return c, err
		}
		c.Bins = append(c.Bins, x)
	}
	c.User, err = e.note(i)
	return c, err
}

func binType(b *cover.Bin, goal string) string {
	switch b.Kind {
	case cover.Never:
		return typeIllegal
	case cover.Info:
		return typeIgnore
	}
	return goal
}

// statesOf numbers the states of transitions: as the bins of their point, and
// others behind them as they come.
func statesOf(g *cover.Group, trans *cover.Item) map[string]int {
	states := make(map[string]int)
	for _, i := range g.Items {
		if i.Kind == "point" && i.Name == trans.Name {
			for k := range i.Bins {
				states[i.Bins[k].Name] = k
			}
		}
	}
	return states
}

// values are the numbers of the steps of a transition.
func values(name string, states map[string]int) (list []int) {
	for _, step := range strings.Split(name, "=>") {
		n, ok := states[step]
		if !ok {
			n = len(states)
			states[step] = n
		}
		list = append(list, n)
	}
	return list
}

// bounds are the ends of a bin named 3, 2..7, ..-1 or 8.., or else its place.
func bounds(name string, place int) (from, to int64) {
	low, high, isRange := strings.Cut(name, "..")
	from, to = math.MinInt64, math.MaxInt64
	var err1, err2 error
	if low != "" || !isRange {
		from, err1 = strconv.ParseInt(low, 10, 64)
	}
	if high != "" {
		to, err2 = strconv.ParseInt(high, 10, 64)
	} else if !isRange {
		to = from
	}
	if err1 != nil || err2 != nil || name == ".." {
		return int64(place), int64(place)
	}
	return from, to
}

func (e *exporter) cross(i *cover.Item) (c cross, err error) {
	c = cross{Name: i.Name, Key: i.Key, Options: optionsOf(i)}
	for _, a := range i.Axes {
		point, _, _ := strings.Cut(a.Name, "@") // at an instance: UCIS has no word for that
		c.Exprs = append(c.Exprs, point)
	}
	for k := range i.Bins {
		b := &i.Bins[k]
		x := crossBin{Name: b.Name, Key: strconv.Itoa(k), Type: binType(b, typeDefault), Index: b.At, Contents: contents{b.Hits}}
		if x.Index == nil {
			x.Index = []int{-1} // nowhere
		}
		if x.User, err = noteBin(b, binNote{}); err != nil {
			return c, err
		}
		c.Bins = append(c.Bins, x)
	}
	c.User, err = e.note(i)
	return c, err
}
