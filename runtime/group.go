package ijon

// A Group is a covergroup that was declared.
type Group struct {
	spec *GroupSpec
}

// DeclareGroup declares a group of a harness. Call it from a package-level
// variable, so that the group is known before the first run and its holes are
// visible. It panics on a spec that makes no sense, and when a group of that
// name was declared.
func DeclareGroup(spec GroupSpec) *Group {
	return &Group{spec: &spec}
}

// Sample samples the group for the instance by. Bit j of events tells whether
// event j of the spec holds; bins[i] is the bin of point i, or NotSampled,
// Outside or Panicked. It panics if the sample does not fit the spec, and, as
// Always does, when a Never bin was hit. It may be called on any goroutine,
// does not allocate, and does nothing in a program that nobody observes.
func (g *Group) Sample(by, events uint64, bins ...int) {
}

// SampleObject is Sample for the instance that is the object to which a
// pointer points. The object is kept alive for as long as the group knows it,
// so that an address never stands for two instances of a run.
func (g *Group) SampleObject(object interface{}, events uint64, bins ...int) {
}

// SampleGroup is Sample for group i of the rewriter.
func SampleGroup(i int, by, events uint64, bins ...int) {
}

// SampleObject is SampleObject for group i of the rewriter.
func SampleObject(i int, object interface{}, events uint64, bins ...int) {
}

// StartTest tells that a test starts: what is covered for the first time from
// now on is put down to it, and the instances of all groups are forgotten.
// Instrumented tests call it at their entry. It does nothing but in a program
// that writes coverage, see IJONGO_COVERDIR in the package comment.
func StartTest(name string) {
}

// Covered appends the bins that the run hit: Element is the number of the bin,
// ID the index of its item in Items.
func (Run) Covered(buf []Touch) []Touch { return buf }

// BinHits is how often the run hit a bin.
func (Run) BinHits(bin uint32) uint64 { return 0 }

type itemList struct{}

func (itemList) list() []Item { return nil }

var items itemList
