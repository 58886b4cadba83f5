package ijon

import "sync/atomic"

// A Layout tells an engine how a harness reads its bytes: a header, then
// records of a fixed width, one an event. A mutation of one record never
// shifts the ones behind it, and an engine may delete, duplicate and splice
// whole events.
type Layout struct {
	Header int    // bytes before the first record
	Record int    // bytes of a record; the first one holds the kind, modulo len(Kinds)
	Kinds  []Kind // the kinds of event

	// Nodes is the number of nodes in a run with this header, for the fields
	// that pick one. Without it the fields mean nothing.
	Nodes func(header []byte) int
}

// A Kind is one kind of event. The weight is its share in a random schedule
// before swarm testing varies it.
type Kind struct {
	Name   string
	Weight int
	Fields []Field // what the bytes behind the first one of a record pick, as far as that is known
}

// A Field is what a byte of an event picks, so that an engine can change alike
// what many events pick: let a window of them happen to another node.
type Field byte

// The fields. A byte that picks one of n things picks the one with that number,
// modulo n.
const (
	FieldOther      Field = iota // it says how often, how many, which way
	FieldNode                    // a node
	FieldNodeOrRole              // below FirstRole a node, from there on one by what it is
	FieldLink                    // a link between two nodes, of number from*nodes + to
)

// FirstRole is the first value of a FieldNodeOrRole that picks by role.
const FirstRole = 128

var schedule Layout

// Schedule declares the layout of the harness's input. Call it before f.Fuzz.
func Schedule(l Layout) { schedule = l }

// Declared returns the layout that the harness declared; Record is 0 when it
// has none and the input is mere bytes.
func Declared() Layout { return schedule }

var event uint32

// Step ends an event of the schedule: what is observed from now on belongs to
// the next one.
func Step() {
	if !on {
		return
	}
	pairUp()
	if n := atomic.AddUint32(&event, 1); n == snapshots.at {
		snapshots.into.save()
	}
}

// Event is the number of the current event, from 0.
func Event() uint32 { return atomic.LoadUint32(&event) }
