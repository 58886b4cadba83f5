package rewrite

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/cover"

	"github.com/ijongo/ijongo"
)

// coverSource has every statement that cmd/cover splits blocks at.
var coverSource = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.21\n",
	"p.go": `package p

func F(n int, s []int) (sum int) {
	if n > 100 {
		return 1
	} else if n > 50 {
		sum++
	} else if n > 10 {
		sum += 2
	}
	for i := 0; i < n; i++ {
		if i == 3 {
			continue
		}
		sum += i
	}
	for range s {
		sum++
	}
	switch {
	case n < 0:
		return 0
	case n == 0:
		fallthrough
	case n == 1:
		sum--
	}
	switch x := any(n).(type) {
	case string:
		return len(x)
	case int:
		sum += x
	}
	f := func() int {
		if n == 7 {
			return 7
		}
		return 0
	}
again:
	if n -= 5; n > 0 {
		goto again
	}
	{
		sum += f()
	}
	select {
	case <-make(chan int):
		return 0
	default:
	}
	return sum
}

func never() { _ = F(1, nil) }
`,
	"p_test.go": `package p

import "testing"

func TestF(t *testing.T) { F(12, []int{1}); F(0, nil) }
`,
}

// TestCoverProfile compares what go test -cover says of the original and of
// the copy. Increments are statements, so that the share of statements that
// is covered differs; but the place where a block of the original begins is
// counted in the copy as often as in the original.
func TestCoverProfile(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for name, text := range coverSource {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Instrument(context.Background(), Config{Dir: dir, Patterns: []string{"./..."}, Out: out, Target: ijongo.Target})
	if err != nil {
		t.Fatal(err)
	}
	want, got := profile(t, dir), profile(t, out)
	if len(want) < 20 {
		t.Fatalf("%d blocks: the test looks at nothing", len(want))
	}
	for _, b := range want {
		if n := countAt(got, b.StartLine, b.StartCol); n != b.Count {
			t.Errorf("the block at %d:%d is counted %d times, in the copy %d times", b.StartLine, b.StartCol, b.Count, n)
		}
	}
}

// countAt is the count of the innermost block around a position.
func countAt(blocks []cover.ProfileBlock, line, col int) int {
	count := -1
	for _, b := range blocks { // in the order in which they begin
		begun := b.StartLine < line || b.StartLine == line && b.StartCol <= col
		ended := b.EndLine < line || b.EndLine == line && b.EndCol <= col
		if begun && !ended {
			count = b.Count
		}
	}
	return count
}

func profile(t *testing.T, dir string) []cover.ProfileBlock {
	t.Helper()
	name := filepath.Join(t.TempDir(), "profile")
	run(t, dir, "go", "test", "-covermode=count", "-coverprofile="+name, ".")
	profiles, err := cover.ParseProfiles(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range profiles {
		if strings.HasSuffix(p.FileName, "/p.go") {
			return p.Blocks
		}
	}
	t.Fatal("no profile of p.go")
	return nil
}
