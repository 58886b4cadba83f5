package target

import (
	"strings"
	"testing"
)

func FuzzMaze(f *testing.F) {
	f.Fuzz(func(t *testing.T, input []byte) {
		if walk(input) == len(way) {
			t.Fatal("out of the maze")
		}
	})
}

func FuzzClimb(f *testing.F) {
	f.Fuzz(func(t *testing.T, input []byte) { climb(input) })
}

func FuzzFail(f *testing.F) {
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > 0 && strings.IndexByte(ways, input[0]) >= 0 {
			fail(input[0])
		}
	})
}

// FuzzKeep keeps something of every run.
func FuzzKeep(f *testing.F) {
	f.Fuzz(func(t *testing.T, input []byte) { kept = append(kept, make([]byte, 1<<16)) })
}

func FuzzWord(f *testing.F) {
	f.Fuzz(func(t *testing.T, input []byte) {
		if says(input) {
			t.Fatal("said")
		}
	})
}
