package campaign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ijongo/ijongo/fuzz/campaign/afl"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// Progress is the state of a campaign. Workers share their finds, so what
// they have reached is the largest of their counts and not the sum.
type Progress struct {
	Elapsed  time.Duration
	Workers  int // running now
	Runs     uint64
	PerSec   uint64 // runs a second since the last Progress
	Events   uint64
	Corpus   int
	Cells    int
	Pairs    int
	Edges    int
	Bins     int            // goals covered, of earlier campaigns in the folder too
	Goals    int            // there are
	Before   time.Duration  `json:",omitempty"` // that earlier campaigns in the folder took
	Groups   []Group        `json:",omitempty"` // goals covered, by covergroup
	Best     []Best         `json:",omitempty"`
	Length   int            // tuned length of random schedules, in events
	Arms     []wire.Arm     `json:",omitempty"`
	Mutators []wire.Arm     `json:",omitempty"`
	Checked  uint64         // candidates for the corpus that were run twice
	Equal    uint64         // and gave the same feedback again
	Wobbling []string       `json:",omitempty"` // what differed when they did not
	Muted    []string       `json:",omitempty"` // annotations that admit too much and only observe
	Skipped  []Skipped      `json:",omitempty"` // annotations whose expression has panicked
	Crowded  []string       `json:",omitempty"` // covergroups with more instances than are remembered
	Channels []wire.Channel `json:",omitempty"`
	Finds    []Find         `json:",omitempty"` // the last ones, oldest first
	Restarts int            // of processes that died
	Renewed  int            `json:",omitempty"` // processes that were replaced for the memory that they held
	Failures int
	AFL      *Instances    `json:",omitempty"` // if afl-fuzz searches; Edges are then bytes of its map
	LastFind time.Duration // elapsed at the last find
	LastFail time.Duration // and at the last failure, 0 if there is none
}

// Instances is what the instances of AFL++ in a campaign say.
type Instances struct {
	Stability float64 `json:",omitempty"` // the lowest share of the map that is the same in a second run; 0 before it was measured
	Cycles    uint64  // of the queue of the main one
	Imported  int     // inputs that came from others
	Crashes   int     // inputs that they have saved since they began
	Hangs     int
}

// briefFinds is how many finds a line of stats.jsonl has.
const briefFinds = 3

// brief is what of p is worth keeping for good.
func (p Progress) brief() *Progress {
	p.Mutators = nil
	p.Finds = p.Finds[max(0, len(p.Finds)-briefFinds):]
	return &p
}

// A Find is an input that was kept.
type Find struct {
	When   time.Duration // elapsed
	Worker int
	File   string
	Why    string   // channels
	For    []string `json:",omitempty"` // annotations, at most a few
}

// A Group is how many goals of a covergroup are covered; that without a name
// is the properties.
type Group struct {
	Name           string `json:",omitempty"`
	Covered, Goals int
}

// Skipped is how many visits of an annotation were skipped because its
// expression panicked.
type Skipped struct {
	Verb, Name string
	Visits     uint64
}

func (s Skipped) String() string { return fmt.Sprintf("%s %s (%d)", s.Verb, s.Name, s.Visits) }

// Strings is what to print of each of them.
func Strings(list []Skipped) []string {
	text := make([]string, len(list))
	for i, s := range list {
		text[i] = s.String()
	}
	return text
}

// Best is the best value of a max-like annotation.
type Best struct{ Verb, Name, Value string }

// shown is how many best values fit on a progress line.
const shown = 3

// String is the progress line, in the shape of go test -fuzz.
func (p Progress) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "fuzz: elapsed: %v, runs: %d (%d/sec), corpus: %d", p.Elapsed.Round(time.Second), p.Runs, p.PerSec, p.Corpus)
	if p.AFL == nil {
		fmt.Fprintf(&b, ", cells: %d", p.Cells+p.Pairs)
	}
	fmt.Fprintf(&b, ", edges: %d", p.Edges)
	if p.Goals > 0 {
		fmt.Fprintf(&b, ", bins: %d/%d", p.Bins, p.Goals)
	}
	b.WriteString(p.extremes())
	if p.AFL != nil {
		fmt.Fprintf(&b, ", %v", p.AFL)
	}
	fmt.Fprintf(&b, ", failures: %d", p.Failures)
	return b.String()
}

// String is their part of a progress line.
func (a *Instances) String() string {
	text := fmt.Sprintf("crashes: %d, hangs: %d", a.Crashes, a.Hangs)
	if a.Stability > 0 {
		text = fmt.Sprintf("stability: %.2f %%, ", 100*a.Stability) + text
	}
	return text
}

