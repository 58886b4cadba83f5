package empty

import "testing"

func FuzzEmpty(f *testing.F) {
	f.Fuzz(func(*testing.T, []byte) {})
}
