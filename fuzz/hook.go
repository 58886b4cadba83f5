package fuzz

import (
	"encoding/json"
	"os"
	"reflect"
	"runtime/debug"
	"testing"

	"github.com/ijongo/ijongo/fuzz/args"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// maxStack bounds the stack of a goroutine: endless recursion is then a crash
// after a moment and not after a gigabyte.
const maxStack = 256 << 20

// Hook is what f.Fuzz becomes in an instrumented copy. Without a campaign it
// is f.Fuzz. With one, testing's own f.Fuzz still makes the *testing.T, reads
// the seeds and calls the user's TestMain; what it calls for a seed is the
// engine.
func Hook(f *testing.F) func(interface{}) {
	if guest(f) {
		return guestHook(f)
	}
	text, ok := os.LookupEnv(wire.EnvConfig)
	if !ok {
		return f.Fuzz
	}
	var config wire.Config
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		f.Fatalf("%s: %v", wire.EnvConfig, err)
	}
	if config.Target != f.Name() {
		return f.Fuzz
	}
	return func(fn interface{}) {
		signature, err := args.Of(reflect.TypeOf(fn))
		if err != nil {
			f.Fuzz(fn) // panics with testing's own words
			return
		}
		link := openLink()
		defer link.close()
		if config.Mode == wire.Describe {
			describe(f, fn, signature, link)
			return
		}
		host(f, fn, signature, config, link)
	}
}

// host makes the first seed's call the home of all runs.
func host(f *testing.F, fn interface{}, signature args.Signature, config wire.Config, link *link) {
	tune(maxStack)
	shared, err := wire.OpenShared(config.Shared)
	if err != nil {
		link.fail(err)
		return
	}
	defer shared.Close()
	if err := limitMemory(config.MemLimit); err != nil {
		link.fail(err)
		return
	}
	atFirstSeed(f, fn, func(t *testing.T) {
		ijon.Enable()
		r := newRunner(caller(fn, signature), shared)
		d, err := newDriver(r, config, link)
		if err == nil {
			err = r.loop(t, d)
		}
		if err != nil {
			link.fail(err)
		}
	})
}

// atFirstSeed calls body in the place of the user's function for the first
// seed. There is one.
func atFirstSeed(f *testing.F, fn interface{}, body func(*testing.T)) {
	f.Add(zeros(reflect.TypeOf(fn))...)
	done := false
	f.Fuzz(like(fn, func(t *testing.T, _ []reflect.Value) {
		if !done {
			done = true
			body(t)
		}
	}))
}

func newDriver(r *runner, config wire.Config, link *link) (driver, error) {
	cover, err := openCoverage(config)
	if err != nil {
		return nil, err
	}
	if config.Mode == wire.Serve {
		return newServer(r, link, cover), nil
	}
	s, err := newSearch(r, config, link)
	if err != nil {
		return nil, err
	}
	s.cover = cover
	return s, nil
}

// tune sets what suits a process that runs millions of short tests. A
// collection at 400 % instead of 100 % is worth 14 to 25 % of the speed.
func tune(stack int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	debug.SetMaxStack(stack)
}

// describe collects the seeds without running the user's code.
func describe(f *testing.F, fn interface{}, signature args.Signature, link *link) {
	d := &wire.Description{
		Args:     signature,
		Counters: len(ijon.Counters()),
		Items:    ijon.Items(),
		Layout:   layoutOf(ijon.Declared()),
	}
	d.Module, d.Manifest = ijon.Program()
	for _, a := range ijon.Annotations() {
		d.Annotations = append(d.Annotations, site(a))
	}
	var failed error
	f.Fuzz(like(fn, func(t *testing.T, values []reflect.Value) {
		seed, err := signature.Flat(values)
		if err != nil && failed == nil {
			failed = seedError{t.Name(), err}
		}
		d.Seeds = append(d.Seeds, seed)
	}))
	if failed != nil {
		link.fail(failed)
		return
	}
	link.send(&wire.Message{Description: d})
}

func site(a ijon.Annotation) wire.Site {
	return wire.Site{
		Verb: string(a.Verb), Name: a.Name, Key: a.Key, Pos: a.Pos, Kind: byte(a.Kind),
		Observe: a.Observe, Rare: a.Rare, Cap: a.Cap, AtLeast: a.AtLeast, Weight: a.Weight, Goal: a.Goal, Doc: a.Doc,
	}
}

type seedError struct {
	name string
	err  error
}

func (e seedError) Error() string { return "seed " + e.name + ": " + e.err.Error() }

// like is a function of fn's type that calls body.
func like(fn interface{}, body func(*testing.T, []reflect.Value)) interface{} {
	return reflect.MakeFunc(reflect.TypeOf(fn), func(in []reflect.Value) []reflect.Value {
		body(in[0].Interface().(*testing.T), in[1:])
		return nil
	}).Interface()
}

// zeros is one value of each parameter, so that there is at least one seed.
func zeros(fn reflect.Type) []interface{} {
	var values []interface{}
	for i := 1; i < fn.NumIn(); i++ {
		values = append(values, reflect.Zero(fn.In(i)).Interface())
	}
	return values
}

// caller is the user's function on flat bytes.
func caller(fn interface{}, signature args.Signature) func(*testing.T, []byte) {
	if direct, ok := fn.(func(*testing.T, []byte)); ok {
		return direct
	}
	call := reflect.ValueOf(fn)
	var values []reflect.Value
	in := make([]reflect.Value, 1+len(signature))
	return func(t *testing.T, flat []byte) {
		values = signature.Values(flat, values)
		in[0] = reflect.ValueOf(t)
		copy(in[1:], values)
		call.Call(in)
	}
}