// extremes is the values of the first max and min annotations.
func (p Progress) extremes() string {
	var b strings.Builder
	n := 0
	for _, best := range p.Best {
		if best.Verb != "max" && best.Verb != "min" {
			continue
		}
		if n++; n > shown {
			b.WriteString(", …")
			break
		}
		fmt.Fprintf(&b, ", %s %s: %s", best.Verb, best.Name, best.Value)
	}
	return b.String()
}

// Steady is the share of runs that gave the same feedback a second time.
func (p Progress) Steady() float64 {
	if p.Checked == 0 {
		return 1
	}
	return float64(p.Equal) / float64(p.Checked)
}

// A tally adds up what the workers say.
type tally struct {
	sites    []wire.Site
	begin    time.Time
	now      []wire.Stats // last word of each worker's process
	afl      []afl.Stats  // and that of each instance of AFL++, if there are any
	why      []*wire.Why  // of each worker's process
	pastWhy  *wire.Why    // of processes that have ended
	past     wire.Stats   // runs, events and checks of processes that have ended
	alive    int
	restarts int // after a death
	renewed  int // for the memory that they held
	failures int
	finds    []Find
	lastFind time.Duration
	lastFail time.Duration
	lastRuns uint64
	lastRate uint64
	lastTime time.Time
}

func newTally(sites []wire.Site, workers int) *tally {
	begin := time.Now()
	return &tally{sites: sites, begin: begin, lastTime: begin, now: make([]wire.Stats, workers), why: make([]*wire.Why, workers), alive: workers}
}

// hear takes what the process of a worker says.
func (t *tally) hear(worker int, s wire.Stats) {
	if s.Why != nil {
		t.why[worker] = s.Why
		s.Why = nil
	}
	t.now[worker] = s
}

// hearAFL takes what an instance of AFL++ says, if it is one.
func (t *tally) hearAFL(worker int, s *afl.Stats) {
	if s == nil {
		return
	}
	if t.afl == nil {
		t.afl = make([]afl.Stats, len(t.now))
	}
	t.afl[worker] = *s
}

// instances is what they say together.
func (t *tally) instances() *Instances {
	if t.afl == nil {
		return nil
	}
	sum := &Instances{Cycles: t.afl[0].Cycles}
	for _, s := range t.afl {
		sum.Imported += s.Imported
		sum.Crashes += s.Crashes
		sum.Hangs += s.Hangs
		if s.Stability > 0 && (sum.Stability == 0 || s.Stability < sum.Stability) {
			sum.Stability = s.Stability
		}
	}
	return sum
}

// ran is told how many runs a process has made. What they have covered is known
// before it reports.
func (t *tally) ran(worker int, runs uint64) { t.now[worker].Execs = max(t.now[worker].Execs, runs) }

// lastFinds is how many finds are remembered.
const lastFinds = 8

// found notes an input that a worker has kept.
func (t *tally) found(worker int, f *wire.Find) {
	t.lastFind = time.Since(t.begin)
	if len(t.finds) == lastFinds {
		t.finds = append(t.finds[:0], t.finds[1:]...)
	}
	t.finds = append(t.finds, Find{When: t.lastFind, Worker: worker, File: f.File, Why: f.Why, For: f.For})
}

// failed counts a failure.
func (t *tally) failed() {
	t.failures++
	t.lastFail = time.Since(t.begin)
}

// credit adds what no process can tell, because it has died.
func (t *tally) credit(w *wire.Why) { t.pastWhy = addWhy(t.pastWhy, w) }

// explain is what each annotation has brought in all processes.
func (t *tally) explain() *Why {
	sum := t.pastWhy
	for _, w := range t.why {
		sum = addWhy(sum, w)
	}
	return explain(sum)
}

// ended adds up a process that has ended after so many runs.
func (t *tally) ended(worker int, runs uint64) {
	t.pastWhy, t.why[worker] = addWhy(t.pastWhy, t.why[worker]), nil
	last := &t.now[worker]
	t.past.Execs += max(runs, last.Execs)
	t.past.Events += last.Events
	t.past.Checked += last.Checked
	t.past.Equal += last.Equal
	t.past.Skipped = append(t.past.Skipped, last.Skipped...)
	t.past.Channels = addChannels(t.past.Channels, last.Channels)
	last.Skipped, last.Channels = nil, nil
	last.Execs, last.Events, last.Checked, last.Equal = 0, 0, 0, 0
}

