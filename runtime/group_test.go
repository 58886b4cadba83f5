package ijon

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// hitsOf makes f one run and returns the bins that it hit, as "kind name: bin".
func hitsOf(t testing.TB, f func()) map[string]uint64 {
	t.Helper()
	got := map[string]uint64{}
	r := observed(t, f)
	all := Items()
	for _, touch := range r.Covered(nil) {
		item := &all[touch.ID]
		got[item.Kind+" "+item.Name+": "+item.Bins[int(touch.Element)-item.First].Name] = r.BinHits(touch.Element)
	}
	return got
}

// only leaves the items of one kind.
func only(kind string, hits map[string]uint64) map[string]uint64 {
	for name := range hits {
		if !strings.HasPrefix(name, kind+" ") {
			delete(hits, name)
		}
	}
	return hits
}

func binsOf(names ...string) (bins []BinInfo) {
	for _, n := range names {
		bins = append(bins, BinInfo{Name: n})
	}
	return bins
}

func equal(t *testing.T, got, want map[string]uint64) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("hits %v, want %v", got, want)
	}
}

// role and lag are the points of most groups here.
func nodeSpec(name string) GroupSpec {
	return GroupSpec{Name: name, By: "id", Points: []PointSpec{
		{ItemSpec: named("role"), Bins: binsOf("follower", "candidate", "leader")},
		{ItemSpec: named("lag"), Bins: append(binsOf("0", "1..7"), BinInfo{Name: "8..", Kind: Never})},
	}}
}

func TestPointsCountTheirBins(t *testing.T) {
	g := DeclareGroup(nodeSpec("points"))
	equal(t, hitsOf(t, func() {
		g.Sample(1, 0, 0, 0)
		g.Sample(1, 0, 2, NotSampled)
		g.Sample(2, 0, 2, Outside)
		g.Sample(2, 0, Panicked, 1)
	}), map[string]uint64{
		"point role: follower": 1, "point role: leader": 2, "point role: skipped": 1,
		"point lag: 0": 1, "point lag: 1..7": 1, "point lag: outside": 1,
	})
}

func TestEachRunStartsWithoutHits(t *testing.T) {
	g := DeclareGroup(nodeSpec("each run"))
	observed(t, func() { g.Sample(1, 0, 0, 0) })
	r := observed(t, func() { Step(); g.Sample(1, 0, 0, NotSampled) })
	touches := r.Covered(nil)
	if len(touches) != 1 || touches[0].Event != 1 || r.BinHits(touches[0].Element) != 1 {
		t.Errorf("touched %v", touches)
	}
}

func TestNeverBinFailsTheRunOnceAllIsCounted(t *testing.T) {
	s := nodeSpec("never")
	s.Pos = "node.go:7:2"
	s.Crosses = []CrossSpec{crossed("role*lag", 0, 1)}
	s.Crosses[0].Never = [][]int{{2, -1}}
	g := DeclareGroup(s)
	for _, tt := range []struct {
		lag    int
		oracle string
		hits   int
	}{{2, "never never.lag: 8..", 2}, {1, "never never.role*lag: leader*1..7", 3}} {
		var violation interface{}
		r := observed(t, func() {
			defer func() { violation = recover() }()
			g.Sample(1, 0, 2, tt.lag)
		})
		v, ok := violation.(*Violation)
		if !ok || v.Oracle != tt.oracle || v.Pos != "node.go:7:2" || r.Oracle() != tt.oracle || len(r.Covered(nil)) != tt.hits {
			t.Errorf("lag %d: panicked with %v, oracle %q, %d bins, want %q and %d", tt.lag, violation, r.Oracle(), len(r.Covered(nil)), tt.oracle, tt.hits)
		}
	}
}

