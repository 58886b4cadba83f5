package cover

import (
	"fmt"
	"slices"
	"testing"
)

// product is a cross of these axes of which all bins but the warm are cold.
func product(warm map[string]bool, axes ...Axis) *Item {
	i := &Item{Kind: "cross", Name: "c", Key: "c", Axes: axes}
	at := make([]int, len(axes))
	for {
		name := ""
		for k, a := range axes {
			name += "*" + a.Bins[at[k]]
		}
		b := Bin{Name: name[1:], At: slices.Clone(at)}
		if warm[b.Name] {
			b.Hits, b.First = 1, "in-"+b.Name
		}
		i.Bins = append(i.Bins, b)
		k := len(at) - 1
		for ; k >= 0; k-- {
			if at[k]++; at[k] < len(axes[k].Bins) {
				break
			}
			at[k] = 0
		}
		if k < 0 {
			return i
		}
	}
}

func TestHoles(t *testing.T) {
	role := Axis{"role", []string{"F", "C", "L"}}
	lag := Axis{"lag", []string{"0", "1"}}
	up := Axis{"up", []string{"no", "yes"}}
	for _, c := range []struct {
		name string
		item *Item
		want string
	}{
		{"all cold", product(nil, role, lag), "[{any*any [0 1 2 3 4 5]}]"},
		{"none cold", product(map[string]bool{"0": true, "1": true}, lag), "[]"},
		{"a row", product(map[string]bool{"F*0": true, "C*1": true, "F*1": true}, role, lag), "[{L*any [4 5]} {C*0 [2]}]"},
		{"a row and a column", product(map[string]bool{"F*0": true, "C*0": true}, role, lag), "[{L*any [4 5]} {any*1 [1 3]}]"},
		{"planes and lines", product(map[string]bool{"F*0*no": true, "F*0*yes": true, "F*1*yes": true, "C*0*no": true, "C*1*no": true}, role, lag, up),
			"[{L*any*any [8 9 10 11]} {C*any*yes [5 7]} {F*1*no [2]}]"},
	} {
		if got := fmt.Sprint(c.item.Holes()); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestHolesAreGoals(t *testing.T) {
	i := cluster().Items[0] // always: evaluated (info), true, false (never)
	if holes := i.Holes(); len(holes) != 0 {
		t.Errorf("got %v", holes)
	}
	role := cluster().Items[2] // at least 2 hits; candidate has one
	if got := fmt.Sprint(role.Holes()); got != "[{candidate [1]} {leader [2]}]" {
		t.Errorf("got %s", got)
	}
}

func TestNearest(t *testing.T) {
	p := cluster()
	trans := &Item{Kind: "trans", Bins: []Bin{{Name: "A=>B"}, {Name: "C=>A", Hits: 1}, {Name: "A=>C", Hits: 1}, {Name: "D=>A"}, {Name: "A=>B=>D"}, {Name: "E=>F"}}}
	maybe := &Item{Kind: "maybe", Bins: []Bin{{Name: "true"}, {Name: "false", Hits: 9}}}
	point := &Item{Kind: "point", Bins: []Bin{{Name: "0", Hits: 1}, {Name: "1"}, {Name: "2"}, {Name: "3", Hits: 1}, {Name: "outside", Kind: Info, Hits: 4}}}
	for _, c := range []struct {
		item *Item
		bin  string
		want string
	}{
		{p.Items[2], "candidate", "candidate"}, // has a hit, and needs two
		{p.Items[2], "leader", "candidate"},
		{point, "1", "0"},
		{point, "2", "3"},
		{p.Items[4], "follower*2..7", "follower*0"},
		{p.Items[4], "leader*0", "leader*2..7"},
		{trans, "A=>B", "A=>C"},
		{trans, "D=>A", "A=>C"},
		{trans, "A=>B=>D", "A=>C"},
		{p.Items[6], "2/2 role == Leader", "1/2 role == Candidate"},
		{maybe, "true", "false"},
		{p.Items[1], "true", ""}, // never evaluated
	} {
		k := slices.IndexFunc(c.item.Bins, func(b Bin) bool { return b.Name == c.bin })
		got := ""
		if b := c.item.Nearest(k); b != nil {
			got = b.Name
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.item.Kind, c.bin, got, c.want)
		}
	}
}
