package rewrite

import (
	"github.com/ijongo/ijongo/annot"
	ijon "github.com/ijongo/ijongo/runtime"
)

// axis is a point of a cross.
type axis struct {
	*point
	term annot.Term
}

// goals are the bins of the point that may be hit.
func (p *point) goals() (list []*bin) {
	for _, b := range p.bins {
		if b.kind == ijon.Goal {
			list = append(list, b)
		}
	}
	return list
}

// cross makes the spec of a product of points.
func (r *resolver) cross(m *member, item ijon.ItemSpec) {
	axes, ok := r.axes(m)
	if !ok {
		return
	}
	s := ijon.CrossSpec{ItemSpec: item}
	product := 1
	for _, a := range axes {
		spec := ijon.AxisSpec{Point: a.index}
		if a.term.Instance != "" {
			spec.Instance = a.term.Instance[0]
		}
		s.Axes = append(s.Axes, spec)
		if product *= len(a.goals()); product > maxBins {
			break
		}
	}
	if product > maxBins {
		r.failAt(m.Cross[0].Pos, "cross fewer points, or points with fewer bins", "cross %s has more than %d bins", item.Name, maxBins)
		return
	}
	var ignored, never int
	s.Ignore, ignored = r.tuples(m, axes, m.Ignore, "ignore")
	s.Never, never = r.tuples(m, axes, m.Never, "never")
	if ignored == product {
		r.failAt(m.Ignore.Pos, "ignore less", "cross %s has no bins left", item.Name)
	}
	if len(r.errs) > 0 && (ignored < 0 || never < 0) {
		return
	}
	r.g.spec.Crosses = append(r.g.spec.Crosses, s)
	r.g.tuples = append(r.g.tuples, product-ignored)
}

// axes finds the points of a cross.
func (r *resolver) axes(m *member) (list []axis, ok bool) {
	ok = true
	for _, t := range m.Cross {
		p := r.pointNamed(t.Point, t.Pos)
		switch {
		case p == nil:
			ok = false
		case t.Instance != "" && t.Instance != "a" && t.Instance != "b":
			r.failAt(t.Pos, "write "+t.Point+"@a and "+t.Point+"@b", "the instances of a cross are a and b, not %s", t.Instance)
			ok = false
		case t.Instance != "" && r.g.spec.By == "":
			r.failAt(t.Pos, "write ; by E behind the group, or leave out @"+t.Instance, "group %s has one instance only", r.g.name)
			ok = false
		}
		list = append(list, axis{p, t})
	}
	return list, ok
}

// tuples are the tuples of bins for which a condition holds, and how many
// there are. A tuple with -1 stands for all bins on an axis. The count is -1
// when something was reported.
func (r *resolver) tuples(m *member, axes []axis, sel *annot.Selection, clause string) (list [][]int, n int) {
	if sel == nil {
		return nil, 0
	}
	c := &crossing{resolver: r, axes: axes, cond: sel.Cond}
	test := c.compile(sel.Cond.Node)
	if c.failed {
		return nil, -1
	}
	walk := tupleWalk{axes: axes, test: test, at: make([]*bin, len(axes))}
	list = walk.from(0)
	switch {
	case walk.stuck != nil:
		r.failAt(sel.Cond.Position(walk.stuck.pos), "split the bin, or compare with its name", "%s is not decided by bin %s of point %s", walk.stuck.text, walk.stuck.bin.name, walk.stuck.point)
		return nil, -1
	case walk.n == 0:
		r.failAt(sel.Pos, "leave out the clause", "%s %s holds for no bin of the cross", clause, sel.Text)
		return nil, -1
	}
	return list, walk.n
}

// tupleWalk goes through all tuples of bins.
type tupleWalk struct {
	axes  []axis
	test  func([]*bin) verdict
	at    []*bin
	n     int        // tuples for which the condition holds
	stuck *undecided // the first tuple for which it is not decided
}

// from lists the tuples from an axis on, of which the bins before are chosen.
// Where all bins of the last axes are in, they are one tuple.
func (w *tupleWalk) from(i int) (list [][]int) {
	if i == len(w.axes) {
		switch v := w.test(w.at); {
		case v.why != nil:
			if w.stuck == nil {
				w.stuck = v.why
			}
		case v.holds:
			w.n++
			return [][]int{make([]int, 0, i)}
		}
		return nil
	}
	goals := w.axes[i].goals()
	whole := true
	for _, b := range goals {
		w.at[i] = b
		rest := w.from(i + 1)
		for _, tail := range rest {
			list = append(list, append([]int{b.index}, tail...))
		}
		whole = whole && len(rest) == 1 && allAny(rest[0])
	}
	if whole {
		tuple := make([]int, len(w.axes)-i)
		for k := range tuple {
			tuple[k] = -1
		}
		return [][]int{tuple}
	}
	return list
}

func allAny(tuple []int) bool {
	for _, b := range tuple {
		if b >= 0 {
			return false
		}
	}
	return true
}
