package annot

import (
	"go/ast"
	"go/token"
)

// A Directive is one annotation as written: VERB [NAME =] ARG {, ARG} {; CLAUSE}.
type Directive struct {
	Pos  token.Position // of the comment, or of VERB in a sidecar file
	Verb Verb
	Name string // empty when the annotation is keyed by its site
	Args []Expr // empty for cover and its like
	Text string // as written, from VERB on

	If    *Expr // guard; nil when absent
	By    *Expr // instance key; nil when absent
	Until *Expr // retires a slot; nil when absent
	At    At

	Cap     int    // most distinct values before a set only observes; 0 when absent
	AtLeast int    // hits for a bin to count; 0 when absent
	Weight  int    // of a bin; 0 when absent
	Observe bool   // reports, never guides
	Rare    bool   // may stay cold
	Pure    bool   // the calls in the expressions only read: the user vouches
	Goal    string // objective that this belongs to
	Doc     string

	Group    string         // G of G.NAME, of a point, cross, trans or seq; empty when not written
	GroupPos token.Position // of Group
	NamePos  token.Position // of Name, where it has one

	Sample *Sample      // of a group; nil when it samples where it stands
	Bins   *Bins        // of a point; nil when absent
	Ignore *Selection   // of a point, cross or trans; nil when absent
	Never  *Selection   // as Ignore: a hit fails the run
	Other  bool         // of a point: one more bin for what is in none
	Cross  []Term       // of a cross: two or more
	Trans  *Transitions // of a trans
	Seq    *Sequence    // of a seq

	argOff              int // offset behind the verb
	atOff, ifOff, byOff int // offsets of clauses
}

// At tells when in a function an annotation runs.
type At int

// The values of At. AtNone is where the comment stands.
const (
	AtNone At = iota
	AtEntry
	AtExit
)

var atNames = map[string]At{"entry": AtEntry, "exit": AtExit}

func (a At) String() string {
	switch a {
	case AtEntry:
		return "entry"
	case AtExit:
		return "exit"
	}
	return ""
}

// An Expr is a Go expression inside a directive.
//
// The positions in Node are those of the caller's file set: fset.Position of
// a sub-node of an inline directive is its line and byte column inside the
// comment. For a sidecar file, which belongs to no file set, they are byte
// offsets plus one. [Expr.Position] resolves both.
type Expr struct {
	Text string
	Pos  token.Position
	Node ast.Expr

	start token.Pos // what Pos is in the numbering of Node

	under    *Expr         // what Substitute made this from; nil for one as written
	replaced []replacement // in Text, by offset
}

// Position is the file, line and byte column of a position in e.Node. An
// invalid pos gives the start of the expression. What Substitute put in has
// the position of the name that it stands for.
func (e *Expr) Position(pos token.Pos) token.Position {
	if e.under != nil {
		return e.under.Position(e.original(pos))
	}
	p := e.Pos
	if d := int(pos - e.start); pos.IsValid() && d > 0 {
		p.Offset += d
		p.Column += d
	}
	return p
}
