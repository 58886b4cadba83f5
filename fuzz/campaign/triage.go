package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// How often a suspect is run again. A run that ends its process costs a new
// process each time, so its first few runs decide whether it is worth more.
const (
	confirmRuns  = 20
	confirmFirst = 3
)

// A suspect is a failing run of the search.
type suspect struct {
	wire.Outcome
	died    bool        // it ended its process
	invited bool        // it does not come from this search; the key says why it is here
	keep    bool        // it stays among the suspects if it does no harm alone
	causes  []ijon.ID   // of one that died: others have been credited by their process
	verdict chan<- bool // may be nil
}

// tell lets the worker that waits for the verdict go on, or end.
func (s suspect) tell(stop bool) {
	if s.verdict != nil {
		select {
		case s.verdict <- stop:
		default: // it has been told
		}
	}
}

// A verdict is what came of a suspect: a recorded failure, first as it was
// found and then minimised, or a note that it did no harm.
type verdict struct {
	suspect   suspect
	failure   *Failure
	minimised bool
	note      string
	err       error
	last      bool // nothing more comes of this suspect
}

// A triage judges suspects, one after the other.
type triage struct {
	Config
	desc   *wire.Description
	known  map[string]*Failure // of earlier campaigns, by key
	found  map[string]bool     // keys of this one
	runner *Runner
	in     chan suspect
	out    chan verdict
	ended  chan struct{}
}

func newTriage(c Config, d *wire.Description) (*triage, error) {
	failures, err := LoadFailures(c.Folder.Dir)
	if err != nil {
		return nil, err
	}
	t := &triage{
		Config: c, desc: d, runner: NewRunner(c.Target, 2*c.Timeout),
		known: make(map[string]*Failure), found: make(map[string]bool), in: make(chan suspect), out: make(chan verdict), ended: make(chan struct{}),
	}
	for _, f := range failures {
		t.known[f.Key] = f
	}
	return t, nil
}

// work judges until close.
func (t *triage) work(ctx context.Context) {
	defer close(t.ended)
	for s := range t.in {
		f, note, err := t.judge(ctx, s)
		if f == nil || err != nil {
			t.out <- verdict{suspect: s, note: note, err: err, last: true}
			continue
		}
		found := *f // minimising goes on with a copy of its own
		t.out <- verdict{suspect: s, failure: &found}
		err = t.minimise(ctx, f)
		t.out <- verdict{suspect: s, failure: f, minimised: true, err: err, last: true}
	}
}

func (t *triage) close() {
	close(t.in)
	<-t.ended
	t.runner.Fresh()
}

// judge runs the suspect again, in a process that has run nothing else, and
// records what it finds.
func (t *triage) judge(ctx context.Context, s suspect) (*Failure, string, error) {
	if s.invited && s.Fault == wire.Hang && t.found[hangKey] {
		return nil, "", nil
	}
	t.runner.Fresh()
	o, hits, runs, err := t.confirm(ctx, s)
	if errors.Is(err, errBusy) {
		return nil, fmt.Sprintf("%s; the next campaign judges %s (%s)", err, corpus.Name(s.Input), s.Key), err
	}
	if err != nil {
		return nil, "", err
	}
	if s.invited && t.found[o.Key] {
		return nil, "", t.release(o.Fault, s.Input) // one of many that fail like this
	}
	if killed(o) && hits < runs {
		hits = 0 // whoever ended the search may have ended these runs too
	}
	if hits == 0 && s.invited {
		note, err := t.harmless(s, runs)
		return nil, note, err
	}
	if hits == 0 && (s.Fault == wire.Hang || s.Fault == wire.Memory || killed(s.Outcome)) {
		return nil, t.acquit(s), nil
	}
	f := t.failure(o, s.Input, hits, runs)
	if err := t.prefer(ctx, f); err != nil {
		return nil, "", err
	}
	t.found[f.Key] = true
	return f, "", t.record(f, s)
}

// prefer takes the input of an earlier campaign if it is smaller and still
// does it.
func (t *triage) prefer(ctx context.Context, f *Failure) error {
	old := t.known[f.Key]
	if old == nil || len(old.Input) > len(f.Input) || old.Hits*f.Runs < f.Hits*old.Runs {
		return nil
	}
	o, err := t.runner.Run(ctx, old.Input, false)
	if err != nil || o.Fault == wire.OK || o.Key != f.Key {
		return err
	}
	f.Input, f.Original, f.Size, f.Found = old.Input, old.Original, old.Size, old.Found
	f.Hits, f.Runs, f.Text = old.Hits, old.Runs, o.Text
	return nil
}

