package fuzz

import (
	"sort"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// edgesID stands for the counters of the code, all together. itemIDs is the ID
// of the first item with bins; those of annotations are below.
const (
	edgesID = wire.EdgesID
	itemIDs = wire.FirstItem
)

const (
	maxValues  = 256  // distinct values of a set without a cap of its own before it only observes
	muteWindow = 2048 // runs
	muteShare  = 4    // one in so many runs may be admitted for one annotation
)

// notes is what the search has learnt about the annotations and items
// themselves: which of them say too much, and which do not say the same thing
// twice.
type notes struct {
	guides  channels // nothing is muted that does not guide
	goal    string   // what has another goal observes; empty is none
	unmuted bool     // nothing says too much, for comparison
	sources []source // by ID: annotations, and from itemIDs on items
	run     uint64
	warm    bool

	lineage lineage
	guilt   uint64  // failures
	sampled uint64  // runs whose visits were counted
	cost    float64 // of all runs
	finds   uint64

	annotations []ijon.Annotation
	wobbles     map[string]int
	fine        []string // oracles that are violated in too many states
}

// A source is an annotation or an item, and what it has said.
type source struct {
	verb    string
	name    string
	expr    string
	pos     string
	observe bool // the user wants it to say nothing
	mute    bool // it has said too much
	cap     int

	values   int    // distinct ones
	admitted int    // runs of this window admitted for it
	last     uint64 // run in which it was admitted last
	yield    yield
}

func newNotes(guides channels, goal string) *notes {
	n := &notes{guides: guides, goal: goal, sources: make([]source, itemIDs), wobbles: make(map[string]int)}
	n.sources[edgesID] = source{verb: "edges"}
	n.lineage.init()
	n.load()
	return n
}

// load takes up what has been declared since.
func (n *notes) load() {
	n.annotations = ijon.Annotations()
	for id := range n.annotations {
		a := &n.annotations[id]
		if s := &n.sources[id]; s.verb == "" {
			*s = source{verb: string(a.Verb), name: a.Name, expr: a.Expr, pos: a.Pos, observe: n.observes(a.Observe, a.Goal), cap: a.Cap}
		}
	}
	items := ijon.Items()
	for k := len(n.sources) - itemIDs; k < len(items); k++ {
		i := &items[k]
		n.sources = append(n.sources, source{verb: i.Kind, name: i.Title(), expr: i.Expr, pos: i.Pos, observe: n.observes(i.Observe, i.Goal)})
	}
}

// observes tells whether the user wants what was declared so, or with another
// goal than that of the search, to say nothing.
func (n *notes) observes(observe bool, goal string) bool {
	return observe || n.goal != "" && n.goal != goal
}

// source is what is known of an ID. It is not to be kept: a harness may
// declare more.
func (n *notes) source(id ijon.ID) *source {
	if int(id) >= len(n.sources) || n.sources[id].verb == "" {
		n.load()
	}
	return &n.sources[id]
}

// muted tells whether an annotation only observes: because it says too much,
// or because the user wants it so.
func (n *notes) muted(id ijon.ID) bool {
	s := n.source(id)
	return s.mute || s.observe
}

// kind is the kind of number of an annotation.
func (n *notes) kind(id ijon.ID) ijon.NumKind {
	n.source(id) // loads it
	return n.annotations[id].Kind
}

// value notes a value of a set that has not been seen before.
func (n *notes) value(id ijon.ID) {
	s := n.source(id)
	s.values++
	most := maxValues
	if s.cap > 0 {
		most = s.cap
	}
	if s.values > most && !n.unmuted && (n.guides[set] || n.guides[cells]) {
		s.mute = true
	}
}

// admit notes that the run in hand is new in channel c because of the
// annotation.
func (n *notes) admit(c channel, id ijon.ID) {
	if !n.guides[c] {
		return
	}
	s := n.source(id)
	if s.last != n.run {
		s.last = n.run
		s.admitted++
	}
	n.because(id)
}

// begin notes that a run starts. At the end of a window the annotations that
// have admitted too many of its runs are muted; the first window is for
// warming up. An item has so many bins and no more, so it is muted for one
// window, and may have become quieter then.
func (n *notes) begin() {
	if n.run++; n.run%muteWindow != 0 {
		return
	}
	for id := range n.sources {
		s := &n.sources[id]
		loud := n.warm && !n.unmuted && s.admitted > muteWindow/muteShare
		if loud || id >= itemIDs {
			s.mute = loud
		}
		s.admitted = 0
	}
	n.warm = true
}

// mutedNames lists the annotations that were muted for what they said.
func (n *notes) mutedNames() (names []string) {
	for id := range n.sources {
		if s := &n.sources[id]; s.mute && !s.observe {
			names = append(names, s.String())
		}
	}
	return append(names, n.fine...)
}

// overfine notes an oracle that is violated in too many states.
func (n *notes) overfine(oracle string) {
	text := "states of " + oracle
	for _, old := range n.fine {
		if old == text {
			return
		}
	}
	n.fine = append(n.fine, text)
}

// skipped lists the annotations that have been skipped because they panicked.
func (n *notes) skipped() (list []wire.Skip) {
	for id := range n.annotations {
		if visits := ijon.Skipped(ijon.ID(id)); visits > 0 {
			list = append(list, wire.Skip{ID: int32(id), Visits: uint64(visits)})
		}
	}
	return list
}

func (s *source) String() string {
	if s.name == "" {
		return s.verb
	}
	return s.verb + " " + s.name
}

// wobble notes that a second run of an input differed in something.
func (n *notes) wobble(name string) { n.wobbles[name]++ }

// wobbled is wobble for an annotation.
func (n *notes) wobbled(id ijon.ID) {
	s := n.source(id)
	s.yield.wobbles++
	n.wobble(s.String())
}

const maxWobbling = 10

// wobbling lists what differed, most frequent first.
func (n *notes) wobbling() []string {
	names := make([]string, 0, len(n.wobbles))
	for name := range n.wobbles {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := n.wobbles[names[i]], n.wobbles[names[j]]
		return a > b || a == b && names[i] < names[j]
	})
	return names[:least(len(names), maxWobbling)]
}
