package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// Config is what to search and how.
type Config struct {
	Target    Target
	Folder    *Folder       // where it is kept
	Testdata  string        // folder for failing inputs in go test's format, "" for none
	Time      time.Duration // of the search; 0 is no limit
	Execs     uint64        // runs of all workers together; 0 is no limit
	Events    uint64        // schedule records that they play together, each to the end of a run; 0 is no limit
	Length    int           // of random inputs, in events or bytes; 0 is self-tuned
	Seed      uint64
	Workers   int
	Feedback  []string      // channels out of edges, set, max, bins, archive, and pairs; for AFL those of package runtime/afl, nil for what the target thinks best
	Goal      string        // objective, "" for everything
	Edges     []*cover.Edge // what the target's counters count; nil to leave them out of the coverage
	Timeout   time.Duration // of one run; 0 is none
	KeepGoing bool          // go on after a failure
	AFL       *AFL          // what searches in place of the target's own engine; nil for that

	Unmuted     bool // annotations that are new in most runs guide as well, as elsewhere
	NoSnapshots bool // play every run from its beginning, also where the harness can load a state

	// What to tell the user; each may be nil.
	Heard     func(wire.Message)       // a worker has said something; Spent is that of all its processes
	Progress  func(Progress)           // about once a second and at the end
	Failed    func(*Failure)           // a failure has been recorded
	Minimized func(*Failure)           // and then minimised
	Logf      func(f string, a ...any) // other news
}

// Result is how a campaign ended.
type Result struct {
	Progress
	Why         *Why       // nil with AFL
	Found       []*Failure // in the order in which they were found
	Interrupted bool
}

// DefaultTimeout is the timeout of a run when the user has named none.
const DefaultTimeout = 10 * time.Second

// DefaultMemLimit is the memory of a process when the user has said nothing.
const DefaultMemLimit = 2 << 30

// Run is a whole campaign, from the seeds to the minimised failure. An end
// of ctx is an orderly stop. An error means that the search could not go on;
// what it had found until then is in the folder and in the result.
func Run(ctx context.Context, c Config) (*Result, error) {
	c.fill()
	d, err := Describe(ctx, c.Target, c.Timeout)
	if err != nil {
		return nil, err
	}
	if err := c.checkGoal(d); err != nil {
		return nil, err
	}
	if err := c.Folder.describe(); err != nil {
		return nil, err
	}
	if err := c.seed(d); err != nil {
		return nil, err
	}
	stats, err := openLog(c.Folder.statistics())
	if err != nil {
		return nil, err
	}
	defer stats.Close()
	covered, err := newCoverage(c, d)
	if err != nil {
		return nil, err
	}
	s, err := newSearch(c, d, stats, covered)
	if err != nil {
		return nil, errors.Join(err, covered.close())
	}
	r, err := s.run(ctx)
	return r, errors.Join(err, covered.close())
}

func (c *Config) fill() {
	c.Workers = max(1, c.Workers)
	for _, limit := range []uint64{c.Execs, c.Events} {
		if limit > 0 {
			c.Workers = int(min(uint64(c.Workers), limit))
		}
	}
	if c.Logf == nil {
		c.Logf = func(string, ...any) {}
	}
	if c.Heard == nil {
		c.Heard = func(wire.Message) {}
	}
	if c.Progress == nil {
		c.Progress = func(Progress) {}
	}
	if c.Failed == nil {
		c.Failed = func(*Failure) {}
	}
	if c.Minimized == nil {
		c.Minimized = func(*Failure) {}
	}
}

// checkGoal is an error when nothing in the target has the goal.
func (c *Config) checkGoal(d *wire.Description) error {
	known := make(map[string]bool)
	for _, a := range d.Annotations {
		known[a.Goal] = true
	}
	for _, i := range d.Items {
		known[i.Goal] = true
	}
	if known[c.Goal] || c.Goal == "" {
		return nil
	}
	delete(known, "")
	if len(known) == 0 {
		return fmt.Errorf("goal %s: no annotation has a goal (give some the clause goal %s)", c.Goal, c.Goal)
	}
	return fmt.Errorf("goal %s: no annotation has it (there are %s)", c.Goal, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
}

// seed says what is in the corpus, and adds to it what lies in corpus/ and the
// target's seeds. A seed is run by every campaign, also if it has ended a
// process of an earlier one.
func (c *Config) seed(d *wire.Description) error {
	in, err := c.Folder.intake()
	if err != nil {
		return err
	}
	bad, err := c.Folder.takeIn(in)
	if err != nil {
		return err
	}
	n, more, err := c.Folder.inspect()
	if err != nil {
		return err
	}
	for _, b := range append(bad, more...) {
		c.Logf("%v; the search goes on without it", b)
	}
	if n > 0 {
		c.Logf("resuming: %d corpus entries are run first", n)
	}
	for _, seed := range d.Seeds {
		if len(seed) > wire.MaxInput {
			return &TargetError{What: fmt.Sprintf("a seed of %d bytes: the longest input is %d", len(seed), wire.MaxInput)}
		}
		if err := in.insist(seed); err != nil {
			return err
		}
	}
	return nil
}

// openLog opens a file of lines to append to. A line that a killed campaign
// has left unfinished is ended first.
func openLog(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err == nil && end > 0 {
		last := make([]byte, 1)
		if _, err = f.ReadAt(last, end-1); err == nil && last[0] != '\n' {
			_, err = f.WriteString("\n")
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