// acquit says why the end of a process is not held against its input.
func (t *triage) acquit(s suspect) string {
	file := filepath.Join(t.Folder.suspects(), corpus.Name(s.Input))
	if s.Fault == wire.Hang {
		return fmt.Sprintf("a run was slower than %v but not when it ran alone; no failure, the input is %s", t.Timeout, file)
	}
	if s.Fault == wire.Memory {
		return fmt.Sprintf("a target ran out of memory, but not when its run ran alone: earlier runs keep memory; no failure, the input is %s", file)
	}
	return fmt.Sprintf("a target was killed from outside (is the memory short?): its run does not end it when it runs alone; no failure, the input is %s", file)
}

// killed tells whether somebody else may have ended the process.
func killed(o wire.Outcome) bool {
	return o.Fault == wire.Crash && (o.Key == "signal: killed" || o.Key == "signal: terminated")
}

// confirm counts how often the suspect fails in the same way. If it never
// does but fails in another, that other way is taken.
func (t *triage) confirm(ctx context.Context, s suspect) (o wire.Outcome, hits, runs int, err error) {
	o = s.Outcome
	limit := confirmRuns
	if s.Fault == wire.Hang {
		limit = 1
	}
	for runs < limit {
		again, err := t.runner.Run(ctx, s.Input, false)
		if err != nil && (!errors.Is(err, errBusy) || s.invited) {
			return o, hits, runs, err
		}
		if runs++; again.Fault != wire.OK && again.Fault != wire.Hang {
			limit = confirmRuns // too slow for somebody, but another thing here
		}
		if again.Fault != wire.OK && hits == 0 && again.Key != o.Key && runs == 1 {
			o = again
		}
		if again.Fault != wire.OK && again.Key == o.Key {
			hits++
			o = again
		}
		if s.invited && t.found[o.Key] {
			break
		}
		if s.died && (!s.invited || deadly(o.Fault)) && runs == confirmFirst && hits == runs {
			break
		}
	}
	o.Input = s.Input
	return o, hits, runs, nil
}

func (t *triage) failure(o wire.Outcome, input []byte, hits, runs int) *Failure {
	n := size(input, t.desc)
	return &Failure{
		Name: nameOf(o.Key), Key: o.Key, Oracle: o.Oracle, State: o.State, Fault: o.Fault, Hits: hits, Runs: runs,
		Size: n, Found: n, Events: t.desc.Record > 0, Text: o.Text, Input: input, Original: input,
		Known: t.known[o.Key] != nil, InCopy: o.Oracle != "" && annotated(o.Oracle, t.desc),
	}
}

// record writes the failure of a suspect.
func (t *triage) record(f *Failure, s suspect) error {
	if err := t.write(f); err != nil {
		return err
	}
	if s.died {
		return t.release(f.Fault, s.Input)
	}
	return nil
}

// release is what becomes of the input of a process that died, when its
// failure has been recorded. One that fails without ending its process may
// have been in the corpus, and another did the killing: it takes its place
// again.
func (t *triage) release(fault wire.Fault, input []byte) error {
	if !deadly(fault) {
		if err := t.Folder.restore(input); err != nil {
			return err
		}
	}
	return t.Folder.cleared(input)
}

func (t *triage) write(f *Failure) error {
	if err := f.save(t.Folder.failures(), t.desc); err != nil {
		return t.rescue(f, err)
	}
	if t.Testdata == "" || f.Fault == wire.Memory { // plain go test would have no limit
		return nil
	}
	if err := f.publish(t.Testdata, t.desc); err != nil {
		return fmt.Errorf("%w (the failure is in %s)", err, f.Dir)
	}
	return nil
}

// rescue puts the input of a failure that cannot be recorded somewhere else.
func (t *triage) rescue(f *Failure, err error) error {
	name, _, other := corpus.Add(os.TempDir(), f.Input)
	if other != nil {
		return fmt.Errorf("%w, and the input that violates %q cannot be saved elsewhere: %w", err, f.Key, other)
	}
	return fmt.Errorf("%w; the input that violates %q is in %s", err, f.Key, filepath.Join(os.TempDir(), name))
}

// minimise makes the input of a recorded failure smaller and records that,
// with what happens in its run.
func (t *triage) minimise(ctx context.Context, f *Failure) error {
	smaller, err := Minimize(ctx, t.runner, f, t.desc)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	f.Input, f.Size = smaller, size(smaller, t.desc)
	if err == nil {
		err = t.follow(ctx, f)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return t.write(f)
}

// follow takes down the timeline of a run that fails with the key of f. There
// is none of a hang, each run of which takes as long as the timeout, and of a
// failure that no longer happens.
func (t *triage) follow(ctx context.Context, f *Failure) error {
	if !f.Shrinks() {
		return nil
	}
	for range triesFor(f.Hits, f.Runs) {
		o, err := Replay(ctx, t.runner, f.Input, t.desc)
		if err != nil {
			return err
		}
		if o.Fault != wire.OK && o.Key == f.Key {
			f.Timeline = o.Timeline
			return nil
		}
	}
	return nil
}
