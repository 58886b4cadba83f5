package build

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
)

// TestSidecarFingerprint: a target is built again when a file changes that a
// sidecar adds to a package.
func TestSidecarFingerprint(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	sum := func(sidecar string) string {
		h := sha256.New()
		addSidecar(h, sidecar)
		return string(h.Sum(nil))
	}
	sidecar := write("dep.ijon", "ijon 1\npackage example.com/dep\nadd save.go\n")
	missing := sum(sidecar)
	write("save.go", "package dep\n")
	first := sum(sidecar)
	if first != sum(sidecar) || first == missing {
		t.Error("the fingerprint does not tell whether the file is there")
	}
	write("save.go", "package dep\n\nfunc save() {}\n")
	if sum(sidecar) == first {
		t.Error("the fingerprint is the same after a change of the file")
	}
}
