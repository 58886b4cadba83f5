package rewrite

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/ijongo/ijongo/annot"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A point is a coverpoint of a group. What it is of is checked at every place
// where the group is sampled, and its bins are made at the first.
type point struct {
	*member
	item    ijon.ItemSpec
	name    string
	index   int
	field   string     // the watched field that it is about, if it has no expression
	typ     types.Type // nil before the first place
	domain  domain
	bins    []*bin     // that exist, in the order of the spec
	conds   []*bin     // of named conditions: also those that are ignored
	ignored []interval // values that are taken out
	leftOut string     // sentinel of an enumeration that has no bin
}

// listPoints makes the points of the group's members: those that a trans on a
// field is about, too.
func (r *resolver) listPoints() {
	for _, m := range r.g.members {
		if m.Verb != annot.Point {
			continue
		}
		if m.field == nil || len(m.Args) > 0 {
			r.addPoint(&point{member: m, name: m.Name})
			continue
		}
		for _, field := range m.field.fields {
			name := field
			if m.Name != "" {
				name = m.Name
			}
			r.addPoint(&point{member: m, name: name, field: field})
		}
	}
	for _, m := range r.g.members {
		if m.Verb != annot.Trans || m.field == nil || m.Name != "" {
			continue
		}
		for _, field := range m.field.fields {
			switch have := r.point(field); {
			case have != nil && m.If != nil:
				r.failAt(m.If.Pos, "put it behind the point", "the samples are those of point %s at %s", field, have.Pos)
			case have == nil:
				r.addPoint(&point{member: m, name: field, field: field})
			}
		}
	}
}

func (r *resolver) addPoint(p *point) {
	if have := r.point(p.name); have != nil {
		r.failAt(p.Pos, "use another name", "point %s is there already, at %s", p.name, have.Pos)
		return
	}
	p.index, p.item = len(r.g.points), r.item(p.member, annot.Point, p.name)
	r.g.points = append(r.g.points, p)
}

// point finds a point of the group by name, or nil.
func (r *resolver) point(name string) *point {
	for _, p := range r.g.points {
		if p.name == name {
			return p
		}
	}
	return nil
}

// pointNamed finds a point, or reports that there is none.
func (r *resolver) pointNamed(name string, pos token.Position) *point {
	p := r.point(name)
	if p == nil {
		r.failAt(pos, instead(name, r.pointNames(), "write point "+name+" = X"), "group %s has no point %s", r.g.name, name)
	}
	return p
}

func (r *resolver) pointNames() (names []string) {
	for _, p := range r.g.points {
		names = append(names, p.name)
	}
	return names
}

// pointExpr is the expression of the point where a group is sampled.
func (r *resolver) pointExpr(p *point, at *place) (*annot.Expr, *annot.Error) {
	if len(p.Args) > 0 {
		return r.qualified(p.member, &p.Args[0], at)
	}
	owner, err := r.owner(p.member, at)
	if err != nil {
		return nil, err
	}
	e, fault := annot.NewExpr(owner+"."+p.field, p.Pos)
	if fault != nil {
		return nil, &annot.Error{Pos: p.Pos, Msg: fault.Error()}
	}
	return e, nil
}

// owner is the struct of a watched field where the group is sampled.
func (r *resolver) owner(m *member, at *place) (string, *annot.Error) {
	if at.owner != "" {
		return at.owner, nil
	}
	return at.ofType(m)
}

// value stands for the point in other expressions.
func (r *resolver) value(p *point, at *place) (string, *annot.Error) {
	e, err := r.pointExpr(p, at)
	if err != nil {
		return "", err
	}
	return "(" + e.Text + ")", nil
}

// check checks the point at a place, and makes the text that gives its bin.
func (r *resolver) check(p *point, at *place) string {
	if at.owner != "" && !sameField(p.member.field, at.watched) {
		return fmt.Sprint(ijon.NotSampled)
	}
	e, err := r.pointExpr(p, at)
	if err != nil {
		r.errs = append(r.errs, err)
		return ""
	}
	b := r.builder(at, p.Directive)
	defer r.take(b, at)
	x := b.operand(e)
	if len(b.errs) > 0 {
		return ""
	}
	if x.constant {
		b.fail(e, token.NoPos, "write what varies from sample to sample", "%s is constant: point has nothing to tell", e.Text)
		return ""
	}
	if !r.typed(p, b, x) {
		return ""
	}
	return r.sampled(p, b, x, at)
}