func TestCrossIsTheTuplesThatAreLeft(t *testing.T) {
	s := nodeSpec("cross")
	s.Crosses = []CrossSpec{crossed("role*lag", 0, 1)}
	s.Crosses[0].Ignore = [][]int{{0, -1}, {2, 1}}
	g := DeclareGroup(s)
	equal(t, only("cross", hitsOf(t, func() {
		g.Sample(1, 0, 0, 0)
		g.Sample(1, 0, 1, 0)
		g.Sample(1, 0, 1, Outside)
		g.Sample(1, 0, 2, 1)
		g.Sample(1, 0, 2, 0)
		g.Sample(1, 0, 2, 0)
	})), map[string]uint64{"cross role*lag: candidate*0": 1, "cross role*lag: leader*0": 2})
	x := itemOf(t, "cross", "cross")
	want := []BinInfo{{"candidate*0", "", []int{1, 0}}, {"candidate*1..7", "", []int{1, 1}}, {"leader*0", "", []int{2, 0}}}
	if !reflect.DeepEqual(x.Bins, want) {
		t.Errorf("bins %v, want %v", x.Bins, want)
	}
	if want := (Axis{"lag", []string{"0", "1..7", "8.."}}); !reflect.DeepEqual(x.Axes[1], want) {
		t.Errorf("axis %v, want %v", x.Axes[1], want)
	}
}

// itemOf is the first item of a kind in a group.
func itemOf(t *testing.T, group, kind string) Item {
	t.Helper()
	for _, item := range Items() {
		if item.Group == group && item.Kind == kind {
			return item
		}
	}
	t.Fatalf("group %s has no %s", group, kind)
	return Item{}
}

func TestCrossOfTwoInstances(t *testing.T) {
	s := nodeSpec("meet")
	s.Crosses = []CrossSpec{{ItemSpec: named("role@a*lag@b"), Axes: []AxisSpec{{0, 'a'}, {1, 'b'}}}}
	g := DeclareGroup(s)
	tests := []struct {
		name string
		run  func()
		want map[string]uint64
	}{
		{"one instance meets nobody", func() { g.Sample(1, 0, 2, 0); g.Sample(1, 0, 0, 1) }, map[string]uint64{}},
		{"both orders, never with itself", func() { g.Sample(1, 0, 2, 0); g.Sample(2, 0, 0, 1) }, map[string]uint64{
			"leader*1..7": 1, "follower*0": 1,
		}},
		{"the others are as they were last", func() {
			g.Sample(1, 0, 2, 0)
			g.Sample(1, 0, 1, 0)
			g.Sample(2, 0, 0, NotSampled)
			g.Sample(3, 0, NotSampled, 1)
		}, map[string]uint64{"follower*0": 1, "follower*1..7": 1, "candidate*1..7": 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := map[string]uint64{}
			for name, n := range tt.want {
				want["cross role@a*lag@b: "+name] = n
			}
			equal(t, only("cross", hitsOf(t, tt.run)), want)
		})
	}
}

func TestTransitionsOfEachInstance(t *testing.T) {
	s := nodeSpec("trans")
	s.Trans = []TransSpec{{ItemSpec: named("role"), All: true, Paths: []PathSpec{
		{Kind: Ignore, Steps: []StepSpec{{Bin: 2}, {Bin: 1}}},
		{Kind: Never, Steps: []StepSpec{{Bin: 0}, {Bin: 2}}},
	}}}
	g := DeclareGroup(s)
	role := func(by uint64, bin int) { g.Sample(by, 0, bin, 0) }
	tests := []struct {
		name string
		run  func()
		want []string
	}{
		{"the first sample follows none", func() { role(1, 0) }, nil},
		{"of one instance", func() { role(1, 0); role(2, 1); role(1, 1); role(2, 2) }, []string{"follower=>candidate", "candidate=>leader"}},
		{"to stay is none", func() { role(1, 0); role(1, 0) }, nil},
		{"an ignored one", func() { role(1, 2); role(1, 1) }, nil},
		{"what was not sampled does not lie between", func() { role(1, 0); role(1, NotSampled); role(1, Panicked); role(1, 1) }, []string{"follower=>candidate"}},
		{"a value outside does", func() { role(1, 0); role(1, Outside); role(1, 1) }, nil},
		{"a never one", func() {
			defer func() {
				if recover() == nil {
					t.Error("did not fail")
				}
			}()
			role(1, 0)
			role(1, 2)
		}, []string{"follower=>leader"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := map[string]uint64{}
			for _, name := range tt.want {
				want["trans role: "+name] = 1
			}
			equal(t, only("trans", hitsOf(t, tt.run)), want)
		})
	}
}

