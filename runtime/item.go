package ijon

// An Item is something with bins: a property, a coverpoint, a cross, the
// transitions of a point or a sequence. The bins of the whole program are
// numbered from 0; those of an item are consecutive.
//
// What bins it has is told by its kind:
//
//	cover, reachable  hit
//	always            held, evaluated (info)
//	sometimes         true, evaluated (info)
//	maybe             true, false
//	unreachable       reached (never)
//	point             its bins, outside (info), skipped (info)
//	cross             its tuples, the last axis fastest
//	trans             its transitions
//	seq               1/n EV … n/n EV, vacuous (info)
//
// A property of which no bin was hit was never evaluated: it is vacuous. So is
// a sequence of which only vacuous was hit.
type Item struct {
	Kind    string // "point", "cross", "trans", "seq", or the Verb of a property
	Package string `json:",omitempty"` // import path; empty for what a harness declares
	Group   string `json:",omitempty"` // NAME of the group; empty for a property
	Name    string // as shown: the NAME, or the expression
	Key     string // stable identity among the items of its kind
	Expr    string `json:",omitempty"` // as written; empty if the name says it all
	Pos     string `json:",omitempty"` // file:line:col; empty for what a harness declares
	Axes    []Axis `json:",omitempty"` // of a cross
	Bins    []BinInfo
	First   int // number of Bins[0] in the program
	Clauses
}

// Clauses are what any item may be declared with.
type Clauses struct {
	Observe bool   `json:",omitempty"` // it reports and never guides
	Rare    bool   `json:",omitempty"` // it may stay cold
	AtLeast int    `json:",omitempty"` // hits for a bin to count; 0 is 1
	Weight  int    `json:",omitempty"` // of a bin; 0 is 1
	Goal    string `json:",omitempty"` // objective that it belongs to
	Doc     string `json:",omitempty"`
}

// An Axis is one point of a cross, at one instance.
type Axis struct {
	Name string   // name of the point, or "role@a"
	Bins []string // all bins of the point, in order; a never bin is in no tuple
}

// A BinInfo describes one bin.
type BinInfo struct {
	Name string
	Kind string `json:",omitempty"` // Goal, Never or Info
	At   []int  `json:",omitempty"` // of a cross: the bin on each axis; of a transition between two bins: from, to
}

// The kinds of bin.
const (
	Goal  = ""      // a hit counts for coverage
	Never = "never" // a hit fails the run, as Always does
	Info  = "info"  // hits are counted, and are no goal
)

// Items lists everything that has bins, in the order of the bins. It grows
// when a harness declares something; what it has returned must not be changed.
func Items() []Item {
	program.Lock()
	defer program.Unlock()
	program.load()
	return program.items[:len(program.items):len(program.items)]
}

// Program names what was instrumented: the path of the main module, and the
// first 16 hex digits of sha256 over the manifest.json of the copy, which is
// where the numbers of counters and bins mean the same. Both are empty in a
// program that is not instrumented.
func Program() (module, manifest string) { return modulePath, manifestHash }

// or is c with what it leaves open taken from d, but for the documentation.
func (c Clauses) or(d Clauses) Clauses {
	c.Observe = c.Observe || d.Observe
	c.Rare = c.Rare || d.Rare
	if c.AtLeast == 0 {
		c.AtLeast = d.AtLeast
	}
	if c.Weight == 0 {
		c.Weight = d.Weight
	}
	if c.Goal == "" {
		c.Goal = d.Goal
	}
	return c
}

// Title is the item for a reader: its group and its name.
func (i *Item) Title() string {
	if i.Group == "" {
		return i.Name
	}
	return i.Group + "." + i.Name
}
