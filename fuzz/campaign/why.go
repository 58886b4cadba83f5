package campaign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// Why is what each annotation has brought in a campaign, the most expensive
// first.
type Why struct {
	Cost   float64 // of all runs, in events or bytes and a constant for each run
	Finds  uint64  // inputs that were kept
	Yields []Yield
}

// A Yield is what one annotation, or an item with bins, has brought, and what
// is to be done about it. An input that was kept for several annotations counts
// for each of them.
type Yield struct {
	wire.Yield
	Share  float64 // of the cost: that of the runs made from its inputs
	PerRun float64 // visits, in those runs that were looked at; 0 for max and its like, which nobody counts
	Advice Advice
	Reason string
}

// Title is the annotation's verb and name.
func (y *Yield) Title() string { return strings.TrimSpace(y.Verb + " " + y.Name) }

// Advice is what is to be done about an annotation.
type Advice string

const (
	Keep    Advice = "keep"
	Coarsen Advice = "coarsen"
	Delete  Advice = "delete"
	ToMax   Advice = "move to max"
)

// addWhy adds up what several processes say.
func addWhy(sum, more *wire.Why) *wire.Why {
	switch {
	case more == nil:
		return sum
	case sum == nil:
		sum = new(wire.Why)
	}
	out := &wire.Why{Cost: sum.Cost + more.Cost, Finds: sum.Finds + more.Finds, Sampled: sum.Sampled + more.Sampled}
	place := make(map[[3]string]int)
	for _, y := range slices.Concat(sum.Yields, more.Yields) {
		key := [3]string{y.Verb, y.Name, y.Pos}
		if i, ok := place[key]; ok {
			addYield(&out.Yields[i], y)
			continue
		}
		place[key] = len(out.Yields)
		out.Yields = append(out.Yields, y)
	}
	return out
}

func addYield(sum *wire.Yield, y wire.Yield) {
	sum.Admitted += y.Admitted
	sum.Known = max(sum.Known, y.Known)
	sum.Led += y.Led
	sum.Failures += y.Failures
	sum.Runs += y.Runs
	sum.Cost += y.Cost
	sum.Visits += y.Visits
	sum.Values = max(sum.Values, y.Values)
	sum.Wobbles += y.Wobbles
	sum.Muted = sum.Muted || y.Muted
	sum.Observe = sum.Observe && y.Observe
}

// blame credits with a failure what the ancestors of its input were kept for.
func blame(d *wire.Description, causes []ijon.ID) *wire.Why {
	w := new(wire.Why)
	for _, id := range slices.Compact(slices.Sorted(slices.Values(causes))) {
		y := wire.Yield{Failures: 1}
		switch k := int(id) - wire.FirstItem; {
		case id == wire.EdgesID:
			y.Verb = "edges"
		case k >= 0 && k < len(d.Items):
			i := &d.Items[k]
			y.Verb, y.Name, y.Expr, y.Pos = i.Kind, i.Title(), i.Expr, i.Pos
		case int(id) < len(d.Annotations):
			a := &d.Annotations[id]
			y.Verb, y.Name, y.Pos = a.Verb, a.Name, a.Pos
		default:
			continue // declared after the description was asked for
		}
		w.Yields = append(w.Yields, y)
	}
	return w
}

// explain judges what the workers say.
func explain(w *wire.Why) *Why {
	w = addWhy(w, new(wire.Why)) // an annotation and the item of the same name are one
	out := &Why{Cost: w.Cost, Finds: w.Finds}
	for _, y := range w.Yields {
		e := Yield{Yield: y}
		if w.Cost > 0 {
			e.Share = y.Cost / w.Cost
		}
		if w.Sampled > 0 {
			e.PerRun = float64(y.Visits) / float64(w.Sampled)
		}
		e.Advice, e.Reason = e.judge(w.Finds)
		out.Yields = append(out.Yields, e)
	}
	slices.SortStableFunc(out.Yields, func(a, b Yield) int {
		return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(b.Admitted+b.Known, a.Admitted+a.Known))
	})
	return out
}

// What an annotation must have cost before it is judged by what it led to, and
// how much less than the others it must have led to.
const (
	dearShare = 0.05
	dearRuns  = 1000
	poorYield = 10
	fewFinds  = 100
)

func (y *Yield) judge(finds uint64) (Advice, string) {
	kept := y.Admitted + y.Known
	dear := y.Share >= dearShare && y.Runs >= dearRuns
	switch {
	case y.Observe:
		return Keep, "it only observes"
	case y.Wobbles > 0 && 4*y.Wobbles > kept && y.Verb == "edges":
		return Keep, "they differed in " + count(y.Wobbles, "second run") + ": the code depends on more than the input, such as the order of a map"
	case y.Wobbles > 0 && 4*y.Wobbles > kept:
		return Coarsen, "it differed in " + count(y.Wobbles, "second run") + ": it depends on more than the input"
	case y.Muted && y.Values > 0 && y.Verb == "set" && !tuple(cmp.Or(y.Expr, y.Name)):
		return ToMax, fmt.Sprintf("%d values of one expression: a counter is new in every run, its maximum guides", y.Values)
	case y.Muted && y.Values > 0:
		return Coarsen, fmt.Sprintf("%d values: it is muted, and guides no more", y.Values)
	case y.Muted:
		return Coarsen, "it called over a quarter of the runs new, and is muted"
	case kept == 0 && y.Visits == 0 && y.Failures == 0:
		return Keep, "nothing came to it"
	case kept == 0 && y.Failures == 0:
		return Delete, "it was visited, and nothing was new"
	case dear && y.Led == 0 && y.Failures == 0 && y.Verb == "edges":
		return Delete, fmt.Sprintf("nothing came of %.0f %% of the cost (leave edges out of -feedback)", 100*y.Share)
	case dear && y.Led == 0 && y.Failures == 0:
		return Delete, fmt.Sprintf("nothing came of %.0f %% of the cost", 100*y.Share)
	case dear && y.Failures == 0 && finds >= fewFinds && float64(poorYield*y.Led) < y.Share*float64(finds) && y.Verb != "edges":
		return Coarsen, fmt.Sprintf("%.0f %% of the cost led to %.1f %% of the finds", 100*y.Share, 100*float64(y.Led)/float64(finds))
	case y.Failures > 0:
		return Keep, "it led to " + count(y.Failures, "kind") + " of failure"
	case y.Led > 0:
		return Keep, "it led to " + count(y.Led, "find")
	}
	return Keep, "it costs little"
}

func count(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tuple tells whether the expression of a set has several parts.
func tuple(name string) bool {
	depth := 0
	for _, c := range name {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}
