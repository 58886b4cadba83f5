//go:build ijongo_mutator
// +build ijongo_mutator

// Command library is AFL_CUSTOM_MUTATOR_LIBRARY for the harness of which
// layout.json is the layout. It is built with -buildmode=c-shared and the tag
// ijongo_mutator.
//
// A Go runtime in afl-fuzz must not be noticed there. A library installs handlers
// only for signals that faults raise, which it hands on where it has not to do with
// them, for SIGPIPE likewise, and for SIGURG, with which the runtime interrupts
// Go code that runs for 10 ms or keeps the collector waiting. There is none here,
// and nothing to collect either: the collector is off, the memory that afl-fuzz gets
// to see is C's, and making an input allocates nothing.
package main

/*
#include <stdint.h>
#include <stdlib.h>
*/
import "C"

import (
	_ "embed"
	"encoding/json"
	"runtime"
	"runtime/cgo"
	"runtime/debug"
	"unsafe"

	"github.com/ijongo/ijongo/fuzz/mutate/custom"
	"github.com/ijongo/ijongo/fuzz/wire"
)

//go:embed layout.json
var layout []byte

func main() {}

// An instance is a mutator and what C sees of it.
type instance struct {
	mutator *custom.Mutator
	buf     unsafe.Pointer // where it makes inputs
	name    unsafe.Pointer // how the one in hand was made, with a zero at the end
}

// nameRoom is more than the names of all mutators take.
const nameRoom = 256

// of is the instance that afl_custom_init has made.
func of(data unsafe.Pointer) *instance {
	return (*(*cgo.Handle)(data)).Value().(*instance)
}

func slice(p unsafe.Pointer, n C.size_t) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(p), int(n))
}

//export afl_custom_init
func afl_custom_init(_ unsafe.Pointer, seed C.uint) unsafe.Pointer {
	debug.SetGCPercent(-1)
	runtime.GOMAXPROCS(1)
	var l wire.Layout
	if err := json.Unmarshal(layout, &l); err != nil {
		panic(err) // ijongo mutator has written it
	}
	room := custom.Room(&l)
	i := &instance{buf: C.malloc(C.size_t(room)), name: C.malloc(nameRoom)}
	i.mutator = custom.New(l, uint64(seed), slice(i.buf, C.size_t(room)))
	data := C.malloc(C.size_t(unsafe.Sizeof(cgo.Handle(0))))
	*(*cgo.Handle)(data) = cgo.NewHandle(i)
	return data
}

//export afl_custom_deinit
func afl_custom_deinit(data unsafe.Pointer) {
	i := of(data)
	(*(*cgo.Handle)(data)).Delete()
	C.free(i.buf)
	C.free(i.name)
	C.free(data)
}

//export afl_custom_fuzz
func afl_custom_fuzz(data, in unsafe.Pointer, size C.size_t, out *unsafe.Pointer, other unsafe.Pointer, otherSize, max C.size_t) C.size_t {
	i := of(data)
	made := i.mutator.Fuzz(slice(in, size), slice(other, otherSize), int(max))
	*out = i.buf
	return C.size_t(len(made))
}

//export afl_custom_describe
func afl_custom_describe(data unsafe.Pointer, max C.size_t) unsafe.Pointer {
	i := of(data)
	room := slice(i.name, nameRoom)
	n := len(i.mutator.AppendName(room[:0]))
	if n > int(max) {
		n = int(max) // afl-fuzz has room for the zero behind it
	}
	room[n] = 0
	return i.name
}
