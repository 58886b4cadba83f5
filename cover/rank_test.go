package cover

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestRank(t *testing.T) {
	for _, c := range []struct {
		sets [][]int
		want string
	}{
		{nil, "[]"},
		{[][]int{{}, {}}, "[]"},
		{[][]int{{0}, {0, 1, 2}, {3}}, "[{1 3 3} {2 1 4}]"},
		{[][]int{{0, 1}, {0, 1}}, "[{0 2 2}]"},
		// The largest set is taken first and is redundant in the end.
		{[][]int{{0, 1, 2, 3}, {0, 1, 4}, {2, 3, 5}}, "[{1 3 3} {2 3 6}]"},
	} {
		if got := fmt.Sprint(Rank(c.sets)); got != c.want {
			t.Errorf("%v: got %s, want %s", c.sets, got, c.want)
		}
	}
}

// TestRankCovers: all is covered, and no set of the result can be left out.
func TestRankCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		const size = 40
		all := make(map[int]bool)
		sets := make([][]int, 1+rng.IntN(20))
		for k := range sets {
			for e := range size {
				if rng.IntN(6) == 0 {
					sets[k] = append(sets[k], e)
					all[e] = true
				}
			}
		}
		picks := Rank(sets)
		for out := -1; out < len(picks); out++ {
			have := make(map[int]bool)
			for n, p := range picks {
				if n != out {
					for _, e := range sets[p.Set] {
						have[e] = true
					}
				}
			}
			if full := len(have) == len(all); full != (out == -1) {
				t.Fatalf("%v: without pick %d of %v: %d of %d", sets, out, picks, len(have), len(all))
			}
		}
		if n := len(picks); n > 0 && picks[n-1].Covered != len(all) {
			t.Fatalf("%v: %v", sets, picks)
		}
	}
}

func TestSets(t *testing.T) {
	a, b := cluster(), moved()
	a.Edges[1].Hits = 1
	sets, all := Sets(true, Side{"a", a}, Side{"b", b})
	name := func(e int) string {
		for _, i := range all.Items {
			if e < len(i.Bins) {
				return i.Kind + " " + i.Bins[e].Name
			}
			e -= len(i.Bins)
		}
		return all.Edges[e].Func
	}
	var got []string
	for _, e := range sets[1] {
		got = append(got, name(e))
	}
	slices.Sort(got)
	want := []string{"Play", "Play", "always true", "point 0", "point 2..7", "point follower", "point leader", "point precandidate",
		"trans follower=>candidate", "trans leader=>candidate"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func BenchmarkRank(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	sets := make([][]int, 5000)
	for k := range sets {
		for e := range 10000 {
			if rng.IntN(100) == 0 {
				sets[k] = append(sets[k], e)
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		Rank(sets)
	}
}

func TestInputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inputs.txt")
	want := []Input{{"a1", []int{0, 1, 2, 7}}, {"end", nil}, {"b \"2\"", []int{9}}}
	if err := WriteInputs(path, "0123", want); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "ijongo inputs 1 0123\na1 0-2 7\nend\n\"b \\\"2\\\"\" 9\nend 3\n"; string(text) != want {
		t.Errorf("got %s", text)
	}
	manifest, got, err := ReadInputs(path, 10)
	if err != nil || manifest != "0123" || !reflect.DeepEqual(got, want) {
		t.Errorf("got %s %v %v", manifest, got, err)
	}
	for n := range text {
		if err := os.WriteFile(path, text[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadInputs(path, 10); err == nil {
			t.Errorf("cut off at %d and accepted", n)
		}
	}
	for _, c := range []struct{ line, want string }{
		{"a 3 2", `:2: "2" is no bin`},
		{"a 3-2", `:2: "3-2" is no bin`},
		{"a 10", `:2: "10" is no bin, or no range of bins, behind -1 and under 10`},
		{"a x", `:2: "x" is no bin`},
		{"a 1\nend 2", ":3: damaged: it says 2 inputs and has 1"},
	} {
		if err := os.WriteFile(path, []byte("ijongo inputs 1 0123\n"+c.line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadInputs(path, 10); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.line, err, c.want)
		}
	}
}

func TestDiff(t *testing.T) {
	to := cluster()
	to.Items[0].Bins[2].Hits = 1 // always is violated
	var got []string
	for _, c := range Diff(moved(), to) {
		got = append(got, fmt.Sprintf("%s %s %s %d %d", c.Kind, c.Item.Kind, c.Bin.Name, c.Was, c.Is))
	}
	want := []string{
		"violated always false 0 1",
		"new sometimes true 0 0",
		"gained point follower 1 30", "lost point leader 4 0",
		"new cross follower*0 0 20", "new cross follower*2..7 0 0", "new cross leader*0 0 0", "new cross leader*2..7 0 3",
		"new trans candidate=>leader 0 0",
		"new seq 1/2 role == Candidate 0 1", "new seq 2/2 role == Leader 0 0",
		"gone point precandidate 2 0",
		"gone trans leader=>candidate 6 0", "gone trans leader=>precandidate 0 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if none := Diff(to, to); none != nil {
		t.Errorf("with itself: %v", none)
	}
}

func TestDiffEdges(t *testing.T) {
	from, to := cluster(), cluster()
	to.Edges[1].Hits, to.Edges[2].Hits = 1, 0
	from.Edges = append(from.Edges, &Edge{"example.com/m", "Gone", "func", "m.go:1:1", 1}, &Edge{"example.com/m", "Gone", "then", "m.go:2:1", 0})
	want := []FuncChange{
		{"example.com/m", "Play", 2, 1, 2},
		{"example.com/m", "Play.func", 0, 1, 1},
		{"example.com/m", "Gone", 1, 0, 2},
	}
	if got := DiffEdges(from, to); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