func TestObjectsAreInstances(t *testing.T) {
	s := nodeSpec("objects")
	s.Trans = []TransSpec{{ItemSpec: named("role"), All: true}}
	g := DeclareGroup(s)
	type node struct{ id int }
	a, b := &node{1}, &node{1}
	equal(t, only("trans", hitsOf(t, func() {
		g.SampleObject(a, 0, 0, 0)
		g.SampleObject(b, 0, 1, 0)
		g.SampleObject(a, 0, 2, 0)
	})), map[string]uint64{"trans role: follower=>leader": 1})
	if g.live.object[0] != interface{}(a) {
		t.Error("the object is not kept")
	}
	observed(t, func() {})
	if g.live.object[0] != nil {
		t.Error("the object is kept when its run is over")
	}
}

func TestOneOfTooManyInstancesIsForgotten(t *testing.T) {
	s := nodeSpec("oldest")
	s.Trans = []TransSpec{{ItemSpec: named("role"), All: true}}
	g := DeclareGroup(s)
	equal(t, only("trans", hitsOf(t, func() {
		for by := uint64(0); by < maxLive; by++ {
			g.Sample(by, 0, 0, 0)
		}
		g.Sample(0, 0, 0, 0)
		g.Sample(maxLive, 0, 0, 0)   // takes the place of 1, as 0 was sampled again
		g.Sample(0, 0, 1, 0)         // is known
		g.Sample(1, 0, 2, 0)         // is not
		g.Sample(maxLive, 0, 2, 0)   // is known
		g.Sample(maxLive-1, 0, 2, 0) // too
	})), map[string]uint64{"trans role: follower=>candidate": 1, "trans role: follower=>leader": 2})
}

// A long life among many short ones is never cut.
func TestAnInstanceThatIsSampledIsKept(t *testing.T) {
	s := nodeSpec("kept")
	s.Trans = []TransSpec{{ItemSpec: named("role"), All: true}}
	g := DeclareGroup(s)
	const n = 10 * maxLive
	equal(t, only("trans", hitsOf(t, func() {
		for i := 0; i <= n; i++ {
			g.Sample(0, 0, i%2, 0)
			g.Sample(uint64(i+1), 0, 0, 0)
		}
	})), map[string]uint64{"trans role: follower=>candidate": n / 2, "trans role: candidate=>follower": n / 2})
}

func TestItemsOfAGroup(t *testing.T) {
	s := nodeSpec("items")
	s.Package, s.Pos, s.Clauses = "example.com/raft", "raft.go:3:1", Clauses{AtLeast: 2, Goal: "election", Doc: "of the group"}
	s.Points[0].ItemSpec = ItemSpec{Name: "role", Expr: "r.state", Pos: "raft.go:4:1", Clauses: Clauses{AtLeast: 5, Rare: true}}
	DeclareGroup(s)
	p := itemOf(t, "items", "point")
	want := Item{
		Kind: "point", Package: "example.com/raft", Group: "items", Name: "role", Key: "example.com/raft:items.point.role",
		Expr: "r.state", Pos: "raft.go:4:1", First: p.First, Clauses: Clauses{AtLeast: 5, Rare: true, Goal: "election"},
		Bins: append(binsOf("follower", "candidate", "leader"), BinInfo{Name: "outside", Kind: Info}, BinInfo{Name: "skipped", Kind: Info}),
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("item %+v, want %+v", p, want)
	}
	next := 0
	for _, item := range Items() {
		if item.First != next || len(item.Bins) == 0 {
			t.Fatalf("%s %s has bins from %d, want %d", item.Kind, item.Name, item.First, next)
		}
		next += len(item.Bins)
	}
}

