package campaign

import (
	"strings"
	"testing"
	"time"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// What the Go runtime prints, and the key that it is grouped by.
func TestCrashKey(t *testing.T) {
	for _, tt := range []struct{ name, printed, key string }{
		{"panic", `some log
panic: index out of range [5] with length 3

goroutine 19 [running]:
example.com/m.(*node).step(0xc0000b4000, {0x5, 0x6})
	/home/u/m/node.go:42 +0x1d
created by example.com/m.start in goroutine 7
	/home/u/m/node.go:10 +0x5e
exit status 2`, "panic: index out of range [N] with length N at example.com/m.(*node).step (node.go:42)"},
		{"fault below the user's code", `panic: sync: negative WaitGroup counter

goroutine 8 [running]:
sync.(*WaitGroup).Add(0xc000012345, 0xffffffffffffffff)
	/usr/local/go/src/sync/waitgroup.go:64 +0xd4
sync.(*WaitGroup).Done(...)
	/usr/local/go/src/sync/waitgroup.go:89
example.com/m.work()
	/home/u/m/work.go:7 +0x25`, "panic: sync: negative WaitGroup counter at example.com/m.work (work.go:7)"},
		{"fatal error", `fatal error: concurrent map writes

goroutine 20 [running]:
internal/runtime/maps.fatal({0x4b1234?, 0x0?})
	/usr/local/go/src/runtime/panic.go:1058 +0x18
example.com/m.put()
	/home/u/m/put.go:3 +0x25

goroutine 1 [chan receive]:
testing.(*T).Run(0xc000003a40)
	/usr/local/go/src/testing/testing.go:1751 +0x3c5`, "fatal error: concurrent map writes at example.com/m.put (put.go:3)"},
		{"a panic that was recovered and printed before", `panic: harmless, says the program
panic: real

goroutine 7 [running]:
example.com/m.f()
	/home/u/m/f.go:1 +0x1`, "panic: real at example.com/m.f (f.go:1)"},
		{"no stack", "fatal error: out of memory", "fatal error: out of memory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := crashKey(faultReport(tt.printed)); got != tt.key {
				t.Errorf("key %q\nwant %q", got, tt.key)
			}
		})
	}
	if r := faultReport("PASS\n"); r != "" {
		t.Errorf("fault report of a passing test: %q", r)
	}
}

func TestSteadyTextHasNoAddresses(t *testing.T) {
	text := `panic: term 7

goroutine 19 gp=0xc000007a40 m=0 mp=0x6c1a80 [running]:
example.com/m.(*node).step(0xc0000b4000, {0x5, 0x6})
	/home/u/m/node.go:42 +0x1d
example.com/m.call(...)
	/home/u/m/node.go:43
rax    0x0
rip    0x47a1e1
`
	want := `panic: term 7

goroutine N [running]:
example.com/m.(*node).step(...)
	/home/u/m/node.go:42 +0xN
example.com/m.call(...)
	/home/u/m/node.go:43
`
	if got := steady(text); got != want {
		t.Errorf("steady text\n%s\nwant\n%s", got, want)
	}
}

func TestOutputKeepsBothEnds(t *testing.T) {
	var o output
	o.Write([]byte("first "))
	for range 100 {
		o.Write([]byte(strings.Repeat("x", 1000)))
	}
	o.Write([]byte(" last"))
	got := o.String()
	if !strings.HasPrefix(got, "first x") || !strings.HasSuffix(got, "x last") {
		t.Errorf("output begins %q and ends %q", got[:10], got[len(got)-10:])
	}
	if !strings.Contains(got, "[... 34475 bytes left out ...]") {
		t.Errorf("nothing says what is missing in %d bytes", len(got))
	}
	var short output
	short.Write([]byte("short"))
	if short.String() != "short" {
		t.Errorf("short output is %q", short.String())
	}
}

