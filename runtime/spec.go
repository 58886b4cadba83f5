package ijon

// A GroupSpec declares a covergroup: points that are sampled together, and
// what is made of them. Indexes of points, bins and events count from 0 in the
// order in which the spec lists them.
type GroupSpec struct {
	Name    string // NAME
	Package string // import path; empty in a harness
	Key     string // stable identity; "" is Package:Name
	Pos     string // file:line:col
	By      string // expression of the instance key; "" when all samples are of one instance
	Clauses        // of every item that does not say otherwise; Doc is the group's own

	Points  []PointSpec
	Events  []string // bit j of a sample's events is the condition Events[j]; at most 64
	Crosses []CrossSpec
	Trans   []TransSpec
	Seqs    []SeqSpec
}

// An ItemSpec is what the items of a group have in common.
type ItemSpec struct {
	Name string // as shown: the NAME, or the expression
	Key  string // stable identity; "" is the group's Key, the kind and the name, joined by dots
	Expr string // as written
	Pos  string // file:line:col; "" is the group's
	Clauses
}

// A PointSpec is a coverpoint. Its bins are Goal or Never; values that are
// taken out have none.
type PointSpec struct {
	ItemSpec
	Bins []BinInfo
}

// A CrossSpec is the product of the bins of two or more points. A tuple lists
// the bin on each axis, -1 for any bin. Tuples with a Never bin of a point are
// left out. A tuple in both lists is left out.
type CrossSpec struct {
	ItemSpec
	Axes   []AxisSpec
	Ignore [][]int // tuples that are no bin
	Never  [][]int // tuples of which a hit fails the run
}

// An AxisSpec is a point of a cross. A cross has instances on all axes or on
// none, and both of them: it then counts every ordered pair of different
// instances that were sampled in the run, each as it was at its latest sample.
type AxisSpec struct {
	Point    int
	Instance byte // 'a', 'b', or 0
}

// A TransSpec is transitions between the bins of a point at successive samples
// of an instance. A sample in which the point was not evaluated is none; a
// value outside all bins comes between two others.
type TransSpec struct {
	ItemSpec
	Point int
	All   bool // every ordered pair of different bins that are not Never, but for those that Paths lists
	Paths []PathSpec
}

// A PathSpec is one transition.
type PathSpec struct {
	Name  string // as written; "" is made of the steps
	Kind  string // Goal, Never, or Ignore
	Steps []StepSpec
}

// Ignore is the kind of a path that has no bin.
const Ignore = "ignore"

// A StepSpec is one step of a transition: the bin once, Min to Max times in a
// row, or the Goto-th time that it comes, whatever other bins lie between.
type StepSpec struct {
	Bin      int
	Min, Max int // A[*Min..Max]; 0, 0 is once
	Goto     int // A[->Goto]; 0 is none
}

// A SeqSpec is a sequence of events of an instance. Each prefix is a bin.
//
// Several attempts may be under way at once: one begins at each sample at
// which the first event holds. A match ends all that were.
type SeqSpec struct {
	ItemSpec
	Steps []SeqStep // at least 2, at most 63
}

// A SeqStep is the next event of a sequence: at any later sample (~>), or at
// the very next one (=>).
type SeqStep struct {
	Event  int
	Next   bool  // =>; of no meaning in the first step
	Forbid []int // !EV: events that may not hold at a sample strictly between; only without Next
}

// What a sample says of a point that is in none of its bins.
const (
	NotSampled = -1 // its guard was false, or its value is taken out
	Outside    = -2 // the value is in no bin
	Panicked   = -3 // to evaluate it panicked
)
