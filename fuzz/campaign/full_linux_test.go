package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
)

// A disk that is full stops the campaign, names the file and loses nothing.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("cannot mount a small disk (are you root?): %v", err)
	}
	t.Cleanup(func() { // when the folder has been closed
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	c, n := config(t, "")
	c.Folder, c.Execs = open(t, filepath.Join(dir, "c")), 0
	_, err := Run(context.Background(), c)
	if err == nil {
		t.Fatal("no error")
	}
	contains(t, "error", err.Error(), dir, "no space left on device", "start again to resume")
	kept, bad, err := c.Folder.inspect()
	if err != nil || len(bad) > 0 || kept == 0 {
		t.Fatalf("%d entries, bad %v, %v", kept, bad, err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=8m"); err != nil {
		t.Fatal(err)
	}
	c.Execs = 5000
	mustRun(t, c)
	contains(t, "news", n.text.String(), fmt.Sprintf("resuming: %d corpus entries", kept))
}
