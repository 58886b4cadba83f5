package annot

import "go/token"

// The parts of functional coverage directives. Each part has the position at
// which it is written, for errors. Names of points and bins are syntax here:
// package rewrite resolves them, where types and constants are known.
//
//	group G                      Name "G"
//	point [G.]P = X              Group "G", Name "P", Args[0] X
//	cross [[G.]C =] P@a*Q@b      Group "G", Name "C", Cross
//	trans [G.]P: A=>B, C=>D      Group "G", Name "P" (the point), Trans
//	seq [G.]S: EV ~> EV          Group "G", Name "S", Seq
//
// On a struct field, and only there, a point may leave out Name and Args, and
// a trans Name: they are about the field then.

// A Sample is the clause sample exit F of a group.
type Sample struct {
	Pos  token.Position // of Func
	At   At             // AtEntry or AtExit
	Func string         // "F", "(*T).M" or "(T).M", as FuncName spells it
}

// BinForm is how the bins of a point are given.
type BinForm int

// The forms of the clause bins.
const (
	BinsList  BinForm = iota // 0, 1, 2..7, 8..    Bins.List
	BinsConds                // a: COND | b: COND  Bins.Conds
	BinsEnum                 // enum -A -B         Bins.Without
	BinsBool                 // bool
	BinsLog2                 // log2 [N]           Bins.N
	BinsEach                 // each LO..HI        Bins.List[0], a range with both ends
)

// Bins is the clause bins of a point.
type Bins struct {
	Pos     token.Position // of what follows the word bins
	Text    string         // what follows the word bins, as written
	Form    BinForm
	List    []Bin
	Conds   []NamedCond
	Without []Expr // constants that enum leaves out: identifiers, or pkg.Name
	N       int    // of log2, from 2 to 64; 8 when not given
}

// A Bin is one value, or a range of values with both ends included.
//
//	7          Lo 7, Hi nil, Range false
//	2..7       Lo 2, Hi 7, Range true
//	8..        Lo 8, Hi nil, Range true
//	..-1       Lo nil, Hi -1, Range true
//
// An end is a constant expression: a number, rune or string, a name or
// pkg.Name, with signs and operators. In the clauses ignore and never, and in
// a step of a trans, a Bin may also be the name of a bin, which reads as an
// identifier, or as a string with the name in quotes.
type Bin struct {
	Pos    token.Position
	Name   string // as written, without blanks around ..
	Lo, Hi *Expr
	Range  bool
}

// A NamedCond is a bin that holds the samples for which Cond is true. The
// name of the point stands for its value in Cond.
type NamedCond struct {
	Pos  token.Position // of Name
	Name string
	Cond *Expr
}

// A Selection is what a clause ignore or never is about. One of the fields
// Bins, Paths and Cond is set: that of the verb.
type Selection struct {
	Pos   token.Position // of what follows the word ignore or never
	Text  string         // as written
	Bins  []Bin          // of a point
	Paths []Path         // of a trans
	Cond  *Expr          // of a cross
}

// A Term is a point of a cross. In the conditions of a cross, P@a is the
// selector expression P.a: an *ast.SelectorExpr whose X is an identifier that
// names a point of the cross and whose Sel is its instance letter.
type Term struct {
	Pos      token.Position
	Point    string
	Instance string // "a" or "b" of P@a; empty when the cross is within one instance
}

// String is P or P@a.
func (t Term) String() string {
	if t.Instance == "" {
		return t.Point
	}
	return t.Point + "@" + t.Instance
}

// Transitions are what a trans is about: every ordered pair of different
// bins, or the Paths.
type Transitions struct {
	Pos   token.Position
	All   bool
	Paths []Path
}

// A Path is bins that follow each other at successive samples, A=>B=>C. It
// takes from 2 to 63 samples, but for those that a Goto waits through.
type Path struct {
	Pos   token.Position
	Text  string // as written
	Steps []Step
}

// A Step is one bin of a path.
//
//	A         Min 1, Max 1, Goto 0
//	A[*3]     Min 3, Max 3, Goto 0: at three successive samples
//	A[*2..3]  Min 2, Max 3, Goto 0
//	A[->2]    Min 1, Max 1, Goto 2: its second occurrence; other bins may lie before and between
type Step struct {
	Bin
	Min, Max int
	Goto     int
}

// SeqOp is what stands between two events of a sequence.
type SeqOp int

// The operators of a sequence. OpNone is in front of the first event.
const (
	OpNone  SeqOp = iota
	OpLater       // ~>
	OpNext        // =>
)

func (o SeqOp) String() string { return [...]string{"", "~>", "=>"}[o] }

// A Sequence is the events of a seq, from 2 to 63 with what is in Not, in their
// order.
type Sequence struct {
	Pos    token.Position
	Events []Event
}

// An Event is one condition of a sequence. Between A and C of A => !B ~> C,
// event C has OpLater and B in Not: Op is OpLater when any operator since the
// event before is ~>.
type Event struct {
	Pos  token.Position
	Text string // of Cond, as written
	Op   SeqOp
	Cond *Expr
	Not  []*Expr // must hold at no sample between the event before and this one; without the !
}
