package fuzz

import (
	"errors"
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// maxBatch bounds the runs that share a *testing.T, so that what a T collects
// unseen stays small.
const maxBatch = 4096

// A driver says what to run and takes the results. Next and done are called
// in turn; the slice that next returns is the driver's until done.
type driver interface {
	next() (input []byte, more bool)
	done(input []byte, r *result)
	// err is why the driver gave up; nil if it was told to end.
	err() error
}

// A result is how a run ended. The feedback of the run is in the maps until
// the next one begins.
type result struct {
	fault   wire.Fault
	key     string
	text    string
	skipped bool

	oracle, state string // that were violated
}

// A runner calls the user's function.
//
// Runs share a *testing.T and its goroutine for as long as nobody can tell:
// as soon as a run leaves something behind in its T (a failure, a log line, a
// cleanup, a subtest, a use of its context) or ends its goroutine, that T is
// finished, with its cleanups, before the run counts as over and the next one
// gets a fresh T.
type runner struct {
	call     func(*testing.T, []byte)
	shared   *wire.Shared
	counters []byte
	scratch  []byte // the input that user code sees and may spoil

	input  []byte    // of the run in progress; the driver's
	causes []ijon.ID // of that run, as the driver says
	open   bool      // a run has begun and is not over
	last   bool      // the driver has no more
	exit   exit
	res    result
}

func newRunner(call func(*testing.T, []byte), shared *wire.Shared) *runner {
	return &runner{call: call, shared: shared, counters: ijon.Counters()}
}

// loop makes all runs of the driver as subtests of host.
func (r *runner) loop(host *testing.T, d driver) error {
	in := inspect(host)
	defer in.fuzzing()()
	for !r.last {
		var sub *testing.T
		host.Run("", func(t *testing.T) {
			sub = t
			r.batch(t, d)
		})
		if sub == nil {
			return errors.New("testing runs no subtests (a campaign cannot use -test.failfast or -test.skip)")
		}
		output := in.takeOutput()
		if r.open {
			r.settle(sub.Failed(), sub.Skipped(), output)
			d.done(r.input, &r.res)
		}
	}
	return d.err()
}

// batch makes runs with t until one of them leaves a trace in it.
func (r *runner) batch(t *testing.T, d driver) {
	in := inspect(t)
	for n := 0; n < maxBatch; n++ {
		input, more := d.next()
		if !more {
			r.last = true
			return
		}
		r.begin(input)
		r.invoke(t)
		if r.exit.panicked || t.Failed() || in.used() {
			return // loop settles it
		}
		r.settle(false, false, "")
		d.done(input, &r.res)
	}
}

// begin clears the feedback of the run before.
func (r *runner) begin(input []byte) {
	r.input, r.open = input, true
	r.exit = exit{}
	r.scratch = append(r.scratch[:0], input...)
	for i := range r.counters {
		r.counters[i] = 0
	}
	ijon.Begin(seedOf(input))
	r.shared.Start(input, r.causes)
}

// invoke calls the user's function and sees how it is left. A Goexit (Fatal,
// Skip) goes on when invoke is done; a panic ends here.
func (r *runner) invoke(t *testing.T) {
	defer r.leave()
	r.call(t, r.scratch[:len(r.scratch):len(r.scratch)])
	r.exit.returned = true
}

func (r *runner) leave() {
	if r.exit.returned {
		return
	}
	value := recover()
	r.exit.site = userSite()
	if value == nil {
		return // Goexit
	}
	r.exit.panicked = true
	r.exit.value = describePanic(value)
	r.exit.stack = debug.Stack()
}

// settle closes the run: its T, if it needed one of its own, is finished.
func (r *runner) settle(failed, skipped bool, output string) {
	output = logged(output)
	ijon.End()
	r.shared.Finish()
	r.open = false
	r.res = result{}
	oracle := ijon.Run{}.Oracle()
	switch {
	case r.exit.panicked:
		r.res.fault = wire.Panic
		r.res.key = "panic " + r.exit.site
		r.res.text = fmt.Sprintf("panic: %s\n\n%s%s", r.exit.value, output, r.exit.stack)
	case failed:
		r.res.fault = wire.Failed
		r.res.key = "failed " + failSite(r.exit.site, output)
		r.res.text = output
	case skipped:
		r.res.skipped = true
	}
	if oracle != "" {
		r.res.fault, r.res.oracle, r.res.state = wire.Violated, oracle, ijon.Run{}.State()
		r.res.key = ijon.ViolationKey(oracle, r.res.state)
		r.res.text = "violated: " + r.res.key + "\n" + r.res.text
	}
}

// exit is how the user's function was left.
type exit struct {
	returned bool
	panicked bool
	value    string // of the panic
	stack    []byte
	site     string // innermost frame of the user
}
