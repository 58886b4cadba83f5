package annot

import "strings"

// A Verb is the kind of an annotation.
type Verb string

// The supported verbs.
const (
	Max       Verb = "max"
	Min       Verb = "min"
	Set       Verb = "set"
	Inc       Verb = "inc"
	Dist      Verb = "dist"
	Cmp       Verb = "cmp"
	Bits      Verb = "bits"
	StrDist   Verb = "strdist"
	Cover     Verb = "cover"
	Always    Verb = "always"
	Sometimes Verb = "sometimes"
)

// many is the upper bound of arguments of a verb that takes a tuple.
const many = 1 << 30

// A verbRule is the shape of a verb. One without a form is known to the
// language but not supported yet.
type verbRule struct {
	verb     Verb
	form     string // what follows the verb, for hints
	min, max int    // number of arguments; 0, 0 means a name alone
	by       bool   // takes the clause by
}

var verbs = []verbRule{
	{Max, "[NAME =] X", 1, 1, true},
	{Min, "[NAME =] X", 1, 1, true},
	{Set, "[NAME =] X {, Y}", 1, many, true},
	{Inc, "[NAME =] X {, Y}", 1, many, true},
	{Dist, "[NAME =] A, B", 2, 2, true},
	{Cmp, "[NAME =] A, B", 2, 2, true},
	{Bits, "[NAME =] X", 1, 1, true},
	{StrDist, "[NAME =] A, B", 2, 2, true},
	{Cover, "NAME", 0, 0, false},
	{Always, "[NAME =] COND", 1, 1, false},
	{Sometimes, "[NAME =] COND", 1, 1, false},
	{verb: "state"}, {verb: "action"}, {verb: "ctx"}, {verb: "xor"},
	{verb: "stackmax"}, {verb: "stackmin"},
	{verb: "maybe"}, {verb: "reachable"}, {verb: "unreachable"},
	{verb: "group"}, {verb: "point"}, {verb: "cross"}, {verb: "trans"}, {verb: "seq"},
	{verb: "off"}, {verb: "on"}, {verb: "skip"},
}

func (r *verbRule) supported() bool { return r.form != "" }

// findVerb returns nil for a verb that the language does not have.
func findVerb(name string) *verbRule {
	for i := range verbs {
		if string(verbs[i].verb) == name {
			return &verbs[i]
		}
	}
	return nil
}

// A clauseRule is the shape of a clause, as a verbRule is that of a verb.
type clauseRule struct {
	name string
	form string
}

var clauses = []clauseRule{
	{"if", "if COND"},
	{"by", "by E"},
	{"at", "at entry|exit"},
	{name: "bins"}, {name: "ignore"}, {name: "never"}, {name: "other"}, {name: "sample"},
	{name: "atleast"}, {name: "weight"}, {name: "goal"}, {name: "until"}, {name: "cap"},
	{name: "observe"}, {name: "rare"}, {name: "pure"}, {name: "doc"},
}

// findClause returns nil for a clause that the language does not have.
func findClause(name string) *clauseRule {
	for i := range clauses {
		if clauses[i].name == name {
			return &clauses[i]
		}
	}
	return nil
}

// verbNames lists the verbs of the language, or only the supported ones.
func verbNames(supported bool) []string {
	var names []string
	for i := range verbs {
		if !supported || verbs[i].supported() {
			names = append(names, string(verbs[i].verb))
		}
	}
	return names
}

// clauseNames lists the clauses of the language, or only the supported ones.
func clauseNames(supported bool) []string {
	var names []string
	for _, c := range clauses {
		if !supported || c.form != "" {
			names = append(names, c.name)
		}
	}
	return names
}

// notSupported reports a word of the language that has no meaning yet.
func (p *parser) notSupported(off int, kind, name string, supported []string) {
	p.errorf(off, "supported: "+strings.Join(supported, ", "), "%s %s is not supported yet", kind, name)
}
