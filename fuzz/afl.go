package fuzz

import (
	"reflect"
	"testing"

	"github.com/ijongo/ijongo/fuzz/args"
	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/runtime/afl"
)

// aflDriver makes the runs that a tool of AFL++ asks for.
type aflDriver struct {
	child *afl.Child
	tell  *projection
	gauge gauge
	runs  int
}

// briefStack is maxStack where a run may take no second: to fill more takes too
// long, and would be a hang.
const briefStack = 64 << 20

// weighEvery is the runs between two looks at the memory, of which one takes a
// microsecond.
const weighEvery = 16

// guest tells whether f is what a tool of AFL++ wants to run.
func guest(f *testing.F) bool {
	c := afl.Current()
	return c != nil && (c.Target == "" || c.Target == f.Name())
}

// guestHook is Hook for a tool of AFL++.
func guestHook(f *testing.F) func(interface{}) {
	return func(fn interface{}) {
		signature, err := args.Of(reflect.TypeOf(fn))
		if err != nil {
			f.Fuzz(fn) // panics with testing's own words
			return
		}
		hostAFL(f, fn, signature)
	}
}

// hostAFL is host for a tool of AFL++.
func hostAFL(f *testing.F, fn interface{}, signature args.Signature) {
	c := afl.Current()
	tune(briefStack)
	if err := limitMemory(c.MemLimit); err != nil {
		f.Fatal(err)
	}
	atFirstSeed(f, fn, func(t *testing.T) {
		ijon.Enable()
		d := &aflDriver{child: c, tell: newProjection(c), gauge: newGauge(c.MemLimit)}
		if err := newRunner(caller(fn, signature), nil).loop(t, d); err != nil {
			t.Fatal(err)
		}
	})
}

func (d *aflDriver) next() ([]byte, bool) { return d.child.Next() }

func (d *aflDriver) done(_ []byte, r *result) {
	d.runs++
	d.tell.project()
	if r.fault != "" {
		d.child.Fail(ijon.Event(), r.text)
	}
	if d.runs >= leakRuns && d.runs%weighEvery == 0 && d.gauge.full() {
		d.child.Leave(ijon.Event())
	}
	d.child.Done(ijon.Event())
}

func (d *aflDriver) err() error { return nil }
