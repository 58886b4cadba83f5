package stress

import "testing"

func FuzzStress(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if Act(b) {
			t.Error("planted")
		}
	})
}
