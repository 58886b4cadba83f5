package rewrite

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/annot"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A group is a covergroup of a package: points that are sampled together at
// one or more places, and what is made of them. A type with watched points
// that name no group has one for itself, which is sampled after each write.
type group struct {
	pkg     *pkg
	name    string
	d       *annot.Directive // the first that declares it; nil for that of a type
	typ     string           // of the type's own group; empty for others
	stated  []token.Position // of the directives that declare it
	places  []*place
	members []*member // as they were met

	points []*point
	spec   ijon.GroupSpec
	tuples []int // of each cross: how many are bins
	object bool  // whether instances are objects
	number int
}

// member is a point, cross, trans or seq of a group.
type member struct {
	*annot.Directive
	file  *file
	field *watched // the field that it stands on, or nil
	named string   // G as written
}

// groupOf finds or makes the group of a name.
func (prog *program) groupOf(p *pkg, name string) *group {
	key := groupKey(p.PkgPath, name)
	g := prog.groups[key]
	if g == nil {
		g = &group{pkg: p, name: name}
		prog.groups[key] = g
	}
	return g
}

func (g *group) key() string { return groupKey(g.pkg.PkgPath, g.name) }

// declare adds a place at which a group directive stands.
func (prog *program) declare(p *pkg, d *annot.Directive, at *place) *annot.Error {
	g := prog.groupOf(p, d.Name)
	switch {
	case g.d == nil:
		g.d = d
	case strings.Join(strings.Fields(g.d.Text), " ") != strings.Join(strings.Fields(d.Text), " "):
		return &annot.Error{Pos: d.Pos, Hint: "write the same text at each place where the group is sampled, or use another name",
			Msg: fmt.Sprintf("group %s is another one already: %s at %s", d.Name, g.d.Text, g.d.Pos)}
	}
	g.stated = append(g.stated, d.Pos)
	if d.Sample != nil {
		var err *annot.Error
		if at, err = prog.sampleIn(p, d); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(g.places, at.same) {
		return nil // the directive stands at several places, and means one
	}
	at.from = d.Pos
	g.places = append(g.places, at)
	return nil
}

// collect notes the groups of a file and their members, which are resolved
// when all files have been read.
func (prog *program) collect(f *file, placed, typed []*annot.Placed) annot.Errors {
	live := func(d *annot.Placed) bool {
		return (d.Verb == annot.Group || d.Verb.Member()) && f.regionAt(d.Offset) == nil
	}
	of, errs := annot.Groups(slices.DeleteFunc(slices.Clone(placed), func(d *annot.Placed) bool { return !live(d) }))
	for i, d := range placed {
		switch {
		case !live(d):
		case d.Verb == annot.Group:
			if err := prog.declare(f.pkg, d.Directive, prog.placeOf(f, d, typed[i])); err != nil {
				errs = append(errs, err)
			}
		case d.Watch != nil:
			w := d.Watch
			errs = append(errs, prog.join(f, d.Directive, of[d.Directive], &watched{f, w.Decl, w.Type, w.Struct, w.Names()})...)
		default:
			errs = append(errs, prog.join(f, d.Directive, of[d.Directive], nil)...)
		}
	}
	return errs
}

// join adds a member to the group of a name, or to that of the type on whose
// field it stands. Without either, what is wrong has been reported.
func (prog *program) join(f *file, d *annot.Directive, name string, field *watched) annot.Errors {
	own := name == "" && field != nil
	if own {
		name = field.spec.Name.Name
	}
	if name == "" {
		return nil
	}
	if field != nil {
		if errs := field.refused(d); len(errs) > 0 {
			return errs
		}
	}
	g := prog.groupOf(f.pkg, name)
	if own {
		g.typ = name
	}
	g.members = append(g.members, &member{d, f, field, d.Group})
	return nil
}

// planGroups resolves all groups and plans their samples, in the order of
// their keys, so that what stands elsewhere does not change their numbers.
func (prog *program) planGroups() (errs annot.Errors) {
	for _, key := range slices.Sorted(maps.Keys(prog.groups)) {
		g := prog.groups[key]
		slices.SortStableFunc(g.members, func(a, b *member) int {
			return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Offset, b.Pos.Offset))
		})
		faults := prog.planGroup(g)
		errs = append(errs, faults...)
		if !faults.Fatal(false) && len(g.places) > 0 {
			prog.covered = append(prog.covered, g)
		}
	}
	return errs
}

func (prog *program) planGroup(g *group) annot.Errors {
	switch {
	case g.d == nil && g.typ == "" && prog.unsampled[g.key()], g.d != nil && len(g.places) == 0:
		return g.unsampled()
	case g.d == nil && g.typ == "":
		return prog.unknownGroup(g)
	case g.d != nil && g.typ != "":
		return annot.Errors{{Pos: g.d.Pos, Hint: "use another name",
			Msg: fmt.Sprintf("type %s has a group of that name for its fields", g.name)}}
	case g.d != nil && !slices.ContainsFunc(g.members, func(m *member) bool { return m.Verb == annot.Point || m.Verb == annot.Seq }):
		return annot.Errors{{Pos: g.d.Pos, Hint: fmt.Sprintf("write point P = X below it, or point %s.P = X elsewhere in the package", g.name),
			Msg: fmt.Sprintf("group %s has nothing to sample", g.name)}}
	}
	g.number = len(prog.covered)
	r := &resolver{prog: prog, g: g}
	r.resolve()
	if r.errs.Fatal(false) {
		return r.errs
	}
	r.emit()
	return r.errs
}

