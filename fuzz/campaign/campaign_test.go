package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// config is a campaign of a target that behaves in some way: one worker and a
// bounded number of runs.
func config(t *testing.T, how string) (Config, *news) {
	t.Helper()
	t.Setenv(behaviour, how)
	n := new(news)
	return Config{
		Target: Target{Binary: os.Args[0], Dir: t.TempDir(), Name: "FuzzTarget"},
		Folder: open(t, t.TempDir()),
		Execs:  5000, Seed: 1, Workers: 1, Timeout: 30 * time.Second,
		Logf: n.add,
	}, n
}

var info = Info{Target: "FuzzTarget", Package: "example.com/p"}

func open(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := Open(dir, "", info)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// news is what a campaign logs.
type news struct {
	sync.Mutex
	text strings.Builder
}

func (n *news) add(format string, args ...any) {
	n.Lock()
	defer n.Unlock()
	fmt.Fprintf(&n.text, format+"\n", args...)
}

func (n *news) String() string {
	n.Lock()
	defer n.Unlock()
	return n.text.String()
}

func (n *news) reset() {
	n.Lock()
	defer n.Unlock()
	n.text.Reset()
}

func mustRun(t *testing.T, c Config) *Result {
	t.Helper()
	r, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s is\n%s\nwithout %q", what, text, part)
		}
	}
}

func TestNothingFound(t *testing.T) {
	c, _ := config(t, "")
	r := mustRun(t, c)
	if len(r.Found) != 0 || r.Runs != c.Execs || r.Corpus == 0 {
		t.Errorf("found %v in %d runs, corpus %d", r.Found, r.Runs, r.Corpus)
	}
	if want := (Best{"max", "term", "5000"}); len(r.Best) != 1 || r.Best[0] != want {
		t.Errorf("best = %v, want %v", r.Best, want)
	}
}

func TestRunsAreDivided(t *testing.T) {
	c, _ := config(t, "")
	c.Workers, c.Execs = 3, 1000
	if r := mustRun(t, c); r.Runs != c.Execs {
		t.Errorf("%d runs, want %d", r.Runs, c.Execs)
	}
	c.Workers, c.Execs, c.Folder = 4, 2, open(t, t.TempDir())
	if r := mustRun(t, c); r.Runs < c.Execs || r.Workers != 0 {
		t.Errorf("%d runs, want %d", r.Runs, c.Execs)
	}
}

// What keeps a target from being fuzzed at all is an error that says what it
// is and shows what the target printed.
func TestTargetThatCannotBeFuzzed(t *testing.T) {
	for how, want := range map[string][]string{
		"panics in init":         {"panicked before FuzzTarget called f.Fuzz", "panic: no configuration"},
		"exits in init":          {"ended before FuzzTarget called f.Fuzz", "exit status 3", "usage: something else"},
		"ends at once":           {"does TestMain call m.Run"},
		"has no fuzz function":   {"no fuzz function FuzzTarget"},
		"writes on descriptor 3": {"descriptor 3, which belongs to the campaign"},
	} {
		t.Run(how, func(t *testing.T) {
			c, _ := config(t, how)
			_, err := Run(context.Background(), c)
			if err == nil {
				t.Fatal("no error")
			}
			contains(t, "error", err.Error(), want...)
		})
	}
}

func TestTargetThatHangsBeforeItIsFuzzed(t *testing.T) {
	c, _ := config(t, "hangs in init")
	c.Timeout = 20 * time.Millisecond
	_, err := Run(context.Background(), c)
	if err == nil {
		t.Fatal("no error")
	}
	contains(t, "error", err.Error(), "hangs before FuzzTarget calls f.Fuzz (no answer in 120ms)")
}

func TestTargetThatDiesBeforeItsFirstRun(t *testing.T) {
	c, _ := config(t, "dies before its first run")
	_, err := Run(context.Background(), c)
	if err == nil {
		t.Fatal("no error")
	}
	contains(t, "error", err.Error(), "3 processes in a row died before they ran anything (signal: killed)")
}

// Every way to fail is recorded, minimised and found again by its key.
func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		how, key string
		fault    wire.Fault
		text     string
	}{
		{"fails", "Leader completeness!", wire.Violated, "entry 3 is gone"},
		{"panics elsewhere", "panic: bad term N at github.com/ijongo/ijongo/fuzz/campaign.", wire.Crash, "panic: bad term 1\n"},
		{"exits", "exit status 7", wire.Exit, "last words"},
		{"is killed", "signal: killed", wire.Crash, "signal: killed"},
	} {
		t.Run(tt.how, func(t *testing.T) {
			c, _ := config(t, tt.how)
			c.Testdata = filepath.Join(t.TempDir(), "testdata", "fuzz", "FuzzTarget")
			r := mustRun(t, c)
			if len(r.Found) != 1 {
				t.Fatalf("%d failures, want 1", len(r.Found))
			}
			f := r.Found[0]
			if string(f.Input) != "X" || f.Fault != tt.fault || f.Flaky() || f.Size != 1 || f.Found != 8 {
				t.Errorf("failure %+v", f)
			}
			contains(t, "key", f.Key, strings.TrimSuffix(tt.key, "."))
			contains(t, "text", f.Text, tt.text)
			saved, err := LoadFailures(c.Folder.Dir)
			if err != nil || len(saved) != 1 || saved[0].Key != f.Key || string(saved[0].Input) != "X" {
				t.Errorf("saved %v, %v", saved, err)
			}
			if tt.fault == wire.Violated && strings.Join(saved[0].Timeline, " ") != "X" {
				t.Errorf("timeline %q, want that of the minimised input", saved[0].Timeline)
			}
			goFile, err := os.ReadFile(filepath.Join(c.Testdata, f.Name))
			if err != nil || string(goFile) != "go test fuzz v1\n[]byte(\"X\")\n" {
				t.Errorf("Go corpus file %q, %v", goFile, err)
			}
			noSuspects(t, c.Folder.Dir)
		})
	}
}

