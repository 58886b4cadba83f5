package ucis

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ijongo/ijongo/cover"
)

// node has one item of every kind.
func node() *cover.Profile {
	const pkg = "example.com/m"
	return &cover.Profile{
		Module: pkg, Manifest: "0123456789abcdef", Runs: 12, Time: time.Second,
		Items: []*cover.Item{
			{Kind: "always", Package: pkg, Name: "n >= 0", Key: pkg + ".F#1", Pos: "m.go:7:2", Bins: []cover.Bin{
				{Name: "held", Hits: 12, First: "a1", When: time.Second}, {Name: "evaluated", Kind: cover.Info, Hits: 12}}},
			{Kind: "maybe", Package: pkg, Name: "full", Key: pkg + ":full", Rare: true, Bins: []cover.Bin{{Name: "true", Hits: 2}, {Name: "false"}}},
			{Kind: "point", Package: pkg + "/log", Group: "g", Name: "size", Key: pkg + "/log:g.point.size", Bins: []cover.Bin{
				{Name: "0", Hits: 1}, {Name: "1..7"}, {Name: "8.."}, {Name: "..-1", Kind: cover.Never}, {Name: "outside", Kind: cover.Info}}},
			{Kind: "unreachable", Package: pkg, Name: "lost <&>", Key: pkg + ":lost", Bins: []cover.Bin{{Name: "reached", Kind: cover.Never}}},
			{Kind: "sometimes", Package: pkg, Name: "win", Key: pkg + ":win", Weight: 2, Bins: []cover.Bin{{Name: "evaluated", Kind: cover.Info}, {Name: "true"}}},
			{Kind: "point", Package: pkg, Group: "node", Name: "role", Key: pkg + ":node.point.role", Expr: "r.state", Pos: "m.go:9:2", AtLeast: 2, Weight: 3, Goal: "election", Doc: `what "it" is`,
				Bins: []cover.Bin{{Name: "follower", Hits: 30, First: "a1"}, {Name: "leader", Only: "old"}}},
			{Kind: "cross", Package: pkg, Group: "node", Name: "role@a*role@b", Key: pkg + ":node.cross.role", Observe: true,
				Axes: []cover.Axis{{Name: "role@a", Bins: []string{"follower", "leader"}}, {Name: "role@b", Bins: []string{"follower", "leader"}}},
				Bins: []cover.Bin{{Name: "follower*follower", At: []int{0, 0}, Hits: 4, First: "a1"}, {Name: "leader*leader", At: []int{1, 1}, Kind: cover.Never}, {Name: "elsewhere"}}},
			{Kind: "trans", Package: pkg, Group: "node", Name: "role", Key: pkg + ":node.trans.role",
				Bins: []cover.Bin{{Name: "follower=>leader", At: []int{0, 1}, Hits: 2}, {Name: "leader=>learner=>follower"}}},
			{Kind: "seq", Package: pkg, Group: "node", Name: "win", Key: pkg + ":node.seq.win",
				Bins: []cover.Bin{{Name: "1/2 a", Hits: 1}, {Name: "2/2 b"}, {Name: "vacuous", Kind: cover.Info, Hits: 9}}},
			{Kind: "point", Group: "harness", Name: "p", Key: "harness.point.p", Bins: []cover.Bin{{Name: "x", Hits: 5}}},
		},
	}
}

