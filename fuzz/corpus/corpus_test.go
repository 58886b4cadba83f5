package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ijongo/ijongo/fuzz/wire"
)

func TestAddThenLoad(t *testing.T) {
	dir := t.TempDir()
	inputs := []string{"", "a", "b", strings.Repeat("x", wire.MaxInput)}
	for _, in := range inputs {
		name, added, err := Add(dir, []byte(in))
		if err != nil || !added || name != Name([]byte(in)) {
			t.Fatalf("Add = %q, %v, %v", name, added, err)
		}
		if _, again, err := Add(dir, []byte(in)); err != nil || again {
			t.Fatalf("second Add = %v, %v; want false, nil", again, err)
		}
	}
	entries, bad := load(t, dir)
	if len(bad) != 0 || len(entries) != len(inputs) {
		t.Fatalf("%d entries, bad %v; want %d, none", len(entries), bad, len(inputs))
	}
	for i, e := range entries {
		if Name(e.Data) != e.Name || i > 0 && entries[i-1].Name >= e.Name {
			t.Errorf("entry %d: name %s, content %s; want equal and sorted", i, e.Name, Name(e.Data))
		}
	}
}

func TestNameIsPartOfTheFormat(t *testing.T) {
	// sha256sum of the empty file and of "a"; must never change.
	for in, want := range map[string]string{"": "e3b0c44298fc1c14", "a": "ca978112ca1bbdca"} {
		if got := Name([]byte(in)); got != want {
			t.Errorf("Name(%q) = %s, want %s", in, got, want)
		}
	}
}

// What may lie in a corpus folder beside entries.
func TestLoadFolder(t *testing.T) {
	name := Name([]byte("right"))
	for _, tt := range []struct {
		what, file, content string
		entry               bool
		err                 error
	}{
		{"entry", name, "right", true, nil},
		{"changed content", name, "wrong", false, ErrContent},
		{"cut short", name, "", false, ErrContent},
		{"a user's seed", "my seed.bin", "anything", true, nil},
		{"a user's seed of 16 letters", "not-hexadecimal!", "anything", true, nil},
		{"too long", "long", strings.Repeat("x", wire.MaxInput+1), false, ErrTooLong},
		{"left by a killed writer", tempPrefix + "123", "rig", false, nil},
		{"other hidden file", ".DS_Store", "x", false, nil},
	} {
		t.Run(tt.what, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, tt.file)
			if err := os.WriteFile(path, []byte(tt.content), 0o644); err != nil {
				t.Fatal(err)
			}
			entries, bad := load(t, dir)
			if got := len(entries) == 1 && entries[0].Name == tt.file; got != tt.entry {
				t.Errorf("entries = %v, want it loaded: %v", entries, tt.entry)
			}
			if tt.err == nil && len(bad) > 0 {
				t.Errorf("bad = %v, want none", bad)
			}
			if tt.err != nil && (len(bad) != 1 || !errors.Is(bad[0], tt.err) || bad[0].Path != path) {
				t.Errorf("bad = %v, want %s: %v", bad, path, tt.err)
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("Load removed the file: %v", err)
			}
		})
	}
}

func TestLoadPassesOverFoldersAndBadLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "link-to-folder")); err != nil {
		t.Fatal(err)
	}
	entries, bad := load(t, dir)
	if len(entries) != 0 || len(bad) != 1 || !strings.HasSuffix(bad[0].Error(), "link-to-folder: not a regular file") {
		t.Errorf("entries %v, bad %v", entries, bad)
	}
}

func TestLoadOfMissingFolder(t *testing.T) {
	if _, _, err := Load(filepath.Join(t.TempDir(), "no")); !os.IsNotExist(err) {
		t.Errorf("err = %v, want not exist", err)
	}
}

