package ijon

import (
	"reflect"
	"runtime"
)

// maxFrames is how much of a call stack tells it from others.
const maxFrames = 64

// stackBase is where the program's code is: a position-independent program is
// loaded elsewhere every time.
var stackBase = reflect.ValueOf(Enable).Pointer()

// Stack is a key for the call stack, of at most 64 frames, that is the same
// in every run of the program: MaxIntBy(id, Stack(), v) has a slot for each
// way in which the program got here.
func Stack() uint64 {
	if !on {
		return 0
	}
	var pcs [maxFrames]uintptr
	h := Hash
	for _, pc := range pcs[:runtime.Callers(2, pcs[:])] {
		h = HashUint(h, uint64(pc-stackBase))
	}
	return h
}
