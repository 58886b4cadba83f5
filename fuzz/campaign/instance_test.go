package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/fuzz/campaign/afl"
	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// The test binary is also its own afl-fuzz: one that finds at once what the
// variable says, such as "crash Xabc, hang Yx", and then ends, or waits to be
// told to.
const finds = "IJONGO_TEST_AFL_FINDS"

func beAFL(what string) {
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, syscall.SIGINT, syscall.SIGTERM)
	args := make(map[string]string)
	for i := 1; i+1 < len(os.Args) && os.Args[i] != "--"; i += 2 {
		args[os.Args[i]] = os.Args[i+1]
	}
	dir := filepath.Join(args["-o"], args["-M"]+args["-S"])
	for kind, to := range map[string]string{"queue": "queue", "crash": "crashes", "hang": "hangs"} {
		to = filepath.Join(dir, to)
		if args["-i"] != "-" || kind != "queue" { // as afl-fuzz does, who would lose what is in it
			must(os.RemoveAll(to))
		}
		must(os.MkdirAll(to, 0o700))
		n := 0
		for _, f := range strings.Split(what, ", ") {
			if input, ok := strings.CutPrefix(f, kind+" "); ok {
				must(os.WriteFile(filepath.Join(to, fmt.Sprintf("id:%06d,sig:06,src:000000,op:havoc", n)), []byte(input), 0o600))
				n++
			}
		}
	}
	stats := "execs_done : 1000\nedges_found : 9\nstability : 98.50%\nafl_version : ++9.99z\ncommand_line : x\n"
	must(os.WriteFile(filepath.Join(dir, "fuzzer_stats"), []byte(stats), 0o600))
	if !strings.Contains(what, "ends") {
		<-stopped
	}
	os.Exit(0)
}

func must(err error) {
	if err != nil {
		fmt.Println("[-] PROGRAM ABORT :", err)
		os.Exit(1)
	}
}

// aflConfig is a campaign with that afl-fuzz, of a target that behaves in some way.
func aflConfig(t *testing.T, how, found string) (Config, *news) {
	c, n := config(t, how)
	t.Setenv(finds, found)
	c.AFL = &AFL{Tool: &afl.Tool{Command: []string{os.Args[0]}, Version: "9.99z"}}
	return c, n
}

func TestWhatAFLFindsIsJudged(t *testing.T) {
	c, _ := aflConfig(t, "knows words", "queue good, crash ABOOMB")
	c.Execs, c.Testdata = 0, filepath.Join(t.TempDir(), "testdata")
	r := mustRun(t, c)
	if len(r.Found) != 1 || r.Found[0].Key != "boom" || string(r.Found[0].Input) != "BOOM" || string(r.Found[0].Original) != "ABOOMB" || r.Found[0].Runs != confirmRuns {
		t.Fatalf("found %+v", r.Found)
	}
	if _, err := os.Stat(r.Found[0].GoFile); err != nil {
		t.Error(err)
	}
	p := r.Progress
	if p.AFL == nil || p.AFL.Stability != 0.985 || p.AFL.Crashes != 1 || p.Edges != 9 || p.Corpus != 1 || p.Runs != 1000 {
		t.Errorf("%+v, %+v", p, p.AFL)
	}
	contains(t, "progress", p.String(), ", stability: 98.50 %, crashes: 1, hangs: 0, failures: 1")
}

// What is found last is judged too, though afl-fuzz has ended; equal failures
// are one, and what does no harm stays a suspect.
func TestTheLastFindsOfAFL(t *testing.T) {
	c, n := aflConfig(t, "knows words", "crash BOOM, crash harmless, crash ABOOM, crash BANG, ends")
	c.KeepGoing = true
	r := mustRun(t, c)
	var keys []string
	for _, f := range r.Found {
		keys = append(keys, f.Key)
	}
	slices.Sort(keys)
	if !slices.Equal(keys, []string{"bang", "boom"}) {
		t.Errorf("found %q", keys)
	}
	name := corpus.Name([]byte("harmless"))
	contains(t, "news", n.String(), "AFL says that it crashes, and it does not in 20 runs alone; no failure, the input is", name, "afl-fuzz afl0 has ended by itself")
	aside, err := os.ReadDir(c.Folder.suspects())
	if err != nil || len(aside) != 1 || aside[0].Name() != name {
		t.Errorf("suspects %v, %v", aside, err)
	}
	// None of them is judged again.
	n.reset()
	c.Folder.Close()
	c.Folder = open(t, c.Folder.Dir)
	t.Setenv(finds, "ends")
	if r := mustRun(t, c); len(r.Found) != 0 || strings.Contains(n.String(), "AFL says") {
		t.Errorf("judged again: %v, %s", r.Found, n.String())
	}
}