func TestASampleThatDoesNotFitPanics(t *testing.T) {
	g := DeclareGroup(nodeSpec("misfit"))
	for want, bins := range map[string][]int{
		"ijon: sample of group misfit has 1 bins, and the group 2 points": {0},
		"ijon: sample of group misfit: point lag has no bin 3":            {0, 3},
		"ijon: sample of group misfit: point role has no bin -4":          {-4, 0},
	} {
		observed(t, func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panicked with %v, want %s", got, want)
				}
			}()
			g.Sample(1, 0, bins...)
		})
	}
}

func TestSamplesAreInertWithoutAnEngine(t *testing.T) {
	s := nodeSpec("inert")
	s.Trans = []TransSpec{{ItemSpec: named("role"), All: true}}
	g := DeclareGroup(s)
	observed(t, func() {})
	disable()
	g.Sample(1, 0, 0, 2) // a Never bin
	g.SampleObject(g, 0, 0, 0)
	if n := len(Run{}.Covered(nil)); n != 0 || g.live.n != 0 {
		t.Errorf("%d bins, %d instances", n, g.live.n)
	}
}

// busySpec has one of everything.
func busySpec(name string) GroupSpec {
	s := nodeSpec(name)
	s.Events = []string{"a", "b"}
	s.Crosses = []CrossSpec{crossed("role*lag", 0, 1), {ItemSpec: named("x"), Axes: []AxisSpec{{0, 'a'}, {0, 'b'}}}}
	s.Trans = []TransSpec{
		{ItemSpec: named("all"), All: true},
		{ItemSpec: named("path"), Paths: []PathSpec{{Steps: []StepSpec{{Bin: 0, Min: 2, Max: 3}, {Bin: 1, Goto: 2}}}}},
	}
	s.Seqs = []SeqSpec{{ItemSpec: named("s"), Steps: []SeqStep{{Event: 0}, {Event: 1}}}}
	return s
}

