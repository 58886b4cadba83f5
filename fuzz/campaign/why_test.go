package campaign

import (
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// TestAdvice has an annotation for each thing that can be said of one.
func TestAdvice(t *testing.T) {
	w := &wire.Why{Cost: 100000, Finds: 1000, Sampled: 10, Yields: []wire.Yield{
		{Verb: "edges", Admitted: 9, Runs: 5000, Cost: 20000},
		{Verb: "max", Name: "dead end", Admitted: 3, Runs: 2000, Cost: 6000},
		{Verb: "set", Name: "poor", Admitted: 30, Led: 5, Runs: 2000, Cost: 12000},
		{Verb: "set", Name: "role", Admitted: 3, Led: 80, Runs: 2000, Cost: 11000, Visits: 25},
		{Verb: "max", Name: "deep", Admitted: 3, Failures: 1, Runs: 2000, Cost: 10000},
		{Verb: "set", Name: "f(term, 1)", Admitted: 256, Values: 257, Muted: true},
		{Verb: "set", Name: "term, index", Admitted: 256, Values: 257, Muted: true},
		{Verb: "set", Name: "place", Expr: "term, index", Admitted: 256, Values: 257, Muted: true},
		{Verb: "max", Name: "loud", Admitted: 9000, Muted: true},
		{Verb: "set", Name: "luck", Wobbles: 40, Admitted: 20},
		{Verb: "cross", Name: "g.a", Observe: true},
		{Verb: "cover", Name: "cold"},
		{Verb: "always", Name: "x < y", Visits: 10},
	}}
	want := map[string]struct {
		advice Advice
		reason string
	}{
		"edges":           {Delete, "nothing came of 20 % of the cost (leave edges out of -feedback)"},
		"max dead end":    {Delete, "nothing came of 6 % of the cost"},
		"set poor":        {Coarsen, "12 % of the cost led to 0.5 % of the finds"},
		"set role":        {Keep, "it led to 80 finds"},
		"max deep":        {Keep, "it led to 1 kind of failure"},
		"set f(term, 1)":  {ToMax, "257 values of one expression: a counter is new in every run, its maximum guides"},
		"set term, index": {Coarsen, "257 values: it is muted, and guides no more"},
		"set place":       {Coarsen, "257 values: it is muted, and guides no more"},
		"max loud":        {Coarsen, "it called over a quarter of the runs new, and is muted"},
		"set luck":        {Coarsen, "it differed in 40 second runs: it depends on more than the input"},
		"cross g.a":       {Keep, "it only observes"},
		"cover cold":      {Keep, "nothing came to it"},
		"always x < y":    {Delete, "it was visited, and nothing was new"},
	}
	got := explain(w)
	for _, y := range got.Yields {
		if e := want[y.Title()]; y.Advice != e.advice || y.Reason != e.reason {
			t.Errorf("%s: %s: %s\nwant %s: %s", y.Title(), y.Advice, y.Reason, e.advice, e.reason)
		}
		if y.Title() == "set role" && (y.PerRun != 2.5 || y.Share != 0.11) {
			t.Errorf("%+v", y)
		}
	}
	if len(got.Yields) != len(want) || got.Yields[0].Title() != "edges" {
		t.Errorf("%d rows, the first is %s", len(got.Yields), got.Yields[0].Title())
	}
}

// TestYieldsOfProcessesAddUp has two processes that saw the same annotation.
func TestYieldsOfProcessesAddUp(t *testing.T) {
	one := &wire.Why{Cost: 10, Finds: 1, Yields: []wire.Yield{{Verb: "max", Name: "term", Admitted: 2, Known: 1, Led: 1, Cost: 4}}}
	two := &wire.Why{Cost: 30, Finds: 2, Yields: []wire.Yield{{Verb: "max", Name: "index"}, {Verb: "max", Name: "term", Admitted: 1, Known: 3, Cost: 6}}}
	y := explain(addWhy(addWhy(nil, one), two)).Yields[0]
	if y.Admitted != 3 || y.Known != 3 || y.Led != 1 || y.Share != 0.25 {
		t.Errorf("%+v", y)
	}
}
