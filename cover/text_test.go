package cover

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files anew")

// cluster is a small profile that has one of everything.
func cluster() *Profile {
	return &Profile{
		Module: "example.com/m", Manifest: "0123456789abcdef", Runs: 4200, Time: 90 * time.Second,
		Items: []*Item{
			{Kind: "always", Package: "example.com/m", Name: "n >= 0", Key: "example.com/m.Play#1", Expr: "n >= 0", Pos: "m.go:7:2",
				Bins: []Bin{{Name: "evaluated", Kind: Info, Hits: 12}, {Name: "true", Hits: 12, First: "a1", When: time.Second}, {Name: "false", Kind: Never}}},
			{Kind: "sometimes", Package: "example.com/m", Name: "full", Key: "example.com/m:full", Expr: "n == 8", Pos: "m.go:8:2", Rare: true,
				Bins: []Bin{{Name: "evaluated", Kind: Info}, {Name: "true"}}},
			{Kind: "point", Package: "example.com/m", Group: "node", Name: "role", Key: "example.com/m:node.point.role", Expr: "r.state", Pos: "m.go:9:2", AtLeast: 2, Weight: 3, Goal: "election", Doc: `what "it" is`,
				Bins: []Bin{{Name: "follower", Hits: 30, First: "a1", When: 1500 * time.Millisecond}, {Name: "candidate", Hits: 1, First: "b2", When: 2 * time.Second}, {Name: "leader"}}},
			{Kind: "point", Package: "example.com/m", Group: "node", Name: "lag", Key: "example.com/m:node.point.lag", Expr: "last - commit", Pos: "m.go:10:2", Observe: true,
				Bins: []Bin{{Name: "0", Hits: 20, First: "a1"}, {Name: "2..7", Hits: 10, First: "b2"}, {Name: "8..", Only: "old.txt"}}},
			{Kind: "cross", Package: "example.com/m", Group: "node", Name: "role*lag", Key: "example.com/m:node.cross.role*lag", Expr: "role*lag", Pos: "m.go:11:2",
				Axes: []Axis{{"role", []string{"follower", "leader"}}, {"lag", []string{"0", "2..7"}}},
				Bins: []Bin{{Name: "follower*0", At: []int{0, 0}, Hits: 20, First: "a1"}, {Name: "follower*2..7", At: []int{0, 1}}, {Name: "leader*0", At: []int{1, 0}}, {Name: "leader*2..7", At: []int{1, 1}, Hits: 3, First: "c3"}}},
			{Kind: "trans", Package: "example.com/m", Group: "node", Name: "role", Key: "example.com/m:node.trans.role", Expr: "all", Pos: "m.go:12:2",
				Bins: []Bin{{Name: "follower=>candidate", At: []int{0, 1}, Hits: 1, First: "b2"}, {Name: "candidate=>leader", At: []int{1, 2}}}},
			{Kind: "seq", Package: "example.com/m", Group: "node", Name: "win", Key: "example.com/m:node.seq.win", Expr: "a ~> b", Pos: "m.go:13:2",
				Bins: []Bin{{Name: "1/2 role == Candidate", Hits: 1, First: "b2"}, {Name: "2/2 role == Leader"}, {Name: "vacuous", Kind: Info, Hits: 30}}},
		},
		Edges: []*Edge{
			{"example.com/m", "Play", "func", "m.go:6:20", 12},
			{"example.com/m", "Play.func", "func", "m.go:20:3", 0},
			{"example.com/m", "Play", "then", "m.go:22:3", 5},
		},
	}
}

func TestTextGolden(t *testing.T) {
	got := cluster().AppendText(nil)
	golden := filepath.Join("testdata", "cluster.txt")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	back, err := Parse(golden, string(want))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, cluster()) {
		t.Errorf("read back as\n%s", back.AppendText(nil))
	}
}

// TestTextDamaged cuts the file off at every byte and changes every byte:
// none of these is a profile.
func TestTextDamaged(t *testing.T) {
	text := cluster().AppendText(nil)
	for n := range text {
		if _, err := Parse("x", string(text[:n])); err == nil {
			t.Fatalf("cut off at %d and accepted", n)
		} else if !strings.HasPrefix(err.Error(), "x:") {
			t.Fatalf("no position: %v", err)
		}
		changed := bytes.Clone(text)
		changed[n] ^= 1
		if _, err := Parse("x", string(changed)); err == nil {
			t.Fatalf("byte %d changed and accepted", n)
		}
	}
}