func TestSamplesDoNotAllocate(t *testing.T) {
	g := DeclareGroup(busySpec("alloc"))
	observed(t, func() {
		i := 0
		if n := testing.AllocsPerRun(1000, func() {
			i++
			g.Sample(uint64(i%400), uint64(i&3), i%3, i%2)
			g.SampleObject(g, uint64(i&3), i%3, i%2)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// Meant for -race: groups may be sampled on any goroutine, also when a run is
// over.
func TestSamplesOnManyGoroutines(t *testing.T) {
	g := DeclareGroup(busySpec("goroutines"))
	const n, each = 8, 200
	hits := hitsOf(t, func() {
		var wg sync.WaitGroup
		for k := 0; k < n; k++ {
			wg.Add(1)
			go func(k int) {
				defer wg.Done()
				for i := 0; i < each; i++ {
					g.Sample(uint64(k%3), uint64(i&3), i%3, i%2)
				}
			}(k)
		}
		wg.Wait()
	})
	if got := hits["point lag: 0"] + hits["point lag: 1..7"]; got != n*each {
		t.Errorf("%d samples, want %d", got, n*each)
	}
	var wg sync.WaitGroup
	wg.Add(1)
	observed(t, func() {
		go func() {
			defer wg.Done()
			for i := 0; i < each; i++ {
				g.Sample(uint64(i%3), uint64(i&3), i%3, i%2)
			}
		}()
	})
	for i := 0; i < 10; i++ {
		Begin(1)
		End()
		for _, touch := range (Run{}).Covered(nil) {
			Run{}.BinHits(touch.Element)
		}
	}
	wg.Wait()
}

func TestTimelineShowsNewBins(t *testing.T) {
	s := nodeSpec("shown")
	s.Crosses = []CrossSpec{crossed("rl", 0, 1)}
	s.Trans = []TransSpec{{ItemSpec: named("role"), All: true}}
	g := DeclareGroup(s)
	var lines []string
	Trace(func(line string) { lines = append(lines, line) })
	defer Trace(nil)
	observed(t, func() {
		g.Sample(1, 0, 0, 0)
		g.Sample(1, 0, 0, Outside)
		g.Sample(1, 0, 1, 0)
	})
	want := []string{
		"    ijon point shown.role: follower",
		"    ijon point shown.lag: 0",
		"    ijon cross shown.rl: follower*0",
		"    ijon point shown.role: candidate",
		"    ijon cross shown.rl: candidate*0",
		"    ijon trans shown.role: follower=>candidate",
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("timeline %q, want %q", lines, want)
	}
}

func TestPropertiesAreItems(t *testing.T) {
	ids := map[Verb]ID{}
	for _, verb := range []Verb{VerbCover, VerbAlways, VerbSometimes, VerbMaybe, VerbReachable, VerbUnreachable} {
		ids[verb] = Declare(verb, "item of "+string(verb))
	}
	got := hitsOf(t, func() {
		Cover(ids[VerbCover])
		Reachable(ids[VerbReachable])
		Always(ids[VerbAlways], true)
		func() {
			defer func() { recover() }()
			Always(ids[VerbAlways], false)
		}()
		Sometimes(ids[VerbSometimes], false)
		Sometimes(ids[VerbSometimes], true)
		Maybe(ids[VerbMaybe], false)
		func() {
			defer func() { recover() }()
			Unreachable(ids[VerbUnreachable])
		}()
	})
	equal(t, got, map[string]uint64{
		"cover item of cover: hit":                 1,
		"reachable item of reachable: hit":         1,
		"always item of always: held":              1,
		"always item of always: evaluated":         2,
		"sometimes item of sometimes: true":        1,
		"sometimes item of sometimes: evaluated":   2,
		"maybe item of maybe: false":               1,
		"unreachable item of unreachable: reached": 1,
	})
	want := map[ID]Bin{
		ids[VerbCover]:       {True: 1, Evaluated: 1},
		ids[VerbReachable]:   {True: 1, Evaluated: 1},
		ids[VerbAlways]:      {True: 1, Evaluated: 2},
		ids[VerbSometimes]:   {True: 1, Evaluated: 2},
		ids[VerbMaybe]:       {True: 0, Evaluated: 1},
		ids[VerbUnreachable]: {True: 1, Evaluated: 1},
	}
	list := Run{}.Bins(nil)
	for _, b := range list {
		w := want[b.ID]
		w.ID = b.ID
		if b != w {
			t.Errorf("property %s: %+v, want %+v", describe(b.ID).Name, b, w)
		}
	}
	if len(list) != len(want) {
		t.Errorf("%d properties, want %d", len(list), len(want))
	}
	both := observed(t, func() { Maybe(ids[VerbMaybe], false); Maybe(ids[VerbMaybe], true) }).Bins(nil)
	if len(both) != 1 || both[0].True != 1 || both[0].Evaluated != 2 {
		t.Errorf("maybe, both: %v", both)
	}
}

func TestGroupsThatMakeNoSense(t *testing.T) {
	pair := func(from, to int) PathSpec { return PathSpec{Steps: []StepSpec{{Bin: from}, {Bin: to}}} }
	trans := func(paths ...PathSpec) func(*GroupSpec) {
		return func(s *GroupSpec) { s.Trans = []TransSpec{{ItemSpec: named("t"), Paths: paths}} }
	}
	axes := func(a ...AxisSpec) func(*GroupSpec) {
		return func(s *GroupSpec) { s.Crosses = []CrossSpec{{ItemSpec: named("x"), Axes: a}} }
	}
	seq := func(steps ...SeqStep) func(*GroupSpec) {
		return func(s *GroupSpec) {
			s.Events = []string{"a", "b"}
			s.Seqs = []SeqSpec{{ItemSpec: named("s"), Steps: steps}}
		}
	}
	tests := []struct {
		change func(*GroupSpec)
		want   string
	}{
		{func(s *GroupSpec) { s.Name = "" }, "group : it has no name"},
		{func(s *GroupSpec) { s.Points[1].Name = "role" }, "point role: there is another one of that name in the group"},
		{func(s *GroupSpec) { s.Points[1].Bins = nil }, "point lag: it has no bins"},
		{func(s *GroupSpec) { s.Points[1].Bins = binsOf("a", "a") }, `point lag: bin "a": names of bins are not empty, and differ`},
		{func(s *GroupSpec) { s.Points[1].Bins[0].Kind = Info }, `point lag: bin 0: kind "info", want Goal or Never`},
		{func(s *GroupSpec) { s.Events = make([]string, 65) }, "65 events, more than 64"},
		{axes(AxisSpec{Point: 0}), "cross x: it has fewer than two axes"},
		{axes(AxisSpec{Point: 0}, AxisSpec{Point: 2}), "cross x: there is no point 2: the group has 2"},
		{axes(AxisSpec{Point: 0}, AxisSpec{Point: 0}), "cross x: point role is crossed with itself"},
		{axes(AxisSpec{0, 'a'}, AxisSpec{1, 'c'}), "cross x: instance 'c', want 'a' or 'b'"},
		{axes(AxisSpec{0, 'a'}, AxisSpec{1, 'a'}), "cross x: its axes are of instance a and of instance b, or all of none"},
		{axes(AxisSpec{0, 'a'}, AxisSpec{1, 0}), "cross x: its axes are of instance a and of instance b, or all of none"},
		{func(s *GroupSpec) { s.By = ""; axes(AxisSpec{0, 'a'}, AxisSpec{1, 'b'})(s) }, "cross x: it is over two instances, and the group has one (give it By)"},
		{func(s *GroupSpec) {
			s.Crosses = []CrossSpec{crossed("x", 0, 1)}
			s.Crosses[0].Ignore = [][]int{{1}}
		}, "cross x: tuple [1], and the cross has 2 axes"},
		{func(s *GroupSpec) {
			s.Crosses = []CrossSpec{crossed("x", 0, 1)}
			s.Crosses[0].Never = [][]int{{1, 3}}
		}, "cross x: tuple [1 3]: point lag has 3 bins"},
		{func(s *GroupSpec) {
			s.Crosses = []CrossSpec{crossed("x", 0, 1)}
			s.Crosses[0].Ignore = [][]int{{-1, -1}}
		}, "cross x: all tuples are left out"},
		{trans(), "trans t: it has no bins"},
		{trans(pair(0, 3)), "trans t: path follower=>?: there is no bin 3: point role has 3"},
		{trans(pair(0, 1), pair(0, 1)), "trans t: path follower=>candidate: it is listed twice"},
		{trans(PathSpec{Steps: []StepSpec{{Bin: 1}}}), "trans t: path candidate: a transition has two steps or more"},
		{trans(PathSpec{Steps: []StepSpec{{Bin: 1, Max: 2}, {}}}), "trans t: path candidate[*0..2]=>follower: a step is repeated Min to Max times, with 1 <= Min <= Max"},
		{trans(PathSpec{Steps: []StepSpec{{Bin: 1, Min: 64, Max: 64}}}), "trans t: path candidate[*64]: more than 63 samples"},
		{trans(PathSpec{Kind: "info", Steps: []StepSpec{{}, {}}}), `trans t: path follower=>follower: kind "info", want Goal, Never or Ignore`},
		{seq(SeqStep{}), "seq s: 1 steps, want 2 to 63"},
		{seq(SeqStep{}, SeqStep{Event: 2}), "seq s: step 1: there is no event 2: the group has 2"},
		{seq(SeqStep{}, SeqStep{Next: true, Forbid: []int{1}}), "seq s: step 1: nothing lies in between in which an event is forbidden"},
	}
	before := len(Items())
	for _, tt := range tests {
		s := nodeSpec("senseless")
		tt.change(&s)
		want := "ijon: DeclareGroup: group senseless: " + tt.want
		if s.Name == "" {
			want = "ijon: DeclareGroup: " + tt.want
		}
		if got := refusal(s); got != want {
			t.Errorf("%v\nwant %s", got, want)
		}
	}
	if n := len(Items()); n != before {
		t.Errorf("%d items of groups that were refused", n-before)
	}
	s := nodeSpec("twice")
	if got := refusal(s); got != "" {
		t.Fatal(got)
	}
	if got := refusal(nodeSpec("twice")); got != "" {
		t.Errorf("the same group again: %s", got)
	}
	s.By = "other"
	if got, want := refusal(s), "ijon: DeclareGroup: group twice: declared twice, and not alike"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// refusal is what DeclareGroup panics with.
func refusal(s GroupSpec) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	DeclareGroup(s)
	return ""
}
