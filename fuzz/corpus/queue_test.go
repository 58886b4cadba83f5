package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/ijongo/ijongo/fuzz/wire"
)

func openQueue(t *testing.T, root, writer string) *Queue {
	t.Helper()
	q, err := OpenQueue(root, writer)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func put(t *testing.T, q *Queue, data string) File {
	t.Helper()
	f, err := q.Add([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// bases are the file names of a queue as scandir of afl-fuzz has them.
func bases(t *testing.T, root, writer string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(QueueDir(root, writer))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

// Ids rise by one and go on after a restart; they are part of the format.
func TestQueueNames(t *testing.T) {
	root := t.TempDir()
	put(t, openQueue(t, root, "w0"), "a")
	put(t, openQueue(t, root, "w0"), "")
	want := []string{"id:000000,sig:ca978112ca1bbdca", "id:000001,sig:e3b0c44298fc1c14"}
	if got := bases(t, root, "w0"); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

// An entry that is not to be run again leaves no gap, is empty, and can come
// back in its place.
func TestBury(t *testing.T) {
	root := t.TempDir()
	q, other := openQueue(t, root, "w0"), openQueue(t, root, "w1")
	a, b := put(t, q, "a"), put(t, other, "b")
	if err := a.Bury(); err != nil {
		t.Fatal(err)
	}
	if err := q.Bury(b.Name); err != nil {
		t.Fatal(err)
	}
	want := []string{"id:000000,dead:" + a.Name, "id:000001,dead:" + b.Name}
	if got := bases(t, root, "w0"); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	all, err := AllFiles(root)
	if err != nil || len(all) != 3 || len(Live(all)) != 0 {
		t.Errorf("%v live of %v, %v", Live(all), all, err)
	}
	if err := all[0].Revive([]byte("a")); err != nil {
		t.Fatal(err)
	}
	all, err = AllFiles(root)
	if live := Live(all); err != nil || len(live) != 1 || !live[0].Holds([]byte("a")) {
		t.Errorf("%v live of %v, %v", live, all, err)
	}
}

func TestParseFile(t *testing.T) {
	const sum = "ca978112ca1bbdca"
	for name, want := range map[string]File{
		"id:000007,sig:" + sum:                       {ID: 7, Name: sum},
		"id:000007,dead:" + sum:                      {ID: 7, Name: sum, Dead: true},
		"id:1234567,src:000001,time:5,op:havoc,+cov": {ID: 1234567},
		"id:000003,sig:06,src:000000":                {ID: 3},
		"id:000003":                                  {ID: 3},
	} {
		want.Path, want.Writer = filepath.Join("r", "w", "queue", name), "w"
		if got, ok := parseFile(filepath.Join("r", "w", "queue"), name); !ok || got != want {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "id:", "id:x", "id:-1", "README.txt", ".id:000001", sum} {
		if f, ok := parseFile("q", name); ok {
			t.Errorf("%q is taken for %+v", name, f)
		}
	}
}

func TestReader(t *testing.T) {
	root := t.TempDir()
	own, other := openQueue(t, root, "w0"), openQueue(t, root, "w1")
	put(t, own, "mine")
	put(t, other, "one")
	for _, name := range []string{"failures", ".hidden"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := NewReader(root)
	wantNext(t, r, "mine", "one")
	r.Skip("w0")
	put(t, own, "mine too")
	put(t, other, "two")
	wantNext(t, r, "two")
	wantNext(t, r)
	put(t, openQueue(t, root, "late"), "three") // a writer that comes later
	wantNext(t, r, "three")
}

func wantNext(t *testing.T, r *Reader, want ...string) {
	t.Helper()
	files, err := r.Next()
	var got []string
	for _, f := range files {
		data, err := f.Read()
		if err != nil {
			t.Error(err)
		}
		got = append(got, string(data))
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Next: %q, %v; want %q", got, err, want)
	}
}

// A file that AFL is still writing waits, and what is behind it, so that none
// is passed over.
func TestReaderWaitsForAFL(t *testing.T) {
	root := t.TempDir()
	dir := QueueDir(root, "afl")
	if err := os.MkdirAll(filepath.Join(dir, ".state"), 0o755); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	write := func(name, content string, age bool) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if age {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("id:000000,time:0,orig:seed", "seed", true)
	write("id:000001,src:000000", "par", false)
	write("id:000002,src:000000", "third", true)
	r := NewReader(root)
	wantNext(t, r, "seed")
	wantNext(t, r)
	write("id:000001,src:000000", "partial no more", true)
	wantNext(t, r, "partial no more", "third")
}

// A queue in which nothing happens is not listed again.
func TestReaderLooksAtTheFoldersTime(t *testing.T) {
	root := t.TempDir()
	put(t, openQueue(t, root, "w1"), "one")
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(QueueDir(root, "w1"), old, old); err != nil {
		t.Fatal(err)
	}
	r := NewReader(root)
	wantNext(t, r, "one")
	if p := r.at["w1"]; !p.changed.Equal(old) {
		t.Errorf("the queue would be listed again: %+v", p)
	}
	put(t, openQueue(t, root, "w1"), "two")
	wantNext(t, r, "two")
}

func TestQueueReportsDamage(t *testing.T) {
	root := t.TempDir()
	f := put(t, openQueue(t, root, "w0"), "whole")
	if err := os.WriteFile(f.Path, []byte("who"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(); !errors.Is(err, ErrContent) {
		t.Errorf("err = %v, want ErrContent", err)
	}
	if _, err := openQueue(t, root, "w0").Add(make([]byte, wire.MaxInput+1)); !errors.Is(err, ErrTooLong) {
		t.Errorf("err = %v, want ErrTooLong", err)
	}
	if got := bases(t, root, "w0"); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

func BenchmarkReaderIdle(b *testing.B) {
	root := b.TempDir()
	for _, w := range []string{"w0", "w1", "w2", "w3"} {
		if _, err := OpenQueue(root, w); err != nil {
			b.Fatal(err)
		}
		old := time.Now().Add(-time.Minute)
		if err := os.Chtimes(QueueDir(root, w), old, old); err != nil {
			b.Fatal(err)
		}
	}
	r := NewReader(root)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if _, err := r.Next(); err != nil {
			b.Fatal(err)
		}
	}
}
