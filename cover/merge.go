package cover

import (
	"fmt"
	"slices"
	"strings"
)

// A Side is a profile that takes part in a merge, and what to call it.
type Side struct {
	Name string
	*Profile
}

// Merge adds up profiles. Items are the same when their kinds and keys are, and their
// bins when their names are, so that profiles of moved or changed code can be
// merged: what an item is comes from the first profile that has it. A bin
// that is not in every program's profile is kept, and Only names those it is
// in; profiles are of one program when they have the same manifest. The first
// hit of a bin is the earliest, and of equally early ones that whose name
// sorts first: the order of the sides does not matter to it.
//
// Edges are the same by their number in the profiles of one program, and else
// by their place in the function, provided that it has the same kinds of
// edges in the same order. The notes say where a function has changed and the
// counts of a side are left out.
func Merge(sides ...Side) (p *Profile, notes []string) {
	m := newMerger()
	for _, s := range sides {
		m.add(s)
	}
	return m.result()
}

// A merger adds up profiles one after the other.
type merger struct {
	*finder
	funcs map[string][]*Edge // edges of p by function; nil until needed
	notes []string

	programs map[string]int // by manifest
	n        int            // programs
	first    string         // name of the first side
	known    [][]sideList   // by item and bin; nil for one program
}

func newMerger() *merger {
	return &merger{finder: newFinder(&Profile{}), programs: make(map[string]int)}
}

// program is the number of the program that a profile is of.
func (m *merger) program(s Side) int {
	id, ok := m.programs[s.Manifest]
	if !ok || s.Manifest == "" {
		id = m.n
		m.n++
		m.programs[s.Manifest] = id
	}
	return id
}

func (m *merger) add(s Side) {
	program := m.program(s)
	if m.n == 1 && m.first == "" {
		m.p.Module, m.p.Manifest, m.first = s.Module, s.Manifest, s.Name
	} else if m.n == 2 && m.known == nil {
		m.knowAll()
	}
	m.p.Runs += s.Runs
	m.p.Time += s.Time
	for at, i := range s.Items {
		k, ok := m.item(at, i)
		if ok {
			m.addItem(k, i)
		} else {
			k = len(m.p.Items)
			m.newItem(i)
		}
		if m.n > 1 {
			m.know(program, s.Name, k, i)
		}
	}
	m.addEdges(s)
	if s.Manifest != m.p.Manifest {
		m.p.Manifest = ""
	}
}

// result is the sum; the merger must not be used any more.
func (m *merger) result() (*Profile, []string) {
	for k, bins := range m.known {
		for j, list := range bins {
			m.p.Items[k].Bins[j].Only = list.only(m.n)
		}
	}
	return m.p, m.notes
}

func (m *merger) newItem(i *Item) {
	fresh := *i
	fresh.Axes, fresh.Bins = cloneAxes(i.Axes), slices.Clone(i.Bins)
	m.append(&fresh)
}

func cloneAxes(axes []Axis) []Axis {
	axes = slices.Clone(axes)
	for k := range axes {
		axes[k].Bins = slices.Clone(axes[k].Bins)
	}
	return axes
}

func (m *merger) addItem(k int, i *Item) {
	to := m.p.Items[k]
	to.Crowded = to.Crowded || i.Crowded
	for j := range i.Bins {
		from := &i.Bins[j]
		if at := m.bin(k, j, from.Name); at < len(to.Bins) {
			to.Bins[at].add(from)
		} else {
			to.newBin(i, from)
		}
	}
}

func (b *Bin) add(from *Bin) {
	b.Hits += from.Hits
	if b.Only == "" {
		b.Only = from.Only
	}
	if from.earlier(b) {
		b.First, b.When = from.First, from.When
	}
}

// earlier tells whether the first hit of b came before that of other.
func (b *Bin) earlier(other *Bin) bool {
	switch {
	case b.First == "" || other.First == "":
		return b.First != ""
	case b.When != other.When:
		return b.When < other.When
	}
	return b.First < other.First
}

// newBin adds b, a bin of from, to an item that has none of its name.
func (to *Item) newBin(from *Item, b *Bin) {
	fresh := *b
	if len(b.At) > 0 {
		fresh.At = to.place(from, b)
	}
	to.Bins = append(to.Bins, fresh)
}

