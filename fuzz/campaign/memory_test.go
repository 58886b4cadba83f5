package campaign

import (
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// TestOutOfMemoryIsToldFromOtherFaults has the words of the Go runtime for it.
func TestOutOfMemoryIsToldFromOtherFaults(t *testing.T) {
	const stack = "\n\nruntime stack:\nruntime.throw({0x4d8d8a?, 0x2c3c?})\n\t/go/panic.go:1229 +0x48\n\n" +
		"goroutine 7 gp=0x30f2073c01e0 m=0 mp=0x5a06c0 [running]:\nruntime.mallocgc(0x64, 0x4b8d20, 0x1)\n\t/go/malloc.go:1156 +0xd3\n" +
		"example.com/m.grow(...)\n\t/m/m.go:7 +0x1d\n"
	for line, want := range map[string]wire.Fault{
		"fatal error: runtime: out of memory":                           wire.Memory,
		"fatal error: runtime: cannot allocate memory":                  wire.Memory,
		"fatal error: out of memory allocating heap arena metadata":     wire.Memory,
		"fatal error: out of memory (stackalloc)":                       wire.Memory,
		"panic: cannot allocate memory for the cluster":                 wire.Crash,
		"fatal error: all goroutines are asleep - deadlock! no memory?": wire.Crash,
	} {
		o := died(nil, line+stack)
		if o.Fault != want {
			t.Errorf("%s: %s", line, o.Fault)
		}
		if o.Fault == wire.Memory && o.Key != "out of memory in example.com/m.grow" {
			t.Errorf("%s: key %s", line, o.Key)
		}
	}
}
