package rewrite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// oldCopy makes a folder that looks like an instrumented copy.
func oldCopy(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "copy")
	files := map[string]entry{
		manifestName: {data: []byte(`{"Format":"` + format + `"}`), mode: 0o644},
		"old/file":   {data: []byte("old"), mode: 0o644},
	}
	if err := replaceTree(context.Background(), out, files); err != nil {
		t.Fatal(err)
	}
	return out
}

func mustHold(t *testing.T, out, name string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(out, name)); err != nil {
		t.Error(err)
	}
	list, err := os.ReadDir(filepath.Dir(out))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 {
		t.Errorf("left beside the copy: %v", list)
	}
}

func TestReplaceTree(t *testing.T) {
	out := oldCopy(t)
	if err := checkOut(out); err != nil {
		t.Fatal(err)
	}
	err := replaceTree(context.Background(), out, map[string]entry{"new/file": {data: []byte("new"), mode: 0o600}})
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, out, "new/file")
	if _, err := os.Stat(filepath.Join(out, "old")); err == nil {
		t.Error("the old copy is still there")
	}
	if err := checkOut(out); err == nil {
		t.Error("a folder without a manifest may be replaced")
	}
}

// TestReplaceTreeFails shows that an error in the middle leaves the old copy.
func TestReplaceTreeFails(t *testing.T) {
	out := oldCopy(t)
	files := map[string]entry{
		"a": {data: []byte("new"), mode: 0o644},
		"b": {from: filepath.Join(out, "no such file"), mode: 0o644},
	}
	if err := replaceTree(context.Background(), out, files); err == nil {
		t.Error("no error for a file that cannot be read")
	}
	mustHold(t, out, "old/file")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := replaceTree(ctx, out, files); err == nil {
		t.Error("no error when cancelled")
	}
	mustHold(t, out, "old/file")
}

// TestScratch shows that what a killed process left is removed, and what one
// that lives is writing is not.
func TestScratch(t *testing.T) {
	dead := exec.Command("go", "version")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "copy")
	left := filepath.Join(filepath.Dir(out), fmt.Sprintf(".ijongo-copy-%d-1", dead.Process.Pid))
	busy := filepath.Join(filepath.Dir(out), fmt.Sprintf(".ijongo-copy-%d-2", os.Getpid()))
	for _, dir := range []string{left, busy} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := replaceTree(context.Background(), out, map[string]entry{"a": {mode: 0o644}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what a killed process left is still there")
	}
	if _, err := os.Stat(busy); err != nil {
		t.Error("the folder of a process that lives was removed")
	}
}

// TestSwap shows that fresh takes the place of out.
func TestSwap(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"fresh", "out"} {
		if err := os.MkdirAll(filepath.Join(dir, name, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := swap(filepath.Join(dir, "fresh"), filepath.Join(dir, "out"), filepath.Join(dir, "old")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "out", "fresh")); err != nil {
		t.Error(err)
	}
}
