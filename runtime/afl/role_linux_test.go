//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"reflect"
	"testing"
)

// What the race detector finds is a crash, whatever else it is told. It reads
// the first of two equal names, so there is one.
func TestRacesHalt(t *testing.T) {
	for _, c := range [][2][]string{
		{{"A=b"}, {"A=b", "GORACE=halt_on_error=1"}},
		{{"GORACE=atexit_sleep_ms=10", "A=b"}, {"GORACE=atexit_sleep_ms=10 halt_on_error=1", "A=b"}},
		{{"GORACE=halt_on_error=0"}, {"GORACE=halt_on_error=0"}},
	} {
		given := append([]string(nil), c[0]...)
		if got := halting(given); !reflect.DeepEqual(got, c[1]) {
			t.Errorf("%q becomes %q, want %q", c[0], got, c[1])
		}
	}
}