// TestRoundTrip: what was exported is imported without loss.
func TestRoundTrip(t *testing.T) {
	var b strings.Builder
	if err := Write(&b, node()); err != nil {
		t.Fatal(err)
	}
	got, notes, err := Read("x", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if notes != nil {
		t.Error(notes)
	}
	if !reflect.DeepEqual(got, node()) {
		t.Errorf("got\n%s\nwant\n%s\nby way of\n%s", got.AppendText(nil), node().AppendText(nil), b.String())
	}
	for _, want := range []string{
		`<coverpointBin name="1..7" key="1" type="bins">`,
		`<range from="1" to="7">`,
		`<range from="8" to="9223372036854775807">`,
		`<coverpointBin name="..-1" key="3" type="illegal">`,
		`<range from="-9223372036854775808" to="-1">`,
		`<coverpointBin name="outside" key="4" type="ignore">`,
		"<seqValue>1</seqValue>\n\t\t\t\t\t\t\t<seqValue>2</seqValue>\n\t\t\t\t\t\t\t<seqValue>0</seqValue>",
		`<coverpoint name="role.trans" key="trans example.com/m:node.trans.role">`,
		`<crossExpr>role</crossExpr>`,
		`<assertion name="win" assertionKind="cover" weight="2">`,
		`<options weight="3" comment="what &#34;it&#34; is" at_least="2">`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}

func TestRoundTripNothing(t *testing.T) {
	var b strings.Builder
	if err := Write(&b, &cover.Profile{Module: "m"}); err != nil {
		t.Fatal(err)
	}
	got, _, err := Read("x", []byte(b.String()))
	if err != nil || len(got.Items) != 0 || got.Module != "m" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestForeign reads a file that PyUCIS has written.
func TestForeign(t *testing.T) {
	path := filepath.Join("testdata", "pyucis.xml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, notes, err := Read(path, text)
	if err != nil {
		t.Fatal(err)
	}
	want := []*cover.Item{
		{Kind: "point", Package: "fifo.top", Group: "cg", Name: "level", Key: "fifo.top:cg.point.level", AtLeast: 2,
			Bins: []cover.Bin{{Name: "low", Hits: 4}, {Name: "high"}, {Name: "over", Kind: cover.Never}}},
		{Kind: "point", Package: "fifo.top", Group: "cg", Name: "full", Key: "fifo.top:cg.point.full",
			Bins: []cover.Bin{{Name: "no", Hits: 4}, {Name: "yes"}}},
		{Kind: "cross", Package: "fifo.top", Group: "cg", Name: "level_full", Key: "fifo.top:cg.cross.level_full",
			Axes: []cover.Axis{{Name: "level", Bins: []string{"low", "high", "over"}}, {Name: "full", Bins: []string{"no", "yes"}}},
			Bins: []cover.Bin{{Name: "<low,no>", At: []int{0, 0}, Hits: 4}, {Name: "<high,yes>", At: []int{1, 1}}}},
	}
	if !reflect.DeepEqual(p.Items, want) || notes != nil {
		t.Errorf("got\n%s%v", p.AppendText(nil), notes)
	}
}

// TestForeignKinds reads what other tools write and we do not.
func TestForeignKinds(t *testing.T) {
	const text = `<UCIS><historyNodes historyNodeId="0"/><instanceCoverages name="top">
		<toggleCoverage/><branchCoverage/>
		<assertionCoverage>
			<assertion name="a1" assertionKind="assert"><passBin><contents coverageCount="3"/></passBin><failBin><contents coverageCount="0"/></failBin></assertion>
			<assertion name="c1" assertionKind="cover" weight="0"><coverBin><contents coverageCount="1"/></coverBin></assertion>
		</assertionCoverage>
		<covergroupCoverage>
			<cgInstance name="g"><coverpoint name="p">
				<coverpointBin name="t" type="bins"><sequence><contents coverageCount="2"/><seqValue>0</seqValue><seqValue>1</seqValue></sequence></coverpointBin>
				<coverpointBin name="v" type="bins"><range from="0" to="1"><contents coverageCount="2"/></range><range from="5" to="5"><contents coverageCount="3"/></range></coverpointBin>
				<coverpointBin name="i" type="ignore"><range from="9" to="9"><contents coverageCount="1"/></range></coverpointBin>
			</coverpoint></cgInstance>
			<cgInstance name="g"><coverpoint name="p"><coverpointBin name="v" type="default"><range from="0" to="1"><contents coverageCount="2"/></range></coverpointBin></coverpoint></cgInstance>
		</covergroupCoverage></instanceCoverages></UCIS>`
	p, notes, err := Read("x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"top: coverage of branches is left out", "top: coverage of toggles is left out"}; !slices.Equal(notes, want) {
		t.Errorf("notes %q", notes)
	}
	var got []string
	for _, i := range p.Items {
		for _, b := range i.Bins {
			got = append(got, fmt.Sprintf("%s %s %s %q %d", i.Kind, i.Key, b.Name, b.Kind, b.Hits))
		}
	}
	want := []string{
		`always top:always.a1 held "" 3`, `always top:always.a1 failed "never" 0`,
		`cover top:cover.c1 hit "info" 1`,
		`trans top:g.trans.p t "" 2`,
		`point top:g.point.p v "" 5`, `point top:g.point.p i "info" 1`,
		`point top:g.point.p#2 v "info" 2`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x:1:1: no UCIS document"},
		{"<coverage/>", "x:1:12: no UCIS document: expected element type <UCIS>"},
		{"<UCIS><instanceCoverages>\n</UCIS>", "x:2:8: no UCIS document"},
		{"<UCIS/>", "x: no UCIS document: historyNodes or instanceCoverages are missing"},
		{`<UCIS><historyNodes historyNodeId="0"/><instanceCoverages><covergroupCoverage><cgInstance><coverpoint><coverpointBin><range from="0" to="0"><contents coverageCount="-1"/></range></coverpointBin></coverpoint></cgInstance></covergroupCoverage></instanceCoverages></UCIS>`, "x:1:"},
		{`<UCIS><historyNodes historyNodeId="0"/><instanceCoverages name="i"><covergroupCoverage><cgInstance name="g"><coverpoint><coverpointBin name="b" type="bins"/></coverpoint></cgInstance></covergroupCoverage></instanceCoverages></UCIS>`, "x: covergroup g of i: coverpoint : it has no name"},
		{`<UCIS><historyNodes historyNodeId="0"><userAttr key="ijongo">{</userAttr></historyNodes><instanceCoverages/></UCIS>`, "x: user attribute of history node 0: unexpected end of JSON input"},
	} {
		_, _, err := Read("x", []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
	}
}
