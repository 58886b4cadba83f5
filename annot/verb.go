package annot

// A Verb is the kind of an annotation.
type Verb string

// The verbs.
const (
	Max         Verb = "max"
	Min         Verb = "min"
	Set         Verb = "set"
	Inc         Verb = "inc"
	State       Verb = "state"
	Action      Verb = "action"
	Ctx         Verb = "ctx"
	Xor         Verb = "xor"
	Dist        Verb = "dist"
	Cmp         Verb = "cmp"
	Bits        Verb = "bits"
	StrDist     Verb = "strdist"
	StackMax    Verb = "stackmax"
	StackMin    Verb = "stackmin"
	Cover       Verb = "cover"
	Always      Verb = "always"
	Sometimes   Verb = "sometimes"
	Maybe       Verb = "maybe"
	Reachable   Verb = "reachable"
	Unreachable Verb = "unreachable"
	Group       Verb = "group"
	Point       Verb = "point"
	Cross       Verb = "cross"
	Trans       Verb = "trans"
	Seq         Verb = "seq"
	Off         Verb = "off"
	On          Verb = "on"
	Skip        Verb = "skip"
)

// many is the upper bound of arguments of a verb that takes a tuple.
const many = 1 << 30

// A verbRule is the shape of a verb.
type verbRule struct {
	verb     Verb
	form     string // what follows the verb, for hints
	min, max int    // number of arguments; 0, 0 means a name alone
	keyed    string // why it takes no clause by; empty when it takes one
}

const (
	byName  = "it is reported by name alone"
	byStack = "it has a slot for each call stack"
	byRun   = "it holds for the run"
	byGroup = "its group has it"
)

var verbs = []verbRule{
	{Max, "[NAME =] X", 1, 1, ""},
	{Min, "[NAME =] X", 1, 1, ""},
	{Set, "[NAME =] X {, Y}", 1, many, ""},
	{Inc, "[NAME =] X {, Y}", 1, many, ""},
	{State, "[NAME =] X {, Y}", 1, many, ""},
	{Action, "[NAME =] X", 1, 1, ""},
	{Ctx, "X", 1, 1, byRun},
	{Xor, "X", 1, 1, byRun},
	{Dist, "[NAME =] A, B", 2, 2, ""},
	{Cmp, "[NAME =] A, B", 2, 2, ""},
	{Bits, "[NAME =] X", 1, 1, ""},
	{StrDist, "[NAME =] A, B", 2, 2, ""},
	{StackMax, "[NAME =] X", 1, 1, byStack},
	{StackMin, "[NAME =] X", 1, 1, byStack},
	{Cover, "NAME", 0, 0, byName},
	{Always, "[NAME =] COND", 1, 1, byName},
	{Sometimes, "[NAME =] COND", 1, 1, byName},
	{Maybe, "[NAME =] COND", 1, 1, byName},
	{Reachable, "NAME", 0, 0, byName},
	{Unreachable, "NAME", 0, 0, byName},
	{Group, "G", 0, 0, ""},
	{Point, "[G.]P = X", 1, 1, ""},
	{Cross, "[[G.]C =] P*Q {*R}", 1, 1, byGroup},
	{Trans, "[G.]P: all, or [G.]P: A=>B {, C=>D}", 1, 1, ""},
	{Seq, "[G.]S: EV ~> EV {=> EV}", 1, 1, byGroup},
	{Off, "alone", 0, 0, ""},
	{On, "alone", 0, 0, ""},
	{Skip, "alone", 0, 0, ""},
}

// refuses says why the verb takes no clause that is for every other verb; it
// is empty when the verb takes it.
func (r *verbRule) refuses(clause string) string {
	switch {
	case clause == "by":
		return r.keyed
	case clause == "at" && r.verb.Member():
		return "it is evaluated where its group is sampled"
	case clause == "if" && (r.verb == Cross || r.verb == Seq):
		return "its group and points have it"
	}
	return ""
}

// Control reports whether v says where to instrument and is no annotation.
func (v Verb) Control() bool { return v == Off || v == On || v == Skip }

// Member reports whether a directive of verb v belongs to a group.
func (v Verb) Member() bool { return v == Point || v == Cross || v == Trans || v == Seq }

// nameless reports whether a verb has nothing to be reported by: X = Y behind
// it would look like an assignment and be one of a name that nobody sees.
func (v Verb) nameless() bool { return v == Ctx || v == Xor }

// findVerb returns nil for a verb that the language does not have.
func findVerb(name string) *verbRule {
	for i := range verbs {
		if string(verbs[i].verb) == name {
			return &verbs[i]
		}
	}
	return nil
}

// verbNames lists the verbs of the language.
func verbNames() []string {
	names := make([]string, len(verbs))
	for i := range verbs {
		names[i] = string(verbs[i].verb)
	}
	return names
}
