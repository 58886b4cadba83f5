package ijon

import "sync"

// A Violation is what a failed Always panics with.
type Violation struct {
	Oracle string // what was violated, such as "always r.Term >= 0"
	Pos    string // file:line:col of the annotation, if it has one
}

func (v *Violation) Error() string {
	if v.Pos == "" {
		return "ijon: violated: " + v.Oracle
	}
	return "ijon: violated: " + v.Oracle + " (" + v.Pos + ")"
}

// failure keeps the first oracle that the run violated, in case the program
// recovers from the panic.
var failure violated

type violated struct {
	sync.Mutex
	oracle, state string
}

func (f *violated) clear() {
	f.Lock()
	f.oracle, f.state = "", ""
	f.Unlock()
}

// Violated names the oracle that the failure which follows violates, so that
// failures are grouped by what went wrong and not by where it was noticed. A
// harness calls it before t.Fatalf. The first name of a run counts.
func Violated(oracle string) { ViolatedIn(oracle, "") }

// ViolatedIn is Violated with the state of the system in which it is: two ways
// to violate an oracle are then two failures. The state should have few values
// that say how it came about, such as "in a joint configuration", and none that
// differ between two runs of the same kind, such as a term or an index. Of one
// oracle a search reports at most sixteen.
func ViolatedIn(oracle, state string) {
	failure.Lock()
	defer failure.Unlock()
	if failure.oracle == "" {
		failure.oracle, failure.state = oracle, state
	}
}

// ViolationKey is what violations are grouped by.
func ViolationKey(oracle, state string) string {
	if state == "" {
		return oracle
	}
	return oracle + ", " + state
}

// Oracle is the oracle that the run has violated, or "".
func (Run) Oracle() string {
	failure.Lock()
	defer failure.Unlock()
	return failure.oracle
}

// State is the state in which the run has violated its oracle, or "".
func (Run) State() string {
	failure.Lock()
	defer failure.Unlock()
	return failure.state
}

func fail(oracle, pos string) {
	Violated(oracle)
	panic(&Violation{Oracle: oracle, Pos: pos})
}
