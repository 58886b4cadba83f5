package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/bench/stat"
	"github.com/ijongo/ijongo/bench/trial"
)

// bug is a cell; a negative cost is that of a search that found nothing.
func bug(subject, arm string, seed uint64, eq float64) trial.Cell {
	c := trial.Cell{Measure: trial.Bugs, Subject: subject, Arm: arm, Seed: seed, Found: eq > 0}
	if eq < 0 {
		eq = -eq
	}
	c.Cost = trial.Cost{Eq: eq, CPU: eq / 100}
	return c
}

// campaigns of two arms on three faults: the first is easy and both find it
// alike, the second is deep and ours is twice as fast, the third nobody finds.
func campaigns() *Report {
	r := &Report{Base: "swarm", Arms: []string{"swarm", "ours"}, Budget: 4000}
	for seed := uint64(1); seed <= 4; seed++ {
		for arm, costs := range map[string][]float64{"swarm": {100, 2000, -4000}, "ours": {100, 1000, -4000}} {
			for i, name := range []string{"shallow", "low", "hidden"} {
				r.Cells = append(r.Cells, bug(name, arm, seed, costs[i]))
			}
		}
	}
	return r
}

func TestBugs(t *testing.T) {
	r := campaigns()
	var got []string
	for _, s := range r.Bugs().Summaries {
		got = append(got, fmt.Sprintf("%s %s: %d/%d of %d, %s", s.Arm, s.Of, s.Found, s.Cells, s.Items, ratio(s.Eq)))
	}
	want := []string{
		"swarm all: 8/12 of 0, -",
		"swarm easy: 4/4 of 0, -",
		"swarm deep: 4/8 of 0, -",
		"ours all: 8/12 of 2, 1.41 without interval", // the root of 1 and 2
		"ours easy: 4/4 of 1, 1.00 without interval",
		"ours deep: 4/8 of 1, 2.00 without interval",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	line := r.Bugs().Lines[1]
	if line != "ours: found 8 of 12 cells, 1.41 without interval of swarm in eq, 1.41 without interval in CPU" {
		t.Error(line)
	}
	text := r.Bugs().Text
	for _, want := range []string{
		"| shallow | easy | 4/4, 100 eq, 1.00 s | 4/4, ",
		"| low | deep | 4/4, 2000 eq, 20.0 s | 4/4, 1000 eq, ",
		"| hidden | deep | 0/4, over 4000 eq, over 40.0 s |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no row %q in\n%s", want, text)
		}
	}
}

func TestLine(t *testing.T) {
	s := Summary{Arm: "ours", Eq: &stat.Interval{Value: 1.32, Low: 1.05, High: 1.66}, CPU: &stat.Interval{Value: 1.2, Low: 0.97, High: 1.5}}
	r := &Report{Base: "swarm"}
	if got := r.line(s, "found 181 of 200 cells"); got != "ours: found 181 of 200 cells, 1.32 [1.05, 1.66] of swarm in eq, 1.20 [0.97, 1.50] in CPU (may be 1)" {
		t.Error(got)
	}
	s.Eq = nil
	if got := r.line(s, "found 1 of 2 cells"); got != "ours: found 1 of 2 cells, 1.20 [0.97, 1.50] of swarm in CPU (may be 1)" {
		t.Error(got)
	}
}