func (t *tally) progress() Progress {
	p := Progress{
		Elapsed: time.Since(t.begin), Workers: t.alive, Restarts: t.restarts, Renewed: t.renewed, Failures: t.failures,
		LastFind: t.lastFind, LastFail: t.lastFail, Finds: slices.Clone(t.finds),
		Runs: t.past.Execs, Events: t.past.Events, Checked: t.past.Checked, Equal: t.past.Equal,
	}
	for _, s := range t.now {
		p.Runs += s.Execs
		p.Events += s.Events
		p.Checked += s.Checked
		p.Equal += s.Equal
		p.Corpus, p.Cells, p.Pairs = max(p.Corpus, s.Corpus), max(p.Cells, s.Cells), max(p.Pairs, s.Pairs)
		p.Edges, p.Length = max(p.Edges, s.Edges), max(p.Length, s.Length)
		p.Wobbling = union(p.Wobbling, s.Wobbling)
		p.Muted = union(p.Muted, s.Muted)
		p.Arms = addArms(p.Arms, s.Arms, len(t.now))
		p.Mutators = addArms(p.Mutators, s.Mutators, len(t.now))
		p.Channels = addChannels(p.Channels, s.Channels)
	}
	p.Channels = addChannels(p.Channels, t.past.Channels)
	p.Best = t.best()
	p.Skipped = t.skipped()
	p.AFL = t.instances()
	p.PerSec = t.rate(p.Runs)
	return p
}

// shortest is the time that a rate needs to mean something.
const shortest = 200 * time.Millisecond

// rate is runs a second since the last time that it was asked for.
func (t *tally) rate(runs uint64) uint64 {
	d := time.Since(t.lastTime)
	if d < shortest && t.lastTime != t.begin {
		return t.lastRate
	}
	if d > 0 && runs > t.lastRuns {
		t.lastRate = uint64(float64(runs-t.lastRuns) / d.Seconds())
	} else {
		t.lastRate = 0
	}
	t.lastRuns, t.lastTime = runs, time.Now()
	return t.lastRate
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

func addArms(sum, arms []wire.Arm, workers int) []wire.Arm {
	for _, a := range arms {
		i := slices.IndexFunc(sum, func(b wire.Arm) bool { return b.Name == a.Name })
		if i < 0 {
			i = len(sum)
			sum = append(sum, wire.Arm{Name: a.Name})
		}
		sum[i].Share += a.Share / float64(workers)
		sum[i].Execs += a.Execs
		sum[i].Finds += a.Finds
	}
	return sum
}

func addChannels(sum, channels []wire.Channel) []wire.Channel {
	for _, c := range channels {
		i := slices.IndexFunc(sum, func(b wire.Channel) bool { return b.Name == c.Name })
		if i < 0 {
			i = len(sum)
			sum = append(sum, wire.Channel{Name: c.Name})
		}
		sum[i].Finds += c.Finds
	}
	return sum
}

// skipped adds up the visits that were skipped, by annotation.
func (t *tally) skipped() []Skipped {
	visits := make([]uint64, len(t.sites))
	for _, s := range append([]wire.Stats{t.past}, t.now...) {
		for _, skip := range s.Skipped {
			if i := int(skip.ID); i >= 0 && i < len(visits) {
				visits[i] += skip.Visits
			}
		}
	}
	var list []Skipped
	for i, n := range visits {
		if n > 0 {
			list = append(list, Skipped{t.sites[i].Verb, t.sites[i].Name, n})
		}
	}
	return list
}

// best is the best value that any worker has for each annotation.
func (t *tally) best() []Best {
	values := make(map[int32]string)
	for _, s := range t.now {
		for _, b := range s.Best {
			if int(b.ID) < 0 || int(b.ID) >= len(t.sites) {
				continue // declared after the description was asked for
			}
			if old, ok := values[b.ID]; !ok || better(t.sites[b.ID].Verb, b.Value, old) {
				values[b.ID] = b.Value
			}
		}
	}
	var out []Best
	for id, site := range t.sites {
		if v, ok := values[int32(id)]; ok {
			out = append(out, Best{site.Verb, site.Name, v})
		}
	}
	return out
}

// better tells whether a, as runtime's Format shows it, beats b.
func better(verb, a, b string) bool {
	x, errX := strconv.ParseFloat(strings.TrimPrefix(a, "gap "), 64)
	y, errY := strconv.ParseFloat(strings.TrimPrefix(b, "gap "), 64)
	if errX != nil || errY != nil {
		return false
	}
	switch verb {
	case "min", "dist", "cmp", "sometimes":
		return x < y
	}
	return x > y
}
