package fuzz

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A campaign is a search in this process, on a function of the test.
type campaign struct {
	search   *search
	last     *wire.Stats
	finds    []*wire.Find
	covered  []*wire.Covered
	failures []*wire.Outcome
	errors   []string
}

// conduct runs a whole search.
func conduct(t testing.TB, host *testing.T, config wire.Config, l ijon.Layout, fn func(*testing.T, []byte)) *campaign {
	t.Helper()
	return conductAs(t, host, config, l, fn, func(*search) {})
}

// conductAs is conduct of a search that tune changes before it begins.
func conductAs(t testing.TB, host *testing.T, config wire.Config, l ijon.Layout, fn func(*testing.T, []byte), tune func(*search)) *campaign {
	t.Helper()
	ijon.Schedule(l)
	ijon.Enable()
	path := filepath.Join(t.TempDir(), "shared")
	shared, err := wire.CreateShared(path)
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	out, err := os.Create(filepath.Join(t.TempDir(), "messages"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	in, quit, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer quit.Close()
	link := &link{out: out, in: in}
	r := newRunner(fn, shared)
	s, err := newSearch(r, config, link)
	if err != nil {
		t.Fatal(err)
	}
	tune(s)
	if err := r.loop(host, s); err != nil {
		link.fail(err)
	}
	c := &campaign{search: s}
	c.read(t, out)
	return c
}

func (c *campaign) read(t testing.TB, f *os.File) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(f); ; {
		var m wire.Message
		if err := dec.Decode(&m); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		switch {
		case m.Stats != nil:
			c.last = m.Stats
		case m.Find != nil:
			c.finds = append(c.finds, m.Find)
		case m.Covered != nil:
			c.covered = append(c.covered, m.Covered)
		case m.Failure != nil:
			c.failures = append(c.failures, m.Failure)
		case m.Error != "":
			c.errors = append(c.errors, m.Error)
		}
	}
}

var depth = ijon.Declare(ijon.VerbMax, "depth")

// maze violates an oracle when the input opens with the secret; the max
// annotation tells how far it got.
func maze(_ *testing.T, in []byte) {
	const secret = "quorum"
	n := 0
	for n < len(in) && n < len(secret) && in[n] == secret[n] {
		n++
	}
	ijon.MaxInt(depth, int64(n))
	if n == len(secret) {
		ijon.Violated("never quorum")
	}
}

// TestMaxFindsWhatRandomDoesNot gives both searches the same runs. Random
// input opens with the secret once in 2^48 runs.
func TestMaxFindsWhatRandomDoesNot(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		config := wire.Config{Seed: seed, Execs: 500000, MaxLen: 64}
		if c := conduct(t, t, config, ijon.Layout{}, maze); len(c.failures) != 0 {
			t.Errorf("seed %d: random found it", seed)
		}
		config.Feedback = []string{"max"}
		c := conduct(t, t, config, ijon.Layout{}, maze)
		if len(c.failures) != 1 || c.failures[0].Key != "never quorum" || c.failures[0].Fault != wire.Violated {
			t.Errorf("seed %d: max found %v in %d runs; best %v", seed, c.failures, c.last.Execs, c.last.Best)
			continue
		}
		t.Logf("seed %d: max needs %d runs", seed, c.last.Execs)
	}
}

var walkLayout = ijon.Layout{Record: 2, Kinds: []ijon.Kind{{Name: "east", Weight: 1}, {Name: "west", Weight: 1}, {Name: "wait", Weight: 1}}}

var walkAt = ijon.Declare(ijon.VerbSet, "at")

// walk is a way on which any mistake leads back to the start: step n must be
// the kind n mod 2 with an operand below 200. Each place is a situation.
func walk(_ *testing.T, in []byte) {
	const goal = 60
	at := 0
	for ; len(in) >= 2; in = in[2:] {
		switch {
		case in[0]%3 == 2:
		case int(in[0]%3) == at%2 && in[1] < 200:
			at++
		default:
			at = 0
		}
		ijon.Set(walkAt, ijon.HashInt(ijon.Hash, int64(at)))
		ijon.Step()
		if at == goal {
			ijon.Violated("arrived")
			return
		}
	}
}