// noteLeftOut notes a group that is left out, for what belongs to it and stands
// elsewhere.
func (prog *program) noteLeftOut(p *pkg, d *annot.Directive) {
	if d.Verb == annot.Group {
		prog.unsampled[groupKey(p.PkgPath, d.Name)] = true
	}
}

// unsampled warns of the members of a group that is left out.
func (g *group) unsampled() (errs annot.Errors) {
	for _, m := range g.members {
		errs = append(errs, &annot.Error{Pos: m.Pos, Warning: true, Msg: fmt.Sprintf("group %s is not sampled: its %s is left out", g.name, m.Verb)})
	}
	return errs
}

// unknownGroup reports the members of a group that nothing declares.
func (prog *program) unknownGroup(g *group) (errs annot.Errors) {
	var names []string
	for _, have := range prog.groups {
		if have.pkg == g.pkg && have.d != nil {
			names = append(names, have.name)
		}
	}
	slices.Sort(names)
	for _, m := range g.members {
		pos := m.Pos
		if m.GroupPos.IsValid() {
			pos = m.GroupPos
		}
		errs = append(errs, &annot.Error{Pos: pos, Msg: fmt.Sprintf("package %s has no group %s", g.pkg.PkgPath, g.name), Hint: instead(g.name, names, "group "+g.name+" says where it is sampled")})
	}
	return errs
}

// instead is the hint for an unknown name: the one that was meant, all that
// there are, or what else to write.
func instead(name string, names []string, otherwise string) string {
	if near := annot.Nearest(name, names); near != "" && len(name) > 1 {
		return "did you mean " + near + "?"
	}
	if len(names) == 0 || len(names) > 12 {
		return otherwise
	}
	return "there is " + strings.Join(names, ", ")
}

// resolver checks a group and makes its spec. What is wrong is reported once,
// at the first place that has it.
type resolver struct {
	prog *program
	g    *group
	by   *member // of a type's own group: the one that says what its instances are
	errs annot.Errors
}

func (r *resolver) failAt(pos token.Position, hint, format string, args ...any) {
	r.errs = append(r.errs, &annot.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// resolve makes the spec of the group.
func (r *resolver) resolve() {
	g := r.g
	g.spec = ijon.GroupSpec{Name: g.name, Package: g.pkg.PkgPath, Key: g.key()}
	if g.d != nil {
		g.spec.Pos = r.prog.displayPosition(g.d.Pos)
		g.spec.Clauses = clausesOf(g.d)
	} else {
		g.spec.Pos = r.prog.displayPosition(g.members[0].Pos)
	}
	if g.typ != "" {
		r.placeOwn()
		r.by = r.keyed()
	}
	r.listPoints()
	for _, at := range g.places {
		if !r.evaluate(at) && g.typ == "" {
			break // the other places have the same faults
		}
	}
	if len(r.errs) > 0 {
		return
	}
	for _, p := range g.points {
		g.spec.Points = append(g.spec.Points, p.spec(r.prog))
	}
	r.others()
}

// others makes the specs of what is no point.
func (r *resolver) others() {
	seen := map[string]token.Position{}
	for _, m := range r.g.members {
		if m.Verb == annot.Point {
			continue
		}
		item := r.item(m, m.Verb, m.called())
		id := string(m.Verb) + " " + item.Name
		if at, again := seen[id]; again {
			hint := "use another name"
			if m.Verb == annot.Trans {
				hint = "join their transitions by commas"
			}
			r.failAt(m.Pos, hint, "%s %s is there already, at %s", m.Verb, item.Name, at)
			continue
		}
		seen[id] = m.Pos
		switch m.Verb {
		case annot.Cross:
			r.cross(m, item)
		case annot.Trans:
			r.trans(m, item)
		case annot.Seq:
			r.seq(m, item)
		}
	}
}

// called is the name of a member: a cross without one is called as its points
// are, and what is about a field as the field.
func (m *member) called() string {
	switch {
	case m.Name != "":
	case m.Verb == annot.Cross:
		terms := make([]string, len(m.Cross))
		for i, t := range m.Cross {
			terms[i] = t.String()
		}
		return strings.Join(terms, "*")
	case m.field != nil:
		return m.field.fields[0]
	}
	return m.Name
}

// item is what all items of a group have.
func (r *resolver) item(m *member, kind annot.Verb, name string) ijon.ItemSpec {
	_, expr := cutWord(m.Text)
	return ijon.ItemSpec{
		Name:    name,
		Key:     fmt.Sprintf("%s.%s.%s", r.g.key(), kind, name),
		Expr:    expr,
		Pos:     r.prog.displayPosition(m.Pos),
		Clauses: clausesOf(m.Directive),
	}
}

func clausesOf(d *annot.Directive) ijon.Clauses {
	return ijon.Clauses{Observe: d.Observe, Rare: d.Rare, AtLeast: d.AtLeast, Weight: d.Weight, Goal: d.Goal, Doc: d.Doc}
}