func noSuspects(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, "suspects", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("suspects %v, %v; want none", left, err)
	}
}

func TestHang(t *testing.T) {
	c, _ := config(t, "hangs")
	c.Timeout = 200 * time.Millisecond
	r := mustRun(t, c)
	if len(r.Found) != 1 || r.Found[0].Fault != wire.Hang {
		t.Fatalf("found %v, want a hang", r.Found)
	}
	contains(t, "text", r.Found[0].Text, "longer than 400ms", "goroutine N [sleep", "target_test.go")
}

// A run that is slow under load but not alone, and a process that somebody
// kills, are news and not failures.
func TestWhatIsNoFailure(t *testing.T) {
	for how, want := range map[string]string{
		"is slow once":           "slower than 200ms but not when it ran alone",
		"is killed from outside": "killed from outside",
		"is killed now and then": "killed from outside",
	} {
		t.Run(how, func(t *testing.T) {
			c, n := config(t, how)
			c.Timeout, c.Execs = 200*time.Millisecond, 20
			r := mustRun(t, c)
			if len(r.Found) != 0 {
				t.Fatalf("found %v, want nothing", r.Found[0])
			}
			contains(t, "news", n.text.String(), want, filepath.Join(c.Folder.Dir, "suspects"))
			if r.Runs < c.Execs {
				t.Errorf("%d runs, want %d", r.Runs, c.Execs)
			}
		})
	}
}

// A failure that does not happen again is recorded with its rate.
func TestFlakyFailures(t *testing.T) {
	for how, rate := range map[string]string{
		"fails in the search only": "0 of 20",
		"fails every other time":   "10 of 20",
		"dies between runs":        "0 of 20",
	} {
		t.Run(how, func(t *testing.T) {
			c, _ := config(t, how)
			r := mustRun(t, c)
			if len(r.Found) != 1 || r.Found[0].Rate() != rate {
				t.Fatalf("found %v, want rate %s", r.Found, rate)
			}
		})
	}
}

func TestKeepGoing(t *testing.T) {
	c, _ := config(t, "fails twice")
	c.KeepGoing = true
	r := mustRun(t, c)
	if len(r.Found) != 2 || r.Runs != c.Execs {
		t.Fatalf("%d failures in %d runs, want 2 in %d", len(r.Found), r.Runs, c.Execs)
	}
	for _, f := range r.Found {
		if f.Size != 1 {
			t.Errorf("%s is not minimised: %q", f.Name, f.Input)
		}
	}
}

func TestKeepGoingAfterCrashes(t *testing.T) {
	c, _ := config(t, "panics elsewhere")
	c.KeepGoing, c.Execs = true, 100
	r := mustRun(t, c)
	if len(r.Found) != 1 || r.Restarts < 2 || r.Runs < c.Execs {
		t.Fatalf("%d failures, %d restarts, %d runs", len(r.Found), r.Restarts, r.Runs)
	}
	noSuspects(t, c.Folder.Dir)
}

// A seed that kills its process is set aside, so that the next process lives.
func TestSeedThatKills(t *testing.T) {
	c, _ := config(t, "dies of its seed")
	c.KeepGoing, c.Execs = true, 100
	r := mustRun(t, c)
	if len(r.Found) != 1 || r.Restarts != 1 || r.Runs < c.Execs {
		t.Fatalf("%d failures, %d restarts, %d runs", len(r.Found), r.Restarts, r.Runs)
	}
}

func TestSameSeedSameCorpusAndFailures(t *testing.T) {
	var trees []string
	for range 2 {
		c, _ := config(t, "panics elsewhere")
		c.KeepGoing, c.Execs = true, 60
		mustRun(t, c)
		trees = append(trees, tree(t, filepath.Join(c.Folder.Dir, "w0"))+tree(t, filepath.Join(c.Folder.Dir, "failures")))
	}
	if trees[0] != trees[1] {
		t.Errorf("two equal campaigns differ:\n%s\n%s", trees[0], trees[1])
	}
}