// TestArchiveFindsWhatRandomDoesNot lets the archive go back to the furthest
// places by their rarity, where random has to make the whole way in one run.
func TestArchiveFindsWhatRandomDoesNot(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		config := wire.Config{Seed: seed, Execs: 6000, MaxLen: 6400}
		if c := conduct(t, t, config, walkLayout, walk); len(c.failures) != 0 {
			t.Errorf("seed %d: random found it in %d runs", seed, c.last.Execs)
		}
		config.Feedback = []string{"archive"}
		c := conduct(t, t, config, walkLayout, walk)
		if len(c.failures) != 1 {
			t.Errorf("seed %d: the archive did not find it; %+v", seed, c.last)
			continue
		}
		t.Logf("seed %d: the archive needs %d runs", seed, c.last.Execs)
	}
}

var phaseOf, countOf = ijon.Declare(ijon.VerbSet, "phase"), ijon.Declare(ijon.VerbInc, "count")

// machine has something for every channel.
func machine(_ *testing.T, in []byte) {
	sum := 0
	for ; len(in) >= 2; in = in[2:] {
		sum = (sum*3 + int(in[1])) % 50
		ijon.Set(phaseOf, ijon.HashInt(ijon.Hash, int64(sum%7)))
		ijon.Set(walkAt, ijon.HashInt(ijon.Hash, int64(in[0]%5)))
		ijon.Inc(countOf, ijon.HashInt(ijon.Hash, int64(sum)))
		ijon.MaxInt(depth, int64(sum))
		ijon.Step()
	}
}

var everyChannel = []string{"edges", "set", "max", "bins", "archive"}

func TestASearchIsReproducible(t *testing.T) {
	reproduce(t, walkLayout, machine)
}

func TestASearchTowardsHolesIsReproducible(t *testing.T) {
	reproduce(t, clusterLayout, guided)
}

func reproduce(t *testing.T, l ijon.Layout, fn func(*testing.T, []byte)) {
	var names [2][]string
	var stats [2]*wire.Stats
	for i := range names {
		dir := t.TempDir()
		c := conduct(t, t, wire.Config{Seed: 7, Execs: 3000, MaxLen: 2000, Feedback: everyChannel, Corpus: dir, Queue: "w0"}, l, fn)
		files, err := corpus.Files(dir, "w0")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if _, err := f.Read(); err != nil {
				t.Error(err)
			}
			names[i] = append(names[i], filepath.Base(f.Path))
		}
		if len(names[i]) == 0 || len(names[i]) > len(c.finds) {
			t.Errorf("%d entries for %d finds", len(names[i]), len(c.finds))
		}
		stats[i] = c.last
		if !c.last.Done || c.last.Execs != 3000 || c.last.Checked == 0 || c.last.Equal != c.last.Checked {
			t.Errorf("%+v", c.last)
		}
	}
	if !reflect.DeepEqual(names[0], names[1]) || !reflect.DeepEqual(stats[0], stats[1]) {
		t.Errorf("two searches with one seed differ:\n%+v\n%+v", stats[0], stats[1])
	}
}

// TestACorpusRestoresTheMaps starts a second search on the corpus of a first.
func TestACorpusRestoresTheMaps(t *testing.T) {
	config := wire.Config{Seed: 7, Execs: 3000, MaxLen: 2000, Feedback: everyChannel, Corpus: t.TempDir(), Queue: "w0"}
	first := conduct(t, t, config, walkLayout, machine).last
	config.Execs = uint64(first.Corpus)
	second := conduct(t, t, config, walkLayout, machine).last
	if second.Cells != first.Cells || second.Pairs != first.Pairs || !reflect.DeepEqual(second.Best, first.Best) {
		t.Errorf("before %+v\nafter %+v", first, second)
	}
}

// TestEveryCellOfTheArchiveCanBeReached replays the prefix of each cell.
func TestEveryCellOfTheArchiveCanBeReached(t *testing.T) {
	reachAll(t, walkLayout, machine)
}

