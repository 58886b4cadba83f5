package sim

import (
	"fmt"

	ijon "github.com/ijongo/ijongo/runtime"
)

// A Harness is a simulated cluster of the system under test. It calls
// ijon.Node before anything happens on a node, so that the node draws from
// its own random stream.
type Harness interface {
	// Begin starts a fresh cluster from the configuration bytes of an input.
	// It may reuse everything that the run before it left.
	Begin(config []byte)

	// Play plays one event and checks the oracles. It returns nil, or the
	// oracle that is violated, which ends the run.
	Play(e Event) *Violation

	// Settle is the quiet phase behind the last event: it heals every fault
	// and returns nil if the cluster then gets on with its work within a
	// bound, or is entitled not to.
	Settle() *Violation
}

// A Saver is a Harness that can copy its whole state, all that later events
// and oracles depend on.
type Saver interface {
	Harness

	// CanSave tells whether Save and Load work in this build.
	CanSave() bool

	// Save copies the state between two events. It may use the memory of old,
	// a state that is no longer needed, or nil.
	Save(old interface{}) interface{}

	// Load goes back to a saved state, of this or another run, any number of
	// times; the state stays as it is. See ijon.System.
	Load(state interface{})
}

// A Violation is an oracle that did not hold.
type Violation struct {
	Oracle string // its name, by which failures are grouped
	State  string // in which it was violated, if that makes another failure of it; see ijon.ViolatedIn
	Detail string // what was seen
	Event  int    // number of the event; the number of events for the quiet phase
}

func (v *Violation) Error() string {
	return fmt.Sprintf("event %d: %s: %s", v.Event, v.Key(), v.Detail)
}

// Key is what failures are grouped by.
func (v *Violation) Key() string { return ijon.ViolationKey(v.Oracle, v.State) }

// A Player plays inputs on a harness.
type Player struct {
	format  *Format
	harness Harness
	config  []byte
}

// NewPlayer returns a player of inputs of the given format. A harness that can
// save its state is made known to the engine.
func NewPlayer(f *Format, h Harness) *Player {
	if s, ok := h.(Saver); ok && s.CanSave() {
		ijon.Snapshots(s)
	}
	return &Player{format: f, harness: h, config: make([]byte, f.Config)}
}

// Play plays an input to its end, or to the first violation. It begins where
// the engine says, if that has saved a state in an earlier run.
func (p *Player) Play(data []byte) *Violation {
	first := ijon.Resume()
	if first == 0 {
		p.format.Configuration(data, p.config)
		ijon.Seed(p.format.Seed(data))
		p.harness.Begin(p.config)
	}
	n := p.format.Events(data)
	for i := first; i < n; i++ {
		e := p.format.Event(data, i)
		if ijon.Tracing() {
			ijon.Logf("%4d %s %02x %02x %02x", i, p.format.Kinds[e.Kind].Name, e.A, e.B, e.C)
		}
		v := p.harness.Play(e)
		ijon.Step()
		if v != nil {
			v.Event = i
			return v
		}
	}
	if ijon.Tracing() {
		ijon.Logf("%4d quiet phase", n)
	}
	v := p.harness.Settle()
	if v != nil {
		v.Event = n
	}
	return v
}

// T is the part of testing.TB that Run needs.
type T interface {
	Helper()
	Fatalf(format string, args ...interface{})
}

// Run plays an input and fails the test if an oracle is violated.
func Run(t T, p *Player, data []byte) {
	v := p.Play(data)
	if v == nil {
		return
	}
	t.Helper()
	ijon.ViolatedIn(v.Oracle, v.State)
	if ijon.Tracing() {
		ijon.Logf("violated: %v", v)
	}
	t.Fatalf("%v", v)
}