// A stall counts ticks: one and the same run for the whole timeout.
func TestStall(t *testing.T) {
	shared, err := wire.CreateShared(t.TempDir() + "/shared")
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	s := stall{timeout: 100 * time.Millisecond} // 20 ticks
	ticks := func(n int) (stalled bool) {
		for range n {
			stalled = s.tick(shared)
		}
		return stalled
	}
	if ticks(100) {
		t.Error("a target without a run hangs")
	}
	shared.Start(nil, nil)
	if ticks(20) {
		t.Error("hangs before the timeout")
	}
	shared.Finish()
	shared.Start(nil, nil)
	if ticks(20) {
		t.Error("the next run inherits the ticks of the one before")
	}
	if !ticks(1) {
		t.Error("does not hang after the timeout")
	}
}

func TestTries(t *testing.T) {
	for _, tt := range []struct{ hits, runs, want int }{{20, 20, 1}, {10, 20, 5}, {1, 20, 59}} {
		if got := triesFor(tt.hits, tt.runs); got != tt.want {
			t.Errorf("%d of %d: %d tries a candidate, want %d", tt.hits, tt.runs, got, tt.want)
		}
	}
}

func TestNameOfFailure(t *testing.T) {
	for key, want := range map[string]string{
		"stale read by a removed leader": "stale-read-by-a-removed-leader-",
		"Ψ":                              "failure-",
		"panic: x/y.(*Z).f (a.go:1)":     "panic-x-y-z-f-a-go-1-",
	} {
		if got := nameOf(key); !strings.HasPrefix(got, want) || len(got) != len(want)+8 {
			t.Errorf("name of %q is %s, want %s and a hash", key, got, want)
		}
	}
}

func TestSchedule(t *testing.T) {
	d := &wire.Description{Layout: wire.Layout{Header: 2, Record: 3, Kinds: []wire.KindInfo{{Name: "tick"}, {Name: "deliver"}}}}
	s := newSchedule([]byte{1, 2, 3, 0, 0, 4, 9, 9, 7}, d)
	if s.Header != "0102" || len(s.Events) != 2 || s.Rest != "07" {
		t.Fatalf("schedule %+v", s)
	}
	if want := (Event{Number: 0, Kind: "deliver", Record: "030000"}); s.Events[0] != want {
		t.Errorf("event %+v, want %+v", s.Events[0], want)
	}
	if n := size([]byte{1}, d); n != 0 {
		t.Errorf("an input without a whole header has %d events", n)
	}
}

// Workers share their finds, so their counts are not added up; their runs are.
func TestTally(t *testing.T) {
	tl := newTally([]wire.Site{{Verb: "max", Name: "term"}, {Verb: "min", Name: "lag"}}, 2)
	tl.now[0] = wire.Stats{Execs: 10, Edges: 5, Checked: 4, Equal: 4, Best: []wire.Best{{ID: 0, Value: "9"}, {ID: 1, Value: "3"}}, Skipped: []wire.Skip{{ID: 1, Visits: 4}}}
	tl.now[1] = wire.Stats{Execs: 20, Edges: 7, Checked: 4, Equal: 2, Best: []wire.Best{{ID: 0, Value: "10"}, {ID: 1, Value: "5"}, {ID: 9, Value: "1"}}, Skipped: []wire.Skip{{ID: 1, Visits: 2}, {ID: 9, Visits: 1}}}
	tl.ended(0, 12)
	tl.now[0].Skipped = []wire.Skip{{ID: 1, Visits: 1}} // of the next process
	p := tl.progress()
	if p.Runs != 32 || p.Edges != 7 || p.Steady() != 0.75 {
		t.Errorf("progress %+v", p)
	}
	if len(p.Best) != 2 || p.Best[0].Value != "10" || p.Best[1].Value != "3" {
		t.Errorf("best %+v, want term 10 and lag 3", p.Best)
	}
	if len(p.Skipped) != 1 || p.Skipped[0].String() != "min lag (7)" {
		t.Errorf("skipped %v, want min lag (7)", p.Skipped)
	}
}