func TestEveryDeclaredCellCanBeReached(t *testing.T) {
	reachAll(t, clusterLayout, guided)
}

func reachAll(t *testing.T, l ijon.Layout, fn func(*testing.T, []byte)) {
	c := conduct(t, t, wire.Config{Seed: 3, Execs: 3000, MaxLen: 6000, Feedback: everyChannel}, l, fn)
	archive := c.search.seen.archive
	reached := 0
	for element, i := range archive.index {
		if i <= 0 {
			continue
		}
		input := archive.cells[i-1].input
		ijon.Begin(seedOf(input))
		fn(t, input)
		ijon.End()
		var f feedback
		f.read()
		archive.each(&f, func(at int, _ ijon.Touch) {
			if at == element {
				reached++
			}
		})
	}
	if reached == 0 || reached != len(archive.cells) {
		t.Errorf("%d of %d", reached, len(archive.cells))
	}
}

// TestWithoutFeedbackNothingIsKept is the baseline: no corpus and no second
// runs, but everything is counted.
func TestWithoutFeedbackNothingIsKept(t *testing.T) {
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 500, MaxLen: 2000, Corpus: t.TempDir(), Queue: "w0"}, walkLayout, machine)
	if c.last.Corpus != 0 || c.last.Checked != 0 || len(c.finds) != 0 || len(c.last.Arms) != 1 {
		t.Errorf("%+v", c.last)
	}
	if c.last.Cells == 0 || c.last.Pairs == 0 || len(c.last.Best) == 0 {
		t.Errorf("%+v", c.last)
	}
}

func TestKeepOnReportsEachKeyOnce(t *testing.T) {
	config := wire.Config{Seed: 1, Execs: 2000, MaxLen: 32, KeepOn: true}
	c := conduct(t, t, config, ijon.Layout{}, func(_ *testing.T, in []byte) {
		if len(in) > 0 {
			ijon.Violated("remainder " + string('0'+in[0]%3))
		}
	})
	if len(c.failures) != 3 || c.last.Execs != 2000 {
		t.Errorf("%d failures in %d runs", len(c.failures), c.last.Execs)
	}
}

func TestAFailureThatDoesNotComeAgainIsReportedAsSuch(t *testing.T) {
	n := 0
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 5, MaxLen: 32}, ijon.Layout{}, func(*testing.T, []byte) {
		if n++; n == 5 {
			ijon.Violated("once")
		}
	})
	if len(c.failures) != 1 || !strings.Contains(c.failures[0].Text, "did not fail in this way in 10 further runs") {
		t.Errorf("%+v", c.failures)
	}
	if n != 15 {
		t.Errorf("%d runs", n)
	}
}

// TestWobblingIsNamed has an annotation that counts runs, and one that does
// not: inputs of the first are not kept, and it is named.
func TestWobblingIsNamed(t *testing.T) {
	n := 0
	wobbly := ijon.Declare(ijon.VerbSet, "wobbly")
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 3000, MaxLen: 64, Feedback: []string{"set"}}, ijon.Layout{}, func(_ *testing.T, in []byte) {
		if n++; n%10 == 0 {
			ijon.Set(wobbly, uint64(n/10))
		}
		ijon.Set(walkAt, uint64(len(in)/4))
	})
	if c.last.Equal == c.last.Checked || len(c.last.Wobbling) == 0 || c.last.Wobbling[0] != "set wobbly" {
		t.Errorf("%+v", c.last)
	}
	if c.last.Corpus == 0 || c.last.Corpus > 20 {
		t.Errorf("%d entries", c.last.Corpus)
	}
}

// TestALoudAnnotationIsMuted has a set with ever new values beside a quiet one.
func TestALoudAnnotationIsMuted(t *testing.T) {
	loud := ijon.Declare(ijon.VerbSet, "loud")
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 5000, MaxLen: 64, Feedback: []string{"set"}}, ijon.Layout{}, func(_ *testing.T, in []byte) {
		ijon.Set(loud, seedOf(in))
		ijon.Set(walkAt, uint64(len(in)/4))
	})
	if !reflect.DeepEqual(c.last.Muted, []string{"set loud"}) || c.last.Corpus > maxValues+20 {
		t.Errorf("muted %v, %d entries", c.last.Muted, c.last.Corpus)
	}
}

