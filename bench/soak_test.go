package main

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// TestSoak kills a campaign on a target that fails in several ways, for a few
// seconds. The command does it for half an hour.
func TestSoak(t *testing.T) {
	dir := t.TempDir()
	t.Chdir("..")
	ijongo, err := buildCommand(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := newSoaking(ijongo, "bench/testdata/fragile", filepath.Join(dir, "campaign"), 2, 1, &out)
	if err := s.run(context.Background(), 6*time.Second, time.Second); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	t.Log(out.String())
	if !regexp.MustCompile(`(?m)^soak: [1-9]\d* entries and [1-9] failures survived [1-9]\d* kills`).Match(out.Bytes()) {
		t.Errorf("too little has happened:\n%s", out.String())
	}
}

// TestSoakSeesALoss: what was there and is gone is an error.
func TestSoakSeesALoss(t *testing.T) {
	s := newSoaking("", "", t.TempDir(), 1, 1, nil)
	s.admitted["ca978112ca1bbdca"] = "w0/queue/id:000000,sig:ca978112ca1bbdca"
	if err := s.check(); err == nil || err.Error() != "lost: the entry that was in w0/queue/id:000000,sig:ca978112ca1bbdca" {
		t.Errorf("%v", err)
	}
	s.admitted = nil
	s.failed["key"] = true
	if err := s.check(); err == nil || err.Error() != `lost: the failure "key"` {
		t.Errorf("%v", err)
	}
}
