package rewrite

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// annotation is one annotation of the program, with its ID as index.
type annotation struct {
	verb      annot.Verb
	kind      kind
	name, key string
	path      string // of its package
	meaning   string // what a second place with the same NAME must have too
	clauses   *annot.Directive
	first     token.Position // where it was seen first
	expr      string
	pos       []string
	mapped    []string // what line directives make of these, where they do
}

// maxAnnotations keeps the runtime's maps large enough for what a harness
// declares: they hold 8192.
const maxAnnotations = 7000

// register gives the directive its annotation: a new one, or for a NAME that
// is known the same one.
func (prog *program) register(at spot, d *annot.Directive, k kind) (int, *annot.Error) {
	path := at.file.pkg.PkgPath
	a := &annotation{
		verb:    d.Verb,
		kind:    k,
		name:    d.Name,
		key:     groupKey(path, d.Name),
		path:    path,
		meaning: meaning(d, k),
		clauses: d,
		first:   d.Pos,
		expr:    d.Text,
		pos:     []string{prog.displayPosition(d.Pos)},
	}
	if f := at.file; d.Pos.Filename == f.name {
		if mapped := prog.mapped(f, f.tok.Pos(d.Pos.Offset)); mapped != "" {
			a.mapped = append(a.mapped, mapped)
		}
	}
	if d.Name == "" {
		a.name = texts(d.Args)
	}
	if shared := d.Verb == annot.State || d.Name != "" && d.Verb != annot.Action; !shared {
		site := path + "." + at.fn
		prog.ordinals[site]++
		a.key = fmt.Sprintf("%s#%d", site, prog.ordinals[site])
	} else if id, ok := prog.named[a.key]; ok {
		return id, prog.again(id, a)
	}
	id := len(prog.annotations)
	if id == maxAnnotations {
		return 0, &annot.Error{Pos: d.Pos, Msg: fmt.Sprintf("more than %d annotations", maxAnnotations)}
	}
	prog.annotations = append(prog.annotations, a)
	prog.named[a.key] = id
	return id, nil
}

// again adds a place to an annotation that is known.
func (prog *program) again(id int, a *annotation) *annot.Error {
	have := prog.annotations[id]
	if len(have.pos) == 0 && a.verb == annot.State { // so far an action named it
		*have = *a
		return nil
	}
	if have.meaning != a.meaning {
		name, hint := a.clauses.Name, "use another name, or the same verb, expression and clauses"
		if name == "" {
			name, hint = "the state of this package", "give one of them a name, or the same clauses"
		}
		return &annot.Error{Pos: a.first, Hint: hint, Msg: fmt.Sprintf("%s is another annotation already: %s at %s", name, have.expr, have.first)}
	}
	have.pos = append(have.pos, a.pos...)
	have.mapped = append(have.mapped, a.mapped...)
	return nil
}

// group gives an action the ID of the state whose steps it names. The state
// may stand further on.
func (prog *program) group(at spot, d *annot.Directive) int {
	key := groupKey(at.file.pkg.PkgPath, d.Name)
	id, ok := prog.named[key]
	if !ok {
		id = len(prog.annotations)
		prog.annotations = append(prog.annotations, &annotation{verb: annot.State, name: d.Name, key: key, path: at.file.pkg.PkgPath, first: d.Pos, clauses: &annot.Directive{}})
		prog.named[key] = id
	}
	prog.actions = append(prog.actions, actionOf{id, d})
	return id
}

// actionOf is an action of the group with a state's ID.
type actionOf struct {
	state int
	*annot.Directive
}

// checkActions reports the actions that no state takes up.
func (prog *program) checkActions() (errs annot.Errors) {
	for _, a := range prog.actions {
		switch g := prog.annotations[a.state]; {
		case g.verb != annot.State:
			errs = append(errs, &annot.Error{Pos: a.Pos, Hint: "give the action the name of a state",
				Msg: fmt.Sprintf("%s is no state: %s at %s", a.Name, g.expr, g.first)})
		case len(g.pos) == 0:
			word := "state"
			if a.Name != "" {
				word = "state " + a.Name + " ="
			}
			errs = append(errs, &annot.Error{Pos: a.Pos, Hint: "write " + word + " X where an instance changes",
				Msg: "no state of this package takes up the action"})
		}
	}
	return errs
}

// groupKey is the key of a state: the group of its instances is the package,
// or part of it has a NAME.
func groupKey(path, name string) string {
	if name == "" {
		return path + ".state"
	}
	return path + ":" + name
}

// meaning is what makes two directives of one key the same. A state without a
// name tells the situation of its package's instances in any words.
func meaning(d *annot.Directive, k kind) string {
	m := fmt.Sprintf("%s %d", d.Verb, k)
	if d.Verb != annot.State || d.Name != "" {
		m += " " + texts(d.Args)
		for _, e := range []*annot.Expr{d.If, d.By, d.Until} {
			if e != nil {
				m += " ; " + e.Text
			}
		}
	}
	return m + fmt.Sprint(d.Observe, d.Rare, d.Cap, d.AtLeast, d.Weight, d.Goal)
}

func texts(args []annot.Expr) string {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = a.Text
	}
	return strings.Join(list, ", ")
}

func (prog *program) displayPosition(p token.Position) string {
	return fmt.Sprintf("%s:%d:%d", prog.display(p.Filename), p.Line, p.Column)
}

func (prog *program) manifestAnnotations() []Annotation {
	list := []Annotation{}
	for _, a := range prog.annotations {
		c := a.clauses
		list = append(list, Annotation{
			Verb: a.verb, Name: a.name, Key: a.key, Expr: a.expr, Pos: a.pos, Mapped: a.mapped,
			Observe: c.Observe, Rare: c.Rare, Cap: c.Cap, AtLeast: c.AtLeast, Weight: c.Weight, Goal: c.Goal, Doc: c.Doc,
		})
	}
	return list
}

func (prog *program) manifestGroups() []Group {
	list := []Group{}
	for _, g := range prog.covered {
		list = append(list, Group{GroupSpec: g.spec, Samples: g.samples(prog), Items: g.items()})
	}
	return list
}

// items are what belongs to a group, in the order of its spec.
func (g *group) items() (list []GroupItem) {
	for _, p := range g.points {
		list = append(list, GroupItem{annot.Point, p.name, len(p.bins), p.leftOut})
	}
	for i, c := range g.spec.Crosses {
		list = append(list, GroupItem{Kind: annot.Cross, Name: c.Name, Bins: g.tuples[i]})
	}
	for i := range g.spec.Trans {
		t := &g.spec.Trans[i]
		list = append(list, GroupItem{Kind: annot.Trans, Name: t.Name, Bins: g.transitions(t)})
	}
	for _, s := range g.spec.Seqs {
		list = append(list, GroupItem{Kind: annot.Seq, Name: s.Name, Bins: len(s.Steps)})
	}
	return list
}