func TestAnUnusableCorpusFolderIsAnError(t *testing.T) {
	dir := t.TempDir()
	c := conduct(t, t, wire.Config{Seed: 1, Execs: 5000, MaxLen: 64, Feedback: []string{"set"}, Corpus: dir, Queue: "w0"}, ijon.Layout{}, func(_ *testing.T, in []byte) {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
		machine(nil, in)
	})
	if len(c.errors) != 1 || !strings.Contains(c.errors[0], "corpus: ") || c.last.Execs > 10 {
		t.Errorf("%q after %d runs", c.errors, c.last.Execs)
	}
}

func TestFindsOfOtherWorkersAreRead(t *testing.T) {
	dir := t.TempDir()
	config := wire.Config{Corpus: dir, Queue: "w0"}
	p, err := newPool(config)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.load(config); err != nil || len(got) != 0 {
		t.Fatalf("%v, %v", got, err)
	}
	other, err := corpus.OpenQueue(dir, "w1")
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"one", "two", "two", "torn"} {
		f, err := other.Add([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if data == "torn" {
			err = os.WriteFile(f.Path, []byte("to"), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.add(&entry{Parent: mutate.Parent{Data: []byte("own")}}, news{}); err != nil {
		t.Fatal(err)
	}
	var got []string
	files, err := p.fresh()
	for _, f := range files {
		if data, ok := p.read(f); ok {
			got = append(got, string(data))
		}
	}
	if err != nil || !reflect.DeepEqual(got, []string{"one", "two"}) {
		t.Errorf("%q, %v", got, err)
	}
	if files, err := p.fresh(); err != nil || len(files) != 0 {
		t.Errorf("again %v, %v", files, err)
	}
}

// TestAnOracleIsGroupedByState violates one oracle in three states and another
// one in one for each input, as no harness should.
func TestAnOracleIsGroupedByState(t *testing.T) {
	config := wire.Config{Seed: 1, Execs: 20000, MaxLen: 64, KeepOn: true}
	c := conduct(t, t, config, ijon.Layout{}, func(_ *testing.T, in []byte) {
		switch {
		case len(in) == 0:
			return
		case in[0] < 128:
			ijon.ViolatedIn("safety", fmt.Sprint("term ", len(in), in))
		default:
			ijon.ViolatedIn("stale read", []string{"", "joint", "removed"}[int(in[0])%3])
		}
		panic("violated")
	})
	keys := make(map[string]int)
	for _, f := range c.failures {
		keys[f.Oracle]++
		if want := f.Oracle + ", " + f.State; f.Fault != wire.Violated || f.Key != want && f.Key != f.Oracle {
			t.Errorf("%+v", f)
		}
	}
	if keys["stale read"] != 3 || keys["safety"] != maxWays {
		t.Errorf("%v", keys)
	}
	if got := c.last.Muted; len(got) != 1 || got[0] != "states of safety" {
		t.Errorf("muted %v", got)
	}
}

// TestAGuidedSearchBeginsWithShortRuns: no random run is more than a small part
// of the cost before it. Random search has all lengths from the start.
func TestAGuidedSearchBeginsWithShortRuns(t *testing.T) {
	s := &search{sizes: []int{100, 200, 400}}
	for _, test := range []struct {
		total          float64
		guided, random uint
	}{{0, 1, 7}, {200*shareOfLength - 1, 1, 7}, {200 * shareOfLength, 3, 7}, {400 * shareOfLength, 7, 7}} {
		s.total, s.guides = test.total, channels{cells: true}
		if got := s.affordable(); got != test.guided {
			t.Errorf("guided, at a cost of %v: %b, want %b", test.total, got, test.guided)
		}
		s.guides = channels{}
		if got := s.affordable(); got != test.random {
			t.Errorf("random, at a cost of %v: %b, want %b", test.total, got, test.random)
		}
	}
}
