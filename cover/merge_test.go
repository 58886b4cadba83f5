package cover

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestMergeSameProgram(t *testing.T) {
	a, b := cluster(), cluster()
	b.Items[2].Bins[2].Hits, b.Items[2].Bins[2].First = 5, "d4"
	b.Items[2].Bins[0].First, b.Items[2].Bins[0].When = "z9", time.Second
	got, notes := Merge(Side{"a", a}, Side{"b", b})
	if notes != nil {
		t.Error(notes)
	}
	if got.Runs != 8400 || got.Time != 3*time.Minute || got.Manifest != a.Manifest {
		t.Errorf("runs %d, time %v, manifest %s", got.Runs, got.Time, got.Manifest)
	}
	role := got.Items[2].Bins
	want := []Bin{
		{Name: "follower", Hits: 60, First: "z9", When: time.Second},
		{Name: "candidate", Hits: 2, First: "b2", When: 2 * time.Second},
		{Name: "leader", Hits: 5, First: "d4"},
	}
	if !reflect.DeepEqual(role, want) {
		t.Errorf("got %+v", role)
	}
	if got.Edges[0].Hits != 24 || got.Edges[1].Func != "Play.func" {
		t.Errorf("edges %+v", got.Edges)
	}
	if !reflect.DeepEqual(a, cluster()) {
		t.Error("the merge changed what it read")
	}
}

// TestMergeInAnyOrder: counts and first hits do not depend on the order.
func TestMergeInAnyOrder(t *testing.T) {
	a, b, c := cluster(), cluster(), cluster()
	a.Items[2].Bins[2] = Bin{Name: "leader", Hits: 2, First: "b", When: 7}
	b.Items[2].Bins[2] = Bin{Name: "leader", Hits: 3, First: "a", When: 7}
	c.Items[2].Bins[2] = Bin{Name: "leader", Hits: 9, First: "0", When: 8}
	want := Bin{Name: "leader", Hits: 14, First: "a", When: 7}
	for _, order := range [][]*Profile{{a, b, c}, {c, b, a}, {b, c, a}} {
		var sides []Side
		for k, p := range order {
			sides = append(sides, Side{fmt.Sprint(k), p})
		}
		got, _ := Merge(sides...)
		if leader := got.Items[2].Bins[2]; !reflect.DeepEqual(leader, want) {
			t.Errorf("got %+v", leader)
		}
	}
}

// moved is cluster as it was before: elsewhere in the file and in another
// order, with a role more and without the cross.
func moved() *Profile {
	p := cluster()
	p.Manifest = "fedcba9876543210"
	p.Items = append(p.Items[2:4], p.Items[5], p.Items[0])
	role := p.Items[0]
	role.Pos = "m.go:109:2"
	role.Bins = []Bin{{Name: "leader", Hits: 4, First: "o1"}, {Name: "follower", Hits: 1}, {Name: "candidate"}, {Name: "precandidate", Hits: 2, First: "o2"}}
	p.Items[2].Bins = []Bin{
		{Name: "follower=>candidate", At: []int{1, 2}, Hits: 1},
		{Name: "leader=>candidate", At: []int{0, 2}, Hits: 6},
		{Name: "leader=>precandidate", At: []int{0, 3}},
	}
	return p
}

func TestMergeMovedCode(t *testing.T) {
	got, _ := Merge(Side{"new", cluster()}, Side{"old", moved()})
	if len(got.Items) != 7 || got.Manifest != "" {
		t.Fatalf("%d items, manifest %s", len(got.Items), got.Manifest)
	}
	role := got.Items[2]
	if role.Pos != "m.go:9:2" {
		t.Errorf("position %s", role.Pos)
	}
	if want := []Bin{
		{Name: "follower", Hits: 31, First: "a1", When: 1500 * time.Millisecond},
		{Name: "candidate", Hits: 1, First: "b2", When: 2 * time.Second},
		{Name: "leader", Hits: 4, First: "o1"},
		{Name: "precandidate", Hits: 2, First: "o2", Only: "old"},
	}; !reflect.DeepEqual(role.Bins, want) {
		t.Errorf("role %+v", role.Bins)
	}
	if cross := got.Items[4].Bins[0]; cross.Only != "new" {
		t.Errorf("cross %+v", cross)
	}
	if want := []Bin{
		{Name: "follower=>candidate", At: []int{0, 1}, Hits: 2, First: "b2"},
		{Name: "candidate=>leader", At: []int{1, 2}, Only: "new"},
		{Name: "leader=>candidate", At: []int{2, 1}, Hits: 6, Only: "old"},
		{Name: "leader=>precandidate", Only: "old"},
	}; !reflect.DeepEqual(got.Items[5].Bins, want) {
		t.Errorf("trans %+v", got.Items[5].Bins)
	}
	// A third program that knows all of it leaves the names as they are.
	again, _ := Merge(Side{"both", got}, Side{"new", cluster()})
	if only := again.Items[2].Bins[3].Only; only != "old" {
		t.Errorf("merged again: only %q", only)
	}
}

func TestMergeCrossAxes(t *testing.T) {
	old := cluster()
	old.Manifest = "fedcba9876543210"
	old.Items[4].Axes = []Axis{{"role", []string{"leader", "learner"}}, {"lag", []string{"0"}}}
	old.Items[4].Bins = []Bin{{Name: "leader*0", At: []int{0, 0}, Hits: 1}, {Name: "learner*0", At: []int{1, 0}, Hits: 2}}
	before := cluster()
	got, _ := Merge(Side{"new", before}, Side{"old", old})
	cross := got.Items[4]
	if roles := cross.Axes[0].Bins; !slices.Equal(roles, []string{"follower", "leader", "learner"}) {
		t.Errorf("axis %q", roles)
	}
	if last := cross.Bins[4]; last.Name != "learner*0" || !slices.Equal(last.At, []int{2, 0}) || cross.Bins[2].Hits != 1 {
		t.Errorf("bins %+v", cross.Bins)
	}
	if !reflect.DeepEqual(before, cluster()) {
		t.Error("the merge changed what it read")
	}
}

func TestMergeEdges(t *testing.T) {
	old := cluster()
	old.Manifest = "fedcba9876543210"
	old.Edges = []*Edge{
		{"example.com/m", "Gone", "func", "m.go:1:1", 1},
		{"example.com/m", "Play", "func", "m.go:106:20", 2},
		{"example.com/m", "Play", "then", "m.go:122:3", 3},
		{"example.com/m", "Play.func", "func", "m.go:120:3", 4},
		{"example.com/m", "Play.func", "then", "m.go:120:4", 4},
	}
	got, notes := Merge(Side{"new", cluster()}, Side{"old", old})
	var list []string
	for _, e := range got.Edges {
		list = append(list, fmt.Sprintf("%s %s %d", e.Func, e.Pos, e.Hits))
	}
	if want := []string{"Play m.go:6:20 14", "Play.func m.go:20:3 0", "Play m.go:22:3 8", "Gone m.go:1:1 1"}; !slices.Equal(list, want) {
		t.Errorf("got %q", list)
	}
	if want := []string{"example.com/m.Play.func has changed: its edges in old are left out"}; !slices.Equal(notes, want) {
		t.Errorf("notes %q", notes)
	}
}

func BenchmarkMerge100(b *testing.B) {
	var sides []Side
	for range 100 {
		sides = append(sides, Side{"x", large(10000)})
	}
	b.ReportAllocs()
	for b.Loop() {
		Merge(sides...)
	}
}