// A campaign that is killed before it has judged leaves that to the next one,
// whatever afl-fuzz does to its folders when it starts again.
func TestWhatAKilledCampaignLeftOfAFL(t *testing.T) {
	c, _ := aflConfig(t, "knows words", "ends")
	crashes := filepath.Join(c.Folder.Dir, "afl0", "crashes")
	for _, dir := range []string{crashes, filepath.Join(c.Folder.Dir, "afl0", "queue")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(crashes, "id:000000,sig:06"), []byte("BOOM"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := mustRun(t, c); len(r.Found) != 1 {
		t.Errorf("found %v", r.Found)
	}
}

// A hang is one if it takes too long alone.
func TestHangsOfAFL(t *testing.T) {
	c, n := aflConfig(t, "knows words", "hang harmless, hang HANGS, hang HANG, ends")
	c.KeepGoing, c.Timeout = true, 200*time.Millisecond
	r := mustRun(t, c)
	if len(r.Found) != 1 || r.Found[0].Fault != wire.Hang || string(r.Found[0].Input) != "HANGS" {
		t.Errorf("found %+v", r.Found)
	}
	contains(t, "news", n.String(), "AFL says that it hangs, and it does not in 1 run alone; no failure")
}

// A seed that fails is a failure, and nothing for afl-fuzz to begin with.
func TestASeedThatFailsAFL(t *testing.T) {
	c, _ := aflConfig(t, "dies of its seed", "ends")
	r := mustRun(t, c)
	if len(r.Found) != 1 || string(r.Found[0].Original) != "seed" {
		t.Errorf("found %+v", r.Found)
	}
	begin, _, err := corpus.Load(c.Folder.begin())
	if err != nil || len(begin) != randomLengths*randomEach {
		t.Errorf("%d inputs to begin with, %v", len(begin), err)
	}
	for _, e := range begin {
		if string(e.Data) == "seed" {
			t.Error("the seed is among them")
		}
	}
}

// An interrupt ends it in order.
func TestAFLIsInterrupted(t *testing.T) {
	c, _ := aflConfig(t, "", "queue good")
	c.Execs, c.Workers = 0, 2
	ctx, cancel := context.WithCancel(context.Background())
	c.Progress = func(p Progress) {
		if p.Corpus > 0 {
			cancel()
		}
	}
	begin := time.Now()
	r, err := Run(ctx, c)
	if err != nil || !r.Interrupted || r.Workers != 0 || time.Since(begin) > aflGrace {
		t.Errorf("%+v, %v after %v", r, err, time.Since(begin))
	}
}

// The limit of runs holds, whatever afl-fuzz itself makes of it.
func TestAFLEndsAtItsLimit(t *testing.T) {
	c, _ := aflConfig(t, "", "queue good")
	c.Execs, c.Workers = 2000, 2
	if r := mustRun(t, c); r.Runs != 2000 || r.Interrupted {
		t.Errorf("%d runs, interrupted %v", r.Runs, r.Interrupted)
	}
}

// What the instances keep is run once more, to know what it covers.
func TestCoverageOfAFL(t *testing.T) {
	c, _ := aflConfig(t, "", "queue Zebra, queue Zoo, queue Yak, ends")
	r := mustRun(t, c)
	if r.Bins != 2 {
		t.Errorf("%d bins", r.Bins)
	}
	p, err := cover.Read(c.Folder.coverage())
	if err != nil {
		t.Fatal(err)
	}
	hits := make(map[string]uint64)
	for _, b := range p.Items[0].Bins {
		if b.Hits > 0 {
			hits[b.Name] = b.Hits
			if data, err := os.ReadFile(filepath.Join(c.Folder.firstInputs(), b.First)); err != nil || string(data[:1]) != b.Name {
				t.Errorf("first input of %s: %q, %v", b.Name, data, err)
			}
		}
	}
	if p.Runs != 3 || len(hits) != 2 || hits["Z"] != 2 || hits["Y"] != 1 {
		t.Errorf("%d runs, hits %v", p.Runs, hits)
	}
	// The next one counts on.
	c.Folder.Close()
	c.Folder = open(t, c.Folder.Dir)
	t.Setenv(finds, "queue Xerus, ends")
	if r := mustRun(t, c); r.Bins != 3 {
		t.Errorf("%d bins", r.Bins)
	}
}

// What another version of afl-fuzz has noted beside its queue is removed, and
// only that.
func TestAnotherVersionOfAFLGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "afl0")
	entry, state := filepath.Join(dir, "queue", "id:000000,orig:seed"), filepath.Join(dir, "queue", ".state", "variable")
	for _, d := range []string{state, filepath.Join(dir, "hangs")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{entry: "seed", filepath.Join(dir, "fuzzer_stats"): "afl_version : ++5.02c\ncommand_line : x\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		version string
		gone    bool
	}{{"5.02c", false}, {"4.04c", true}} {
		if goesOn, err := prepareInstance(dir, c.version); !goesOn || err != nil {
			t.Errorf("%s: goes on %v, %v", c.version, goesOn, err)
		}
		if _, err := os.Stat(state); errors.Is(err, os.ErrNotExist) != c.gone {
			t.Errorf("%s: %v", c.version, err)
		}
		if _, err := os.Stat(entry); err != nil {
			t.Error(err)
		}
	}
}
