package fuzz

import (
	"reflect"
	"testing"
	"unsafe"
)

// An inspector looks at what testing keeps in a *testing.T. Testing has no
// way to ask whether a run has registered a cleanup; the fields have been the
// same for years. If one of them is missing in this version of Go, or has
// another type, every run counts as one that used its T: slower, as correct.
type inspector struct {
	known    bool
	output   reflect.Value // []byte
	cleanups reflect.Value // []func()
	subtests reflect.Value // []*T, parallel ones
	hasSub   reflect.Value // atomic.Bool, its uint32
	ctxDone  reflect.Value // what t.Context().Done() has stored

	barrier  reflect.Value // chan bool; nil makes t.Parallel a no-op
	fuzzMode reflect.Value // bool, shared by all tests of the process
	subNames reflect.Value // map of the names of subtests, shared likewise
}

func inspect(t *testing.T) *inspector {
	v := reflect.ValueOf(t).Elem()
	in := &inspector{
		output:   field(v, reflect.Slice, "output"),
		cleanups: field(v, reflect.Slice, "cleanups"),
		subtests: field(v, reflect.Slice, "sub"),
		hasSub:   field(v, reflect.Uint32, "hasSub", "v"),
		ctxDone:  field(v, reflect.Interface, "ctx", "done", "v"),
		barrier:  field(v, reflect.Chan, "barrier"),
		fuzzMode: field(v, reflect.Bool, "tstate", "isFuzzing"),
		subNames: field(v, reflect.Map, "tstate", "match", "subNames"),
	}
	in.known = in.output.IsValid() && in.cleanups.IsValid() && in.subtests.IsValid() && in.hasSub.IsValid() && in.ctxDone.IsValid()
	return in
}

// field follows a path of field names through pointers and interfaces. It is
// invalid when the path does not lead to a field of that kind.
func field(v reflect.Value, kind reflect.Kind, path ...string) reflect.Value {
	for _, name := range path {
		for v.Kind() == reflect.Ptr || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return reflect.Value{}
		}
		if v = v.FieldByName(name); !v.IsValid() {
			return v
		}
	}
	if v.Kind() != kind {
		return reflect.Value{}
	}
	return v
}

// used tells whether the T is no longer as it was when its test began.
func (in *inspector) used() bool {
	return !in.known || in.output.Len() > 0 || in.cleanups.Len() > 0 || in.subtests.Len() > 0 ||
		in.hasSub.Uint() != 0 || !in.ctxDone.IsNil()
}

// fuzzing makes the subtests of the host behave as they do under go test
// -fuzz: t.Parallel has no effect, a panic in a subtest or a cleanup is a
// failure and not the end of the process. It returns what undoes that.
func (in *inspector) fuzzing() (undo func()) {
	if in.barrier.IsValid() {
		settable(in.barrier).Set(reflect.Zero(in.barrier.Type()))
	}
	if !in.fuzzMode.IsValid() {
		return func() {}
	}
	mode := settable(in.fuzzMode)
	mode.SetBool(true)
	return func() { mode.SetBool(false) }
}

// takeOutput returns what a finished subtest has left in its parent, and
// empties what would grow with every run.
func (in *inspector) takeOutput() string {
	if in.subNames.IsValid() && in.subNames.Len() > maxBatch {
		settable(in.subNames).Set(reflect.MakeMap(in.subNames.Type()))
	}
	if !in.output.IsValid() || in.output.Len() == 0 {
		return ""
	}
	output := settable(in.output)
	text := string(output.Bytes())
	output.SetLen(0)
	return text
}

// settable lifts the protection of an unexported field.
func settable(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}
