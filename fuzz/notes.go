package fuzz

import (
	"sort"

	ijon "github.com/ijongo/ijongo/runtime"
)

// maxIDs is how many annotations the runtime's maps have room for. A harness
// may declare one as late as in a run.
const maxIDs = 1 << 13

const (
	maxValues  = 256  // distinct values of a set without a cap of its own before it only observes
	muteWindow = 2048 // runs
	muteShare  = 4    // one in so many runs may be admitted for one annotation
)

// notes is what the search has learnt about the annotations themselves: which
// of them say too much, and which do not say the same thing twice.
type notes struct {
	annotations []ijon.Annotation
	guides      channels // nothing is muted that does not guide

	mute     []bool
	values   []int // distinct values
	admitted []int // runs of this window admitted for the annotation
	last     []uint64
	run      uint64
	warm     bool

	wobbles map[string]int
}

func newNotes(guides channels) *notes {
	return &notes{
		annotations: ijon.Annotations(),
		guides:      guides,
		mute:        make([]bool, maxIDs),
		values:      make([]int, maxIDs),
		admitted:    make([]int, maxIDs),
		last:        make([]uint64, maxIDs),
		wobbles:     make(map[string]int),
	}
}

func (n *notes) annotation(id ijon.ID) ijon.Annotation {
	if int(id) >= len(n.annotations) {
		n.annotations = ijon.Annotations()
	}
	return n.annotations[id]
}

// muted tells whether an annotation only observes: because it says too much,
// or because the user wants it so.
func (n *notes) muted(id ijon.ID) bool { return n.mute[id] || n.annotation(id).Observe }

// value notes a value of a set that has not been seen before.
func (n *notes) value(id ijon.ID) {
	n.values[id]++
	most := maxValues
	if c := n.annotation(id).Cap; c > 0 {
		most = c
	}
	if n.values[id] > most && (n.guides[set] || n.guides[pairs]) {
		n.mute[id] = true
	}
}

// admit notes that the run in hand is new in channel c because of the
// annotation.
func (n *notes) admit(c channel, id ijon.ID) {
	if n.guides[c] && n.last[id] != n.run {
		n.last[id] = n.run
		n.admitted[id]++
	}
}

// begin notes that a run starts. At the end of a window the annotations that
// have admitted too many of its runs are muted; the first window is for
// warming up.
func (n *notes) begin() {
	if n.run++; n.run%muteWindow != 0 {
		return
	}
	for id := range n.admitted {
		if n.warm && n.admitted[id] > muteWindow/muteShare {
			n.mute[id] = true
		}
		n.admitted[id] = 0
	}
	n.warm = true
}

// mutedNames lists the annotations that were muted for what they said.
func (n *notes) mutedNames() (names []string) {
	for id, muted := range n.mute {
		if muted && !n.annotation(ijon.ID(id)).Observe {
			names = append(names, n.name(ijon.ID(id)))
		}
	}
	return names
}

func (n *notes) name(id ijon.ID) string {
	a := n.annotation(id)
	return string(a.Verb) + " " + a.Name
}

// wobble notes that a second run of an input differed in something.
func (n *notes) wobble(name string) { n.wobbles[name]++ }

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