func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "%s %x\n", rel, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCorruptCorpusFile(t *testing.T) {
	c, n := config(t, "")
	queue, err := corpus.OpenQueue(c.Folder.Dir, "w0")
	if err != nil {
		t.Fatal(err)
	}
	good, err := queue.Add([]byte("good"))
	if err != nil {
		t.Fatal(err)
	}
	bad := good.Path
	if err := os.WriteFile(bad, []byte("rotten"), 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, c)
	contains(t, "news", n.text.String(), bad+": the content does not match the name", "goes on without it")
	if data, err := os.ReadFile(bad); err != nil || string(data) != "rotten" {
		t.Errorf("the bad file is now %q, %v", data, err)
	}
}

func TestFolderErrors(t *testing.T) {
	for _, tt := range []struct{ what, info, want string }{
		{"of another target", `{"Format": 1, "Target": "FuzzOther", "Package": "example.com/q"}`, "campaign of FuzzOther in example.com/q (use another -dir)"},
		{"of a newer format", `{"Format": 99}`, "format 99, this ijongo reads 1"},
		{"garbage", `{"Form`, "campaign.json: unexpected end of JSON input (restore it, or delete it"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "campaign.json"), []byte(tt.info), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Open(dir, "", info)
			if err == nil {
				t.Fatal("no error")
			}
			contains(t, "error", err.Error(), tt.want)
		})
	}
}

func TestFolderIsLocked(t *testing.T) {
	dir := t.TempDir()
	f, err := Open(dir, "", info)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, "", info); !errors.Is(err, ErrLocked) {
		t.Errorf("err = %v, want ErrLocked", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
}

func TestInterrupt(t *testing.T) {
	c, _ := config(t, "")
	c.Execs = 0
	ctx, cancel := context.WithCancel(context.Background())
	c.Progress = func(p Progress) {
		if p.Runs > 0 {
			cancel()
		}
	}
	r, err := Run(ctx, c)
	if err != nil || !r.Interrupted {
		t.Fatalf("interrupted %v, %v", r.Interrupted, err)
	}
	if n, bad, err := c.Folder.inspect(); n != r.Corpus || len(bad) > 0 || err != nil {
		t.Errorf("%d entries on disk, %d counted, bad %v, %v", n, r.Corpus, bad, err)
	}
}

// A campaign killed at any moment leaves a folder that the next one resumes,
// and no target behind.
func TestKilledCampaign(t *testing.T) {
	c, n := config(t, "")
	if err := c.Folder.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestCampaignToKill$")
	cmd.Env = append(os.Environ(), "IJONGO_TEST_KILL="+c.Folder.Dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dir := corpus.QueueDir(c.Folder.Dir, "w0")
	for len(files(dir)) < 50 {
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // it was killed
	for before := -1; before != len(files(dir)); time.Sleep(50 * time.Millisecond) {
		before = len(files(dir)) // until no target adds to it any more
	}
	kept := len(files(dir))
	c.Folder = open(t, c.Folder.Dir)
	r := mustRun(t, c)
	contains(t, "news", n.text.String(), fmt.Sprintf("resuming: %d corpus entries", kept))
	if r.Corpus < kept {
		t.Errorf("corpus %d, was %d", r.Corpus, kept)
	}
}

func files(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "id:*")) // the pattern is good
	return names
}

// TestCampaignToKill is the campaign of TestKilledCampaign.
func TestCampaignToKill(t *testing.T) {
	dir := os.Getenv("IJONGO_TEST_KILL")
	if dir == "" {
		t.Skip("helper of TestKilledCampaign")
	}
	c, _ := config(t, "")
	c.Folder, c.Execs = open(t, dir), 0
	mustRun(t, c)
}

func TestRunnerTimeline(t *testing.T) {
	r := runner(t, "fails")
	o, err := r.Run(context.Background(), []byte("AXB"), true)
	if err != nil || o.Key != "Leader completeness!" || strings.Join(o.Timeline, " ") != "A X B" {
		t.Errorf("outcome %+v, %v", o, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Run(ctx, nil, false); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want canceled", err)
	}
}

// A process that dies takes its timeline along; up to the event before, it is
// played again.
func TestTimelineOfDeath(t *testing.T) {
	r := runner(t, "exits")
	o, err := Replay(context.Background(), r, []byte("ABCDXEF"), &wire.Description{Layout: wire.Layout{Record: 1}})
	if err != nil || o.Fault != wire.Exit || strings.Join(o.Timeline, " ") != "A B C D" {
		t.Errorf("outcome %+v, %v", o, err)
	}
}

func TestRate(t *testing.T) {
	r := runner(t, "fails every other time")
	hits, first, err := Rate(context.Background(), r, []byte("X"), "", 10)
	if err != nil || hits != 5 || first.Key != "coin" {
		t.Errorf("%d of 10, %+v, %v", hits, first, err)
	}
}

func runner(t *testing.T, how string) *Runner {
	t.Helper()
	c, _ := config(t, how)
	r := NewRunner(c.Target, time.Minute)
	t.Cleanup(r.Fresh)
	return r
}
