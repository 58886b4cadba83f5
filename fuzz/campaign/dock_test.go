package campaign

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ijongo/ijongo/fuzz/corpus"
)

// accuse lets an instance of AFL++ say that inputs crash.
func accuse(t *testing.T, dir string, inputs ...string) {
	t.Helper()
	for _, sub := range []string{"queue", "crashes"} {
		if err := os.MkdirAll(filepath.Join(dir, "afl", sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Minute)
	for i, input := range inputs {
		path := filepath.Join(dir, "afl", "crashes", "id:00000"+string(rune('0'+i))+",sig:06,src:000000,op:havoc")
		if err := os.WriteFile(path, []byte(input), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
}

// What AFL says crashes is judged, by one campaign and once.
func TestCrashesOfAFL(t *testing.T) {
	c, n := config(t, "fails on small letters")
	c.KeepGoing, c.Execs = true, 0
	accuse(t, c.Folder.Dir, "harmless", "dxed")
	ctx, cancel := context.WithCancel(context.Background())
	c.Minimized = func(*Failure) { time.AfterFunc(100*time.Millisecond, cancel) }
	r, err := Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Found) != 1 || r.Found[0].Key != "small" || string(r.Found[0].Original) != "dxed" {
		t.Errorf("found %+v", r.Found)
	}
	contains(t, "news", n.String(), "the input "+corpus.Name([]byte("harmless"))+" does no harm (AFL says that it crashes)")
	n.reset()
	c.Folder.Close()
	c.Folder, c.Execs = open(t, c.Folder.Dir), 1000
	if r := mustRun(t, c); len(r.Found) != 0 || strings.Contains(n.String(), "AFL") {
		t.Errorf("judged again: %v, %s", r.Found, n.String())
	}
}

// An entry of the corpus that a campaign has set aside, because the worker was
// killed from outside or the campaign could not judge it any more, is judged by
// the next one and is back in its place.
func TestAnInputThatWasSetAsideComesBack(t *testing.T) {
	c, n := config(t, "")
	f := setAside(t, c.Folder, "innocent")
	ctx, cancel := context.WithCancel(context.Background())
	c.Execs = 0
	c.Logf = func(format string, args ...any) {
		n.add(format, args...)
		if strings.Contains(n.String(), "set it aside") {
			time.AfterFunc(200*time.Millisecond, cancel)
		}
	}
	if _, err := Run(ctx, c); err != nil {
		t.Fatal(err)
	}
	contains(t, "news", n.String(), "does no harm (an earlier campaign has set it aside)")
	if data, err := f.Read(); err != nil || string(data) != "innocent" {
		t.Errorf("%q, %v", data, err)
	}
}

// Set aside once more, it comes back without being judged again.
func TestAnInputThatWasJudgedComesBack(t *testing.T) {
	c, _ := config(t, "")
	f := setAside(t, c.Folder, "innocent")
	d, err := openDock(c.Folder)
	if err != nil {
		t.Fatal(err)
	}
	d.judged[corpus.Name([]byte("innocent"))] = true
	if s, err := d.call(); s != nil || err != nil {
		t.Errorf("to be judged again: %v, %v", s, err)
	}
	if data, err := f.Read(); err != nil || string(data) != "innocent" {
		t.Errorf("%q, %v", data, err)
	}
}

// setAside is an entry of the first worker's queue, whose process died of it.
func setAside(t *testing.T, folder *Folder, input string) corpus.File {
	t.Helper()
	queue, err := corpus.OpenQueue(folder.Dir, "w0")
	if err != nil {
		t.Fatal(err)
	}
	f, err := queue.Add([]byte(input))
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.setAside(0, []byte(input)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.Path); err == nil {
		t.Fatal("it is still in its place")
	}
	return f
}

// So does one that fails but ends no process: that it was in the corpus shows
// that it can be lived with, and whoever ended the process, it was another.
func TestAFailingInputThatWasSetAsideComesBack(t *testing.T) {
	c, _ := config(t, "fails on small letters")
	c.KeepGoing, c.Execs = true, 0
	f := setAside(t, c.Folder, "dxed")
	ctx, cancel := context.WithCancel(context.Background())
	c.Minimized = func(*Failure) { time.AfterFunc(100*time.Millisecond, cancel) }
	if r, err := Run(ctx, c); err != nil || len(r.Found) != 1 || r.Found[0].Key != "small" {
		t.Fatalf("found %+v, %v", r, err)
	}
	if data, err := f.Read(); err != nil || string(data) != "dxed" {
		t.Errorf("%q, %v", data, err)
	}
}

// An input that ends processes is not run again, whoever's queue it is in.
func TestDeadlyInputsOfOthers(t *testing.T) {
	c, _ := config(t, "panics elsewhere")
	c.KeepGoing, c.Execs = true, 40
	other, err := corpus.OpenQueue(c.Folder.Dir, "other-w0")
	if err != nil {
		t.Fatal(err)
	}
	input := []byte("Xother")
	if _, err := other.Add(input); err != nil {
		t.Fatal(err)
	}
	r := mustRun(t, c)
	if len(r.Found) != 1 || r.Runs < c.Execs {
		t.Errorf("%d failures, %d runs", len(r.Found), r.Runs)
	}
	own, err := c.Folder.ownFiles()
	if err != nil {
		t.Fatal(err)
	}
	buried := false
	for _, f := range own {
		buried = buried || f.Dead && f.Name == corpus.Name(input)
	}
	if !buried {
		t.Errorf("%v", own)
	}
}