func TestTextErrors(t *testing.T) {
	const begin = header + "\nitem point p key=k\n"
	for _, c := range []struct{ text, want string }{
		{"", `x:1: no coverage profile (it begins with "ijongo coverage 1")`},
		{"mode: set\n", `x:1: no coverage profile`},
		{"ijongo coverage 2\n", `x:1: ijongo coverage 2, and this ijongo reads "ijongo coverage 1" (use the ijongo that wrote it)`},
		{header, "x:1: no coverage profile"},
		{header + "\n", "x:1: cut off"},
		{header + "\nbin a 1\n", "x:2: bin outside an item"},
		{header + "\nedge then m.go:1:1 1\n", "x:2: edge outside a func"},
		{header + "\naxis a b\n", "x:2: axis outside an item"},
		{header + "\nfoo\n", `x:2: unknown line "foo"`},
		{header + "\nruns many\n", "x:2: runs many is no number"},
		{header + "\nitem point\n", "x:2: the line ends too early"},
		{header + "\nitem point p\n", `x:2: item p: the key "" is empty or taken`},
		{begin + "item point q key=k\n", `x:3: item q: the key "k" is empty or taken`},
		{begin + "module m\n", "x:3: module behind the first item"},
		{begin + "\tbin a\n", "x:3: no number of hits"},
		{begin + "\tbin a -1\n", `x:3: "-1" is no number of hits`},
		{begin + "\tbin a 18446744073709551616\n", `x:3: "18446744073709551616" is no number of hits`},
		{begin + "\tbin \"a 1\n", "x:3: the quotes of"},
		{begin + "\tbin \"a\"1\n", "x:3: no blank behind"},
		{begin + "\tbin a 1 color=red\n", `x:3: unknown field "color" of a bin`},
		{begin + "\tbin a 1 kind=goal\n", "x:3: kind=goal (there are never and info)"},
		{begin + "\tbin a 1 at=1,x\n", "x:3: at=1,x is wrong"},
		{begin + "\taxis a u v\n\tbin a 1 at=2\n", "x:4: bin a: 2 is not on axis a"},
		{begin + "\taxis a u v\n\tbin a 1 at=1,1\n", "x:4: bin a has 2 places on 1 axes"},
		{header + "\nend items=0 bins=0 edges=0 crc32=00000000\n", "x:2: changed or damaged"},
		{string(cluster().AppendText(nil)) + "more\n", "text behind the end"},
	} {
		_, err := Parse("x", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q\n  got %v\n want %s", c.text, err, c.want)
		}
	}
}

// FuzzText reads what it gets. What is accepted must be written as it was
// read, down to names that are hard to write.
func FuzzText(f *testing.F) {
	f.Add(cluster().AppendText(nil), "a")
	f.Add([]byte(nil), "a \"b\"\n\x00\xff\u2028")
	f.Fuzz(func(t *testing.T, text []byte, name string) {
		if p, err := Parse("x", string(text)); err == nil {
			checkText(t, p)
		}
		if name == "" {
			return
		}
		checkText(t, &Profile{Module: name, Items: []*Item{{Kind: name, Name: name, Key: name, Doc: name,
			Axes: []Axis{{name, []string{name, name}}}, Bins: []Bin{{Name: name, At: []int{1}, First: name}, {Name: name, Only: name}}}},
			Edges: []*Edge{{name, name, name, name, 1}}})
	})
}

func checkText(t *testing.T, p *Profile) {
	text := p.AppendText(nil)
	back, err := Parse("x", string(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if !reflect.DeepEqual(back, p) {
		t.Fatalf("wrote\n%s\nread\n%s", text, back.AppendText(nil))
	}
}

// large is a profile of n bins and as many edges, of which every other one was hit.
func large(n int) *Profile {
	p := &Profile{Module: "example.com/large", Manifest: "0123456789abcdef"}
	const perItem = 50
	for k := 0; k < n; k++ {
		if k%perItem == 0 {
			name := fmt.Sprintf("p%d", k/perItem)
			p.Items = append(p.Items, &Item{Kind: "cross", Package: "example.com/large", Group: "g", Name: name, Key: "example.com/large:g.cross." + name,
				Axes: []Axis{{"a", make([]string, perItem)}, {"b", []string{"x"}}}})
			for j := range p.Items[len(p.Items)-1].Axes[0].Bins {
				p.Items[len(p.Items)-1].Axes[0].Bins[j] = fmt.Sprint(j)
			}
		}
		i := p.Items[len(p.Items)-1]
		b := Bin{Name: fmt.Sprintf("%d*x", k%perItem), At: []int{k % perItem, 0}}
		if k%2 == 0 {
			b.Hits, b.First, b.When = uint64(k), fmt.Sprintf("%016x", k*k), time.Duration(k)*time.Millisecond
		}
		i.Bins = append(i.Bins, b)
		p.Edges = append(p.Edges, &Edge{"example.com/large", fmt.Sprintf("F%d", k/10), "then", fmt.Sprintf("large.go:%d:2", k), uint64(k % 2)})
	}
	return p
}

func BenchmarkWriteText(b *testing.B) {
	p := large(10000)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = p.AppendText(buf[:0])
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkParseText(b *testing.B) {
	text := string(large(10000).AppendText(nil))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("x", text); err != nil {
			b.Fatal(err)
		}
	}
}
