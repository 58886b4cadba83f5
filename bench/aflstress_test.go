package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/ijongo/ijongo/bench/rig"
)

// TestAFLStress disturbs a target under each version of AFL++ for a few
// seconds. The command does it for twenty minutes.
func TestAFLStress(t *testing.T) {
	versions, missing := rig.Tools()
	if len(versions) == 0 {
		if os.Getenv("IJONGO_AFL") == "required" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	dir := t.TempDir()
	t.Chdir("..")
	target, err := aflTarget(t.Context(), "stress", dir)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := stressAll(t.Context(), strainsOf(versions, target, dir, 1), 10*time.Second, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	t.Logf("\n%s", out.String())
	if rows := regexp.MustCompile(`(?m)^\| [45]\.\S+ \| \w+ \| [1-9]\d* \| [1-9]\d* \| [1-9]`).FindAll(out.Bytes(), -1); len(rows) < 2*len(versions) {
		t.Errorf("too little has happened:\n%s", out.String())
	}
}

// TestAFLStressSeesALoss: what has happened twice and is not kept is an error.
func TestAFLStressSeesALoss(t *testing.T) {
	dir := t.TempDir()
	s := &strain{instance: rig.Instance{Dir: dir}, planted: filepath.Join(dir, "planted")}
	if err := os.WriteFile(s.planted, []byte("aba"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.judge(new(bytes.Buffer)); err == nil || err.Error() != "lost: failure 13, which has happened 2 times" {
		t.Errorf("%v", err)
	}
}
