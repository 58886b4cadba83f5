package fuzz

import (
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A lineage knows of every input that was kept, in the corpus or the archive,
// for which annotations that was and from which other one it was made. So an
// annotation can be told what came of what it let in.
type lineage struct {
	births  []birth // 0 is nobody: what random makes
	reasons []ijon.ID
	open    bool // an input is being kept, the last of births
	again   bool // and it is no find: it was in the folder
	origin  origin
	causes  []ijon.ID // of the run in hand: what all that it was made from was kept for
}

// A birth is an input that was kept, and its reasons.
type birth struct {
	parent   int32
	from, to int32
	line     []ijon.ID // its reasons and those of all its ancestors, each once
}

// An origin is what the run in hand was made from: a kept input, for one
// of its reasons or, with anyReason, for all.
type origin struct {
	birth  int32
	reason int32
}

const anyReason = -1

// A yield is what an annotation has brought.
type yield struct {
	admitted uint64  // inputs kept for it
	known    uint64  // of the folder, that it would have been kept for
	led      uint64  // finds made from an input that it was a reason for
	failures uint64  // kinds of failure with such an ancestor
	runs     uint64  // made from such inputs
	cost     float64 // of these
	visits   uint64  // in the runs that were looked at
	wobbles  uint64  // second runs in which it differed

	born  int32  // birth that it was a reason for last
	guilt uint64 // failure that it was credited with last
}

func (l *lineage) init() { l.births, l.origin = []birth{{}}, origin{reason: anyReason} }

// from says what the run in hand is made from.
func (l *lineage) from(birth int32, reason int32) {
	l.origin = origin{birth, reason}
	l.causes = l.causes[:0]
	if reason != anyReason {
		l.causes = append(l.causes, ijon.ID(reason))
		birth = l.births[birth].parent
	}
	l.causes = append(l.causes, l.births[birth].line...)
}

// current is the number of the input that is being kept.
func (l *lineage) current() int32 { return int32(len(l.births) - 1) }

// keep begins to keep an input, which is made from the origin unless it comes
// from the folder; what admit is told of until kept are its reasons.
func (n *notes) keep(again bool) {
	l := &n.lineage
	b := birth{parent: l.origin.birth, from: int32(len(l.reasons))}
	if again {
		b.parent = 0
	}
	l.births = append(l.births, b)
	l.open, l.again = true, again
}

func (n *notes) kept() {
	l := &n.lineage
	b := &l.births[l.current()]
	b.to = int32(len(l.reasons))
	b.line = joined(l.births[b.parent].line, l.reasons[b.from:b.to])
	l.open = false
}

// joined is line with what it lacks of more; line itself if that is nothing.
func joined(line, more []ijon.ID) []ijon.ID {
	line = line[:len(line):len(line)]
	for _, id := range more {
		if !contains(line, id) {
			line = append(line, id)
		}
	}
	return line
}

func contains(line []ijon.ID, id ijon.ID) bool {
	for _, old := range line {
		if old == id {
			return true
		}
	}
	return false
}

// because notes a reason to keep the input in hand.
func (n *notes) because(id ijon.ID) {
	l := &n.lineage
	s := n.source(id)
	if !l.open || s.mute || s.observe || s.yield.born == l.current() {
		return
	}
	s.yield.born = l.current()
	l.reasons = append(l.reasons, id)
	if l.again {
		s.yield.known++
	} else {
		s.yield.admitted++
	}
}

// reasonsOf are the annotations that an input was kept for.
func (l *lineage) reasonsOf(number int32) []ijon.ID {
	b := l.births[number]
	return l.reasons[b.from:b.to]
}

// fewReasons is how many reasons of a find are told.
const fewReasons = 4

// reasons names what the input in hand is being kept for.
func (n *notes) reasons() (names []string) {
	l := &n.lineage
	for _, id := range l.reasons[l.births[l.current()].from:] {
		if names = append(names, n.sources[id].String()); len(names) == fewReasons {
			break
		}
	}
	return names
}

// charge books a run on the annotations that its origin was kept for.
func (n *notes) charge(cost float64, found bool) {
	n.cost += cost
	if found {
		n.finds++
	}
	o := n.lineage.origin
	if o.reason != anyReason {
		n.sources[o.reason].yield.charge(cost, found)
		return
	}
	for _, id := range n.lineage.reasonsOf(o.birth) {
		n.sources[id].yield.charge(cost, found)
	}
}

// A run is charged when it is made and, if it is checked, a second time.
func (y *yield) charge(cost float64, found bool) {
	y.cost += cost
	y.runs++
	if found {
		y.led++
	}
}

// blame credits all that led to a failure: the reasons of its origin, of what
// that was made from, and so on.
func (n *notes) blame() {
	n.guilt++
	for _, id := range n.lineage.causes {
		if y := &n.sources[id].yield; y.guilt != n.guilt {
			y.guilt = n.guilt
			y.failures++
		}
	}
}

// sampleEvery is how many runs there are for one whose visits are counted.
const sampleEvery = 256

// sample counts the visits of a run: of set and inc its hits, of an item those
// of its bins. How often a max was visited nobody has counted.
func (n *notes) sample(f *feedback) {
	n.sampled++
	for i, c := range f.cells {
		n.source(c.ID).yield.visits += uint64(f.hits[i])
	}
	for i, b := range f.bins {
		n.source(b.ID).yield.visits += f.binHits[i]
	}
}

// why is what everything that guides has brought.
func (n *notes) why() *wire.Why {
	w := &wire.Why{Cost: n.cost, Finds: n.finds, Sampled: n.sampled}
	for id := range n.sources {
		s := &n.sources[id]
		switch ijon.Verb(s.verb) {
		case "", ijon.VerbAction, ijon.VerbCtx, ijon.VerbXor:
			continue // what these say is said by others
		}
		y := &s.yield
		w.Yields = append(w.Yields, wire.Yield{
			Verb: s.verb, Name: s.name, Expr: s.expr, Pos: s.pos,
			Admitted: y.admitted, Known: y.known, Led: y.led, Failures: y.failures,
			Runs: y.runs, Cost: y.cost, Visits: y.visits, Values: s.values, Wobbles: y.wobbles,
			Muted: s.mute, Observe: s.observe || !n.guided(ijon.ID(id)),
		})
	}
	return w
}

// guided tells whether a channel in which the annotation is seen guides.
func (n *notes) guided(id ijon.ID) bool {
	switch g := &n.guides; {
	case id == edgesID:
		return g[edges]
	case id > edgesID:
		return g[bins] || g[cells]
	}
	switch ijon.Verb(n.sources[id].verb) {
	case ijon.VerbSet, ijon.VerbInc, ijon.VerbState:
		return n.guides[set] || n.guides[cells]
	}
	return n.guides[slots]
}
