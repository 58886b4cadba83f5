package fragile

import "testing"

func FuzzFragile(f *testing.F) {
	f.Add([]byte("yyy"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if Depth(b) == 30 {
			t.Error("thirty")
		}
	})
}
