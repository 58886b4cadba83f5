package rig

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestStats(t *testing.T) {
	i := Instance{Dir: t.TempDir()}
	if err := os.MkdirAll(i.Out(), 0o777); err != nil {
		t.Fatal(err)
	}
	text := "execs_done        : 96323\nstability         : 66.67%\nedges_found       : 3\ncommand_line      : afl-fuzz -i a:b\n"
	if err := os.WriteFile(filepath.Join(i.Out(), "fuzzer_stats"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if s, err := i.Stats(); err != nil || s.Execs != 96323 || fmt.Sprintf("%.2f", 100*s.Stability) != "66.67" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := (&Instance{Dir: t.TempDir()}).Stats(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestCPU: what a child of a child uses counts.
func TestCPU(t *testing.T) {
	c := exec.Command("sh", "-c", "sh -c 'while :; do :; done' & read line; kill $!")
	end, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		end.Close()
		c.Wait()
	}()
	for begin := time.Now(); CPU(c.Process.Pid) < 50*time.Millisecond; time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > 30*time.Second {
			t.Fatal("nothing was seen to be used")
		}
	}
}