// typed makes the bins of the point for the type of x, which must be the same
// at all places.
func (r *resolver) typed(p *point, b *builder, x operand) bool {
	if p.typ == nil {
		p.typ, p.domain = x.typ, domainOf(x.typ, r.g.pkg.TypesSizes)
		(&binning{builder: b, point: p, x: x}).make()
		return len(b.errs) == 0
	}
	if have, now := p.typ.String(), x.typ.String(); have != now {
		b.fail(x.expr, token.NoPos, "use two groups", "%s, and at another place it is of type %s", b.describe(x), types.TypeString(p.typ, types.RelativeTo(b.p.Types)))
		return false
	}
	return true
}

// sampled is the text of the point's bin, under a guard of its own where
// something may panic.
func (r *resolver) sampled(p *point, b *builder, x operand, at *place) string {
	failed := fmt.Sprint(ijon.Panicked)
	followed := at.untested(b)
	guard := r.guardOf(p, b, at)
	before := at.untested(b)
	if guard != "" {
		guard = fmt.Sprintf("if !(%s) { return %d }; ", guard, ijon.NotSampled)
	}
	body := ""
	if len(p.conds) > 0 {
		body = r.condition(p, b, at)
		followed = at.untested(b)
	} else {
		call := b.p.prefix + r.classifier(p) + "(" + b.convert(x, p.domain.kind) + ")"
		if guard == "" && !b.wild && len(followed) == 0 {
			return call
		}
		body = "return " + call
	}
	if len(b.errs) > 0 {
		return ""
	}
	return b.protected("int", failed, b.ifNil(before, failed)+guard+b.ifNil(followed, failed)+body)
}

// guardOf is the text of the clause if.
func (r *resolver) guardOf(p *point, b *builder, at *place) string {
	if p.If == nil {
		return ""
	}
	e, err := r.local(p.member, p.If, at, p)
	if err != nil {
		b.errs = append(b.errs, err)
		return ""
	}
	return b.condition(e)
}

// condition is the text of a switch over the conditions of the bins.
func (r *resolver) condition(p *point, b *builder, at *place) string {
	text := "switch { "
	for i, bin := range p.conds {
		before := len(b.pointers)
		e, err := r.local(p.member, bin.cond, at, p)
		if err != nil {
			b.errs = append(b.errs, err)
			return ""
		}
		x := b.operand(e)
		if len(b.errs) > 0 {
			return ""
		}
		if x.constant {
			b.fail(e, token.NoPos, "leave the bin out", "%s is constant", bin.cond.Text)
			return ""
		}
		b.wild = b.wild || i > 0 && len(b.pointers) > before // which is followed if the others do not hold
		text += fmt.Sprintf("case (%s): return %d; ", b.boolean(x), bin.result())
	}
	return fmt.Sprintf("%s}; return %d", text, p.otherwise())
}

// local is an expression of a member as it stands at a place: the points that
// it may name stand for their values, and the fields of a watched struct are
// those of the owner.
func (r *resolver) local(m *member, e *annot.Expr, at *place, points ...*point) (*annot.Expr, *annot.Error) {
	values := map[string]string{}
	for _, p := range points {
		text, err := r.value(p, at)
		if err != nil {
			return nil, err
		}
		values[p.name] = text
	}
	out, err := e.Substitute(func(name string) (string, bool) { text, ok := values[name]; return text, ok })
	if err != nil {
		return nil, &annot.Error{Pos: e.Pos, Msg: err.Error()}
	}
	return r.qualified(m, out, at)
}

// otherwise is what a sample says of a value that is in no bin.
func (p *point) otherwise() int {
	for _, b := range p.bins {
		if b.other {
			return b.index
		}
	}
	return ijon.Outside
}

func (p *point) spec(prog *program) ijon.PointSpec {
	s := ijon.PointSpec{ItemSpec: p.item}
	for _, b := range p.bins {
		s.Bins = append(s.Bins, ijon.BinInfo{Name: b.name, Kind: b.kind})
	}
	return s
}

// named finds a bin of the point, or nil.
func (p *point) named(name string) *bin {
	for _, b := range p.bins {
		if b.name == name {
			return b
		}
	}
	return nil
}

func (p *point) binNames() []string {
	var names []string
	for _, b := range p.bins {
		names = append(names, b.name)
	}
	return names
}