func TestFields(t *testing.T) {
	var cells []*trial.Cell
	for seed, eq := range []float64{100, 300, 500, 700, -900} {
		c := bug("b", "ours", uint64(seed), eq)
		cells = append(cells, &c)
	}
	if got := bugField(cells); got != "4/5, 500 [100, over 900] eq, 5.00 [1.00, over 9.00] s" {
		t.Error(got)
	}
	for want, i := range map[string]*stat.Interval{
		"-":                            nil,
		"1.10 [0.90, 1.30] (may be 1)": {Value: 1.1, Low: 0.9, High: 1.3},
		"0.70 [0.60, 0.90]":            {Value: 0.7, Low: 0.6, High: 0.9},
		"1.00 without interval":        {Value: 1, Low: 1, High: 1},
	} {
		if got := ratio(i); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestClassOfWhatIsNotFound: as deep as the budget shows.
func TestClassOfWhatIsNotFound(t *testing.T) {
	for _, test := range []struct {
		eq   float64
		want string
	}{{900, isEasy}, {1100, isDeep}, {-500, isDeep}, {-20000, isVeryDeep}, {21000, isVeryDeep}} {
		r := &Report{Base: "swarm", Cells: []trial.Cell{bug("b", "swarm", 1, test.eq)}}
		if got := r.class("b"); got != test.want {
			t.Errorf("%v: %s, want %s", test.eq, got, test.want)
		}
	}
}

// TestAnotherEngineHasNoEq: go test -fuzz counts CPU time alone.
func TestAnotherEngineHasNoEq(t *testing.T) {
	r := &Report{Base: "swarm", Arms: []string{"swarm", "go"}}
	for seed := uint64(1); seed <= 2; seed++ {
		g := bug("b", "go", seed, 400)
		g.Eq = 0
		r.Cells = append(r.Cells, bug("b", "swarm", seed, 100), g)
	}
	s := r.Bugs().Summaries[2]
	if s.Arm != "go" || s.Eq != nil || ratio(s.CPU) != "0.25 without interval" {
		t.Errorf("%+v, %s", s, ratio(s.CPU))
	}
	if got := bugField(r.of(trial.Bugs, "b", "go")); got != "2/2, 4.00 s" {
		t.Error(got)
	}
	for i := range r.Cells {
		r.Cells[i].Found = r.Cells[i].Arm == "swarm"
	}
	// 100 eq a find, and two campaigns of 400 for half a find.
	if s := r.Bugs().Summaries[2]; s.Unfound != 1 || s.CPU.Value != 100.0/1600 {
		t.Errorf("never found: %+v", s)
	}
}

func hit(bin string, eq float64) trial.Hit {
	return trial.Hit{Bin: bin, Cost: trial.Cost{Eq: eq, CPU: eq / 1000}}
}

// explorers have hit bins: common is rare for nobody, seldom for swarm, which
// needs 15000 eq and ours 3000; lost is hit by swarm alone, and gained by ours.
func explorers() *Report {
	r := &Report{Base: "swarm", Arms: []string{"swarm", "ours"}, Budget: 20000}
	end := trial.Cost{Eq: 20000, CPU: 20}
	for seed := uint64(1); seed <= 2; seed++ {
		r.Cells = append(r.Cells,
			trial.Cell{Measure: trial.States, Subject: "unmodified", Arm: "swarm", Seed: seed, Cost: end,
				Hits:   []trial.Hit{hit("common", 10), hit("lost", 4000), hit("seldom", 15000)},
				Values: int(100 + seed), Best: []trial.Best{{Name: "lag", Value: 3, Cost: trial.Cost{CPU: 1}}, {Name: "lag", Value: 9, Cost: trial.Cost{CPU: 11}}}},
			trial.Cell{Measure: trial.States, Subject: "unmodified", Arm: "ours", Seed: seed, Cost: trial.Cost{Eq: 20000, CPU: 10},
				Hits: []trial.Hit{hit("common", 10), hit("seldom", 3000), hit("gained", 5000)},
				Best: []trial.Best{{Name: "lag", Value: 5, Cost: trial.Cost{CPU: 2}}}})
	}
	return r
}

func TestRareBins(t *testing.T) {
	r := explorers()
	list := r.Bins().Summaries
	if len(list) != 2 || list[1].Items != 2 {
		t.Fatalf("%+v", list)
	}
	// In each half, of one seed: seldom 15000/3000 = 5; gained 20000 for half a
	// find, and 5000 for one: 40000/5000 = 8. The root of 40 is 6.32.
	if got := ratio(list[1].Eq); got != "6.32 without interval" {
		t.Error(got)
	}
	text := r.Bins().Text
	want := "| ours | 2 | 6.32 without interval | 6.32 without interval | 3 | 5.00 | 3 | 1 | 1 |"
	if !strings.Contains(text, want) || !strings.Contains(text, "bins at 20.0 CPU-s | CPU-s to 3 bins") {
		t.Errorf("no row %q in\n%s", want, text)
	}
}

// drawn are campaigns of both arms that hit bins and find faults at random, at
// costs of 3000 to 100000 eq on average, ours faster times as fast.
func drawn(faster float64, seed uint64) *Report {
	rng := rand.New(rand.NewPCG(7, seed))
	r := &Report{Base: "swarm", Arms: []string{"swarm", "ours"}, Budget: 20000}
	for k := uint64(1); k <= 10; k++ {
		for arm, rate := range []float64{1, faster} {
			c := trial.Cell{Measure: trial.States, Subject: "unmodified", Arm: r.Arms[arm], Seed: k, Cost: trial.Cost{Eq: r.Budget, CPU: 20}}
			for i := range 300 {
				eq := rng.ExpFloat64() * 3000 * math.Pow(33, float64(i)/300) / rate
				if eq < r.Budget {
					c.Hits = append(c.Hits, hit(fmt.Sprint(i), eq))
				}
				if i%10 == 0 {
					if eq > r.Budget {
						eq = -r.Budget
					}
					r.Cells = append(r.Cells, bug(fmt.Sprint(i), c.Arm, k, eq))
				}
			}
			r.Cells = append(r.Cells, c)
		}
	}
	return r
}

// TestLuckIsNoLead compares an arm with itself: a bin that is rare, or a fault
// that is deep, because one of the two had bad luck must not count for the
// other. Told by the campaigns that are compared, it does.
func TestLuckIsNoLead(t *testing.T) {
	r := drawn(1, 0)
	for _, s := range append(r.Bugs().Summaries, r.Bins().Summaries...) {
		if s.Arm == "ours" && !s.Eq.Includes(1) {
			t.Errorf("%s, %d: %v, want 1", s.Of, s.Items, s.Eq)
		}
	}
	var apart, same []float64
	for n := uint64(0); n < 20; n++ {
		r := drawn(1, n)
		base, mine := r.bins("swarm"), r.bins("ours")
		apart = append(apart, newRivals(base, mine).estimate(inEq)(stat.All))
		same = append(same, judgedByThemselves(base, mine).estimate(inEq)(stat.All))
	}
	a, b := stat.GeoMean(apart), stat.GeoMean(same)
	t.Logf("rare bins of an arm against itself, mean of %d: %.2f; told by the same seeds %.2f", len(same), a, b)
	if math.Abs(a-1) > 0.03 || b < 1.05 {
		t.Errorf("%.2f and %.2f, want 1 and more", a, b)
	}
}

// judgedByThemselves are rivals on bins that are rare in what they are
// compared by.
func judgedByThemselves(base, mine *bins) *rivals {
	r := &rivals{base: [2]*bins{base, base}, mine: [2]*bins{mine, mine}}
	for i := range 300 {
		name := fmt.Sprint(i)
		if m := stat.Median(base.costs(name, inEq)); (m.Censored || m.Value > rare) && (base.any[name] || mine.any[name]) {
			r.rare[0] = append(r.rare[0], name)
		}
	}
	return r
}

// TestALeadIsSeen: it is understated where the slower arm has not found
// everything.
func TestALeadIsSeen(t *testing.T) {
	r := drawn(4, 0)
	list := r.Bins().Summaries
	if got := list[1].Eq; got.Low < 2 || got.Value < 2.5 || got.Value > 4.5 {
		t.Errorf("%v, want a little less than 4", got)
	}
}

// TestDepth: at the end, and at the 10 CPU-seconds that both had.
func TestDepth(t *testing.T) {
	text := explorers().Depth().Text
	if !strings.Contains(text, "| values of set annotations | 102 | 0 |\n| lag | 9, 3 | 5, 5 |") || !strings.Contains(text, "at 10.0 CPU-seconds") {
		t.Error(text)
	}
}