func TestAddMendsTornEntry(t *testing.T) {
	dir := t.TempDir()
	data := []byte("whole")
	if err := os.WriteFile(filepath.Join(dir, Name(data)), []byte("who"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, added, err := Add(dir, data); err != nil || !added {
		t.Fatalf("Add = %v, %v", added, err)
	}
	if entries, bad := load(t, dir); len(bad) != 0 || len(entries) != 1 {
		t.Errorf("entries %v, bad %v", entries, bad)
	}
}

func TestAddTooLong(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := Add(dir, make([]byte, wire.MaxInput+1)); !errors.Is(err, ErrTooLong) {
		t.Errorf("err = %v, want ErrTooLong", err)
	}
	wantFiles(t, dir, 0)
}

func TestSweep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b*")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{tempPrefix + "1", "seed", ".keep"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Sweep(dir, 0); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir, 2)
}

// child makes the test binary run one of the functions below and exit.
const child = "IJONGO_CORPUS_CHILD"

func TestMain(m *testing.M) {
	switch dir := os.Getenv("IJONGO_CORPUS_DIR"); os.Getenv(child) {
	case "full":
		addOnFullDisk(dir)
	case "forever":
		addForever(dir)
	default:
		os.Exit(m.Run())
	}
}

func rerun(mode, dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), child+"="+mode, "IJONGO_CORPUS_DIR="+dir)
	return cmd
}

// A write that fails half way, here at the limit of the file size, is what a
// full disk looks like to Add: part of the bytes are written, then an error.
func TestAddOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	out, err := rerun("full", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), dir) {
		t.Errorf("the error %q does not name the file", out)
	}
	wantFiles(t, dir, 1)
	if entries, bad := load(t, dir); len(bad) != 0 || len(entries) != 1 {
		t.Errorf("entries %v, bad %v", entries, bad)
	}
}

func addOnFullDisk(dir string) {
	limit := syscall.Rlimit{Cur: 4096, Max: 4096}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if _, _, err := Add(dir, []byte("fits")); err != nil {
		fmt.Println("small entry:", err)
		os.Exit(1)
	}
	_, _, err := Add(dir, make([]byte, 10000))
	if err == nil {
		fmt.Println("no error past the limit")
		os.Exit(1)
	}
	fmt.Println(err)
}

// A writer killed at any moment leaves a folder that loads.
func TestKilledWriter(t *testing.T) {
	dir := t.TempDir()
	for round := 0; round < 5; round++ {
		cmd := rerun("forever", dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		before, _ := load(t, dir)
		for now := before; len(now) < len(before)+20; now, _ = load(t, dir) {
			time.Sleep(time.Millisecond)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the writer ended before it was killed")
		}
	}
	entries, bad := load(t, dir)
	if len(bad) != 0 {
		t.Errorf("bad = %v, want none", bad)
	}
	if err := Sweep(dir, 0); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir, len(entries))
}

func addForever(dir string) {
	for i := 0; ; i++ {
		data := bytes.Repeat([]byte(fmt.Sprint(os.Getpid(), i)), 1000)
		if _, _, err := Add(dir, data); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

func load(t *testing.T, dir string) ([]Entry, []*BadEntry) {
	t.Helper()
	entries, bad, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return entries, bad
}

func wantFiles(t *testing.T, dir string, n int) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != n {
		t.Errorf("files %v, want %d", all, n)
	}
}

func BenchmarkName(b *testing.B) {
	data := make([]byte, 4096)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		Name(data)
	}
}

func BenchmarkAddKnown(b *testing.B) {
	dir, data := b.TempDir(), make([]byte, 4096)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if _, _, err := Add(dir, data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAddNew(b *testing.B) {
	dir, data := b.TempDir(), make([]byte, 4096)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		data[0], data[1], data[2] = byte(i), byte(i>>8), byte(i>>16)
		if _, _, err := Add(dir, data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad1000(b *testing.B) {
	dir, data := b.TempDir(), make([]byte, 4096)
	for i := 0; i < 1000; i++ {
		data[0], data[1] = byte(i), byte(i>>8)
		if _, _, err := Add(dir, data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if _, _, err := Load(dir); err != nil {
			b.Fatal(err)
		}
	}
}