// place is where b, a bin of from, lies among those of to. The axes of a cross
// are extended where they lack one of its coordinates.
func (to *Item) place(from *Item, b *Bin) []int {
	if len(from.Axes) == 0 || len(from.Axes) != len(to.Axes) {
		return to.transition(b)
	}
	at := make([]int, len(b.At))
	for k, n := range b.At {
		name, axis := from.Axes[k].Bins[n], &to.Axes[k]
		if n >= len(axis.Bins) || axis.Bins[n] != name {
			if n = slices.Index(axis.Bins, name); n < 0 {
				n = len(axis.Bins)
				axis.Bins = append(axis.Bins, name)
			}
		}
		at[k] = n
	}
	return at
}

// transition is the place of b, a transition between two bins of a point,
// that the other transitions of the item tell; nil if they do not.
func (i *Item) transition(b *Bin) []int {
	from, to, ok := strings.Cut(b.Name, "=>")
	at := []int{-1, -1}
	for k := range i.Bins {
		known := &i.Bins[k]
		if first, second, found := strings.Cut(known.Name, "=>"); found && ok && len(known.At) == 2 {
			for j, end := range []string{from, to} {
				switch end {
				case first:
					at[j] = known.At[0]
				case second:
					at[j] = known.At[1]
				}
			}
		}
	}
	if at[0] < 0 || at[1] < 0 {
		return nil
	}
	return at
}

// A sideList holds, for each program that knows a bin, the name of its side.
type sideList []string

// partly begins the name of a side that is a merge of some that know the bin
// and some that do not.
const partly = "\x00"

// knowAll notes that the first program knows all bins that there are so far.
func (m *merger) knowAll() {
	m.known = make([][]sideList, 0, len(m.p.Items))
	for k, i := range m.p.Items {
		m.know(0, m.first, k, i)
	}
}

// know notes that a program knows the bins of i, which is item k here.
func (m *merger) know(program int, name string, k int, i *Item) {
	for len(m.known) <= k {
		m.known = append(m.known, nil)
	}
	for len(m.known[k]) < len(m.p.Items[k].Bins) {
		m.known[k] = append(m.known[k], nil)
	}
	for j := range i.Bins {
		b := &i.Bins[j]
		known := &m.known[k][m.bin(k, j, b.Name)]
		for len(*known) <= program {
			*known = append(*known, "")
		}
		if (*known)[program] != "" {
			continue
		}
		(*known)[program] = name
		if b.Only != "" {
			(*known)[program] = partly + b.Only
		}
	}
}

// only is the names of those of n programs that know it, or empty if all do.
func (l sideList) only(n int) string {
	var names []string
	all := len(l) == n
	for _, name := range l {
		rest, part := strings.CutPrefix(name, partly)
		all = all && name != "" && !part
		if rest != "" && !slices.Contains(names, rest) {
			names = append(names, rest)
		}
	}
	if all {
		return ""
	}
	return strings.Join(names, ", ")
}

func (m *merger) addEdges(s Side) {
	if len(m.p.Edges) == 0 {
		for _, e := range s.Edges {
			fresh := *e
			m.p.Edges = append(m.p.Edges, &fresh)
		}
		return
	}
	if m.sameEdges(s) {
		for k, e := range s.Edges {
			m.p.Edges[k].Hits += e.Hits
		}
		return
	}
	if m.funcs == nil {
		m.funcs = byFunction(m.p.Edges)
	}
	added := byFunction(s.Edges)
	for _, e := range s.Edges {
		name := e.Package + "." + e.Func
		if edges := added[name]; edges != nil {
			delete(added, name)
			m.addFunction(s.Name, name, edges)
		}
	}
}

// sameEdges tells whether the edges of s can be added by number.
func (m *merger) sameEdges(s Side) bool {
	return s.Manifest != "" && s.Manifest == m.p.Manifest && len(s.Edges) == len(m.p.Edges)
}

func (m *merger) addFunction(side, name string, edges []*Edge) {
	have := m.funcs[name]
	if have == nil {
		for _, e := range edges {
			fresh := *e
			m.p.Edges = append(m.p.Edges, &fresh)
			m.funcs[name] = append(m.funcs[name], &fresh)
		}
		return
	}
	if !slices.EqualFunc(have, edges, func(a, b *Edge) bool { return a.Kind == b.Kind }) {
		m.notes = append(m.notes, fmt.Sprintf("%s has changed: its edges in %s are left out", name, side))
		return
	}
	for k, e := range edges {
		have[k].Hits += e.Hits
	}
}

func byFunction(edges []*Edge) map[string][]*Edge {
	funcs := make(map[string][]*Edge)
	for _, e := range edges {
		name := e.Package + "." + e.Func
		funcs[name] = append(funcs[name], e)
	}
	return funcs
}
