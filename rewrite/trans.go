package rewrite

import (
	"strings"

	"github.com/ijongo/ijongo/annot"
	ijon "github.com/ijongo/ijongo/runtime"
)

// maxBins bounds the bins of one item.
const maxBins = 1 << 16

// trans makes the spec of the transitions between the bins of a point.
func (r *resolver) trans(m *member, item ijon.ItemSpec) {
	pos := m.NamePos
	if !pos.IsValid() {
		pos = m.Pos
	}
	p := r.pointNamed(item.Name, pos)
	if p == nil {
		return
	}
	s := ijon.TransSpec{ItemSpec: item, Point: p.index, All: m.Trans.All}
	n := len(p.goals())
	switch {
	case s.All && n < 2:
		r.failAt(m.Trans.Pos, "name a transition, as A[*2]", "point %s has one bin, and there are no transitions between two", p.name)
		return
	case s.All && n*(n-1) > maxBins:
		r.failAt(m.Trans.Pos, "name the transitions that matter, as A=>B", "all transitions of %s are %d, more than %d", p.name, n*(n-1), maxBins)
		return
	}
	seen := map[string]bool{}
	add := func(paths []annot.Path, kind string) {
		for i := range paths {
			path := &paths[i]
			name := strings.Join(strings.Fields(path.Text), "")
			if seen[name] {
				r.failAt(path.Pos, "leave one out", "%s is there twice", name)
				continue
			}
			seen[name] = true
			if steps, ok := r.steps(p, path); ok {
				s.Paths = append(s.Paths, ijon.PathSpec{Name: name, Kind: kind, Steps: steps})
			}
		}
	}
	add(m.Trans.Paths, ijon.Goal)
	if m.Ignore != nil {
		add(m.Ignore.Paths, ijon.Ignore)
	}
	if m.Never != nil {
		add(m.Never.Paths, ijon.Never)
	}
	r.g.spec.Trans = append(r.g.spec.Trans, s)
}

// transitions is how many bins the transitions of a point have.
func (g *group) transitions(t *ijon.TransSpec) (n int) {
	if t.All {
		goals := len(g.points[t.Point].goals())
		n = goals * (goals - 1)
	}
	for _, path := range t.Paths {
		if path.Kind != ijon.Ignore {
			n++
		}
		if s := path.Steps; t.All && len(s) == 2 && s[0] == (ijon.StepSpec{Bin: s[0].Bin}) && s[1] == (ijon.StepSpec{Bin: s[1].Bin}) && s[0].Bin != s[1].Bin {
			n-- // one of all
		}
	}
	return n
}

// steps are the bins of a path.
func (r *resolver) steps(p *point, path *annot.Path) (list []ijon.StepSpec, ok bool) {
	ok = true
	for i := range path.Steps {
		step := &path.Steps[i]
		b := r.binNamed(p, &step.Bin)
		if b == nil {
			ok = false
			continue
		}
		s := ijon.StepSpec{Bin: b.index, Goto: step.Goto}
		if step.Max > 1 {
			s.Min, s.Max = step.Min, step.Max
		}
		list = append(list, s)
	}
	return list, ok
}

// binNamed finds the bin of a name, or of a constant that is its only value.
// It reports that there is none.
func (r *resolver) binNamed(p *point, b *annot.Bin) *bin {
	for _, name := range []string{b.Name, nameOf(b)} {
		if have := p.named(name); have != nil && name != "" {
			return r.allowed(p, have, b)
		}
	}
	if !b.Range && b.Lo != nil && p.domain.kind != kindOther {
		build := r.builder(r.g.places[0], p.Directive)
		if x := build.operand(b.Lo); len(build.errs) == 0 && x.value != nil {
			if v := p.domain.value(x.value); v != nil {
				for _, have := range p.bins {
					if have.cond == nil && !have.other && have.in.one() && equal(have.in.lo, v) {
						return r.allowed(p, have, b)
					}
				}
			}
		}
	}
	r.failAt(b.Pos, instead(b.Name, p.binNames(), "name a bin"), "point %s has no bin %s", p.name, b.Name)
	return nil
}

// allowed reports a bin that fails the run by itself.
func (r *resolver) allowed(p *point, have *bin, b *annot.Bin) *bin {
	if have.kind == ijon.Never {
		r.failAt(b.Pos, "leave it out", "bin %s of point %s fails the run by itself", have.name, p.name)
		return nil
	}
	return have
}
