package rewrite

import (
	"context"
	"fmt"
	"go/constant"
	"go/types"
	"strings"
	"testing"

	"github.com/ijongo/ijongo"
)

const grouped = `package p

%s
type node struct {
	a int //ijon:point ; bins 0, 1..
}

%s
//ijon:group z
//ijon:point p = n.a ; bins 0, 1..
//ijon:point q = n.a > 0
func (n *node) one() {}

func (n *node) two() {
	%s
	n.a++
	//ijon:group b ; by n
	//ijon:trans z.q: all
	//ijon:cross z.c = p*q ; ignore p == 0 && q
	//ijon:point r = n.a ; bins log2
}
`

// What identifies groups and their items, their numbers and the names of bins
// stay when other lines move.
func TestGroupsStayWhenLinesMove(t *testing.T) {
	identities := func(text string) string {
		dir := t.TempDir()
		writeFiles(t, dir, map[string]string{"go.mod": "module example.com/p\n\ngo 1.18\n", "p.go": text})
		p, err := NewPlan(context.Background(), Config{Dir: dir, Patterns: []string{"."}, Target: ijongo.Target})
		if err != nil || len(p.Faults) > 0 {
			t.Fatal(err, p.Faults)
		}
		var b strings.Builder
		for _, g := range p.Groups {
			fmt.Fprintln(&b, g.Key, g.Samples[0].Func, g.Samples[0].When)
			for _, s := range g.Points {
				fmt.Fprintln(&b, s.Key, s.Bins)
			}
			for _, s := range g.Crosses {
				fmt.Fprintln(&b, s.Key, s.Axes, s.Ignore)
			}
			for _, s := range g.Trans {
				fmt.Fprintln(&b, s.Key, s.Point)
			}
		}
		return b.String()
	}
	const want = `example.com/p:b (*node).two line
example.com/p:b.point.r [{0  []} {1  []} {2..3  []} {4..7  []} {8..15  []} {16..31  []} {32..63  []} {64..  []}]
example.com/p:node node.a write
example.com/p:node.point.a [{0  []} {1..  []}]
example.com/p:z (*node).one exit
example.com/p:z.point.p [{0  []} {1..  []}]
example.com/p:z.point.q [{false  []} {true  []}]
example.com/p:z.cross.c [{0 0} {1 0}] [[0 1]]
example.com/p:z.trans.q 1
`
	for _, lines := range [][]any{
		{"", "", ""},
		{"\n\nvar x = 1\n", "// one is\n//\n// here.\n//", "if n == nil {\n\t\treturn\n\t}\n"},
	} {
		if got := identities(fmt.Sprintf(grouped, lines...)); got != want {
			t.Errorf("with %q: got\n%s\nwant\n%s", lines, got, want)
		}
	}
}

// Intervals of integers, of which some are taken out.
func TestWithout(t *testing.T) {
	sizes := types.SizesFor("gc", "amd64")
	num := func(n int64) constant.Value { return constant.MakeInt64(n) }
	d := domainOf(types.Typ[types.Int8], sizes)
	all := interval{d.min, d.max}
	for _, tt := range []struct {
		in   interval
		cuts []interval
		want string
	}{
		{all, nil, "-128..127"},
		{interval{nil, num(3)}, nil, "-128..3"},
		{all, []interval{single(num(0))}, "-128..-1 1..127"},
		{all, []interval{{nil, num(-1)}, {num(5), num(6)}}, "0..4 7..127"},
		{interval{num(1), num(3)}, []interval{{num(3), nil}, single(num(1))}, "2"},
		{interval{num(1), num(3)}, []interval{{num(0), num(9)}}, ""},
		{interval{num(1), num(3)}, []interval{{num(4), num(9)}}, "1..3"},
	} {
		var got []string
		for _, in := range d.without(tt.in, tt.cuts) {
			got = append(got, in.String())
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v without %v: %v, want %s", tt.in, tt.cuts, got, tt.want)
		}
	}
	if d := domainOf(types.Typ[types.Uint64], sizes); d.max.ExactString() != "18446744073709551615" {
		t.Errorf("uint64 ends at %s", d.max)
	}
	if d := domainOf(types.Typ[types.Int], types.SizesFor("gc", "386")); d.max.ExactString() != "2147483647" {
		t.Errorf("int of 32 bits ends at %s", d.max)
	}
}
