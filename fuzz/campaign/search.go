package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/fuzz/campaign/afl"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// Of progress, which is reported once a second, stats.jsonl gets what comes in
// the first minute, when most is found, and of the rest one line in statsEvery.
// What the annotations have brought is longer: it is written after whyFirst, then
// whenever a quarter more has come, and at the end.
const (
	statsDense = 60
	statsEvery = 5
	whyFirst   = 60
)

// An event is what a worker tells the search; one of the fields behind worker
// is set.
type event struct {
	worker  int
	stats   *wire.Stats
	afl     *afl.Stats // of an instance of AFL++, with stats
	find    *wire.Find
	covered *wire.Covered
	failure *wire.Outcome
	spent   *wire.Spent // until one of these, by all processes of the worker
	verdict chan<- bool // with a failure that ended its process: receives whether to stop
	causes  []ijon.ID   // of that failure
	ended   bool        // the process has ended, after so many runs
	runs    uint64
	again   bool  // another process follows one that was killed
	held    int64 // the process has ended because it held so many bytes; a new one follows
	over    bool  // the worker has ended
	watched *watched
	err     error
}

// A search is the workers at work. Its state belongs to the goroutine of run.
type search struct {
	Config
	desc     *wire.Description
	log      *os.File
	triage   *triage
	dock     *dock
	harmless int // inputs of the dock that are
	events   chan event
	tally    *tally
	cover    *coverage
	halt     context.CancelFunc // tells the workers to end

	watching bool          // an observer is at work
	idle     chan struct{} // closed when the instances have ended whom it observes

	queue []suspect       // to be judged
	busy  bool            // a suspect is being judged
	seen  map[string]bool // keys that have been queued
	found []*Failure
	gone  bool // ctx has ended
	lines int
	why   int   // lines at which to say next what the annotations have brought
	err   error // the first error
}

func newSearch(c Config, d *wire.Description, log *os.File, v *coverage) (*search, error) {
	t, err := newTriage(c, d)
	if err != nil {
		return nil, err
	}
	crashes, err := openDock(c.Folder)
	if err != nil {
		return nil, err
	}
	return &search{
		Config: c, desc: d, log: log, triage: t, dock: crashes, cover: v,
		events: make(chan event, 64),
		tally:  newTally(d.Annotations, c.Workers),
		seen:   make(map[string]bool),
		idle:   make(chan struct{}),
	}, nil
}

func (s *search) run(ctx context.Context) (*Result, error) {
	working, halt := context.WithCancel(ctx)
	defer halt()
	if s.Time > 0 {
		var cancel context.CancelFunc
		working, cancel = context.WithTimeout(working, s.Time)
		defer cancel()
	}
	s.halt = halt
	s.write(line{Type: "start", Start: s.start()})
	s.fail(s.hire(ctx, working))
	go s.triage.work(ctx)
	s.fail(s.invite())
	s.attend(ctx)
	s.triage.close()
	s.fail(s.dock.close())
	p, why := s.report(), s.explainWhy()
	s.fail(s.cover.save(p))
	s.write(line{Type: "end", Interrupted: ctx.Err() != nil})
	return &Result{Progress: p, Why: why, Found: s.found, Interrupted: ctx.Err() != nil}, s.explain()
}

func (s *search) start() *Start {
	return &Start{time.Now().UTC().Truncate(time.Second), s.AFL.Name(), s.Seed, s.Workers, s.Feedback, s.Goal}
}

// hire lets the workers begin, until ctx ends, and who observes them, until
// all does.
func (s *search) hire(all, ctx context.Context) error {
	if s.AFL != nil {
		if good, err := s.begin(ctx); good == 0 || err != nil {
			s.tally.alive = 0
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		s.observe(all)
	}
	for i := range s.Workers {
		run := s.worker(i)
		go func() { s.events <- event{worker: i, over: true, err: run(ctx)} }()
	}
	return nil
}

// worker is the work of one worker, until it has done its share or ctx ends.
func (s *search) worker(i int) func(ctx context.Context) error {
	runs, events := share(s.Execs, s.Workers, i), share(s.Events, s.Workers, i)
	if s.AFL != nil {
		return (&instance{search: s, index: i, quota: runs}).run
	}
	return (&worker{search: s, index: i, quota: quota{runs, events}}).run
}

// share is the part of all runs or events that worker i makes.
func share(all uint64, workers, i int) uint64 {
	n := all / uint64(workers)
	if uint64(i) < all%uint64(workers) {
		n++
	}
	return n
}

// attend listens until the workers have ended and the last suspect is judged.
func (s *search) attend(ctx context.Context) {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for s.tally.alive > 0 || s.busy || len(s.queue) > 0 || s.watching {
		s.dropKnown()
		var next chan<- suspect
		var first suspect
		if len(s.queue) > 0 && !s.busy {
			next, first = s.triage.in, s.queue[0]
		}
		select {
		case e := <-s.events:
			s.hear(e)
		case next <- first:
			s.queue, s.busy = s.queue[1:], true
		case v := <-s.triage.out:
			s.judged(v)
		case <-second.C:
			p := s.report()
			if s.cover.due() {
				s.fail(s.cover.save(p))
			}
			s.fail(s.invite())
		}
		if ctx.Err() != nil {
			s.gone = true
			s.dismiss()
		}
	}
}

func (s *search) hear(e event) {
	if e.spent != nil {
		s.Heard(wire.Message{Stats: e.stats, Covered: e.covered, Failure: e.failure, Spent: e.spent})
	}
	switch {
	case e.stats != nil:
		s.cover.crowd(e.stats.Crowded)
		s.tally.hear(e.worker, *e.stats)
		s.tally.hearAFL(e.worker, e.afl)
	case e.find != nil:
		s.tally.found(e.worker, e.find)
	case e.watched != nil:
		s.hearObserver(e.watched)
	case e.covered != nil:
		s.tally.ran(e.worker, e.covered.Runs)
		s.fail(s.cover.hear(e.covered, time.Since(s.tally.begin)))
	case e.ended:
		s.tally.ended(e.worker, e.runs)
		s.cover.ended(e.worker)
	case e.held > 0:
		s.renewed(e.held)
	case e.again:
		s.tally.restarts++
	case e.failure != nil:
		s.accuse(e)
	case e.over:
		if s.tally.alive--; s.tally.alive == 0 && s.AFL != nil {
			close(s.idle)
		}
		s.fail(e.err)
		s.fail(s.invite()) // what the last one has left
	}
}

// renewed notes that a process was replaced for the memory that it held.
func (s *search) renewed(held int64) {
	if s.tally.renewed++; s.tally.renewed == 1 {
		s.Logf("a target holds %d MB between runs, over half of the limit, and is started again: it keeps memory from run to run", held>>20)
	}
}

// accuse queues a failing run to be judged, unless its like is there already.
// A worker that waits for a verdict gets one of its own.
func (s *search) accuse(e event) {
	c := suspect{Outcome: *e.failure, died: e.verdict != nil, causes: e.causes, verdict: e.verdict}
	if c.died {
		s.tally.restarts++
	}
	if s.seen[c.Key] && (s.KeepGoing || !c.died) {
		s.drop(c)
		return
	}
	s.seen[c.Key] = true
	s.queue = append(s.queue, c)
}

// dropKnown takes suspects off the front of the queue whose failure has been
// recorded in the meantime.
func (s *search) dropKnown() {
	for len(s.queue) > 0 && s.index(s.queue[0].Key) >= 0 {
		s.drop(s.queue[0])
		s.queue = s.queue[1:]
	}
}

// drop passes over a suspect. If it was an entry of the corpus, it stays in
// suspects/ for the next campaign to judge: a worker may have been killed from
// outside, or too slow.
func (s *search) drop(c suspect) {
	if c.died {
		buried, err := s.Folder.buried(c.Input)
		if err == nil && len(buried) == 0 {
			err = s.Folder.cleared(c.Input)
		}
		s.fail(err)
	}
	c.tell(!s.KeepGoing)
}

// index is the place of the failure with this key among those found, or -1.
func (s *search) index(key string) int {
	return slices.IndexFunc(s.found, func(f *Failure) bool { return f.Key == key })
}

// dismiss gives up the suspects that are still waiting, after an interrupt.
// Those that ended their process remain in suspects/.
func (s *search) dismiss() {
	for _, c := range s.queue {
		c.tell(true)
	}
	s.queue = nil
}

func (s *search) judged(v verdict) {
	s.busy = !v.last
	if !errors.Is(v.err, context.Canceled) && !errors.Is(v.err, errBusy) {
		s.fail(v.err)
	}
	if v.failure != nil {
		s.convict(v)
	}
	if v.note != "" {
		if v.suspect.invited {
			s.tellHarmless(v.note)
		} else {
			s.Logf("%s", v.note)
		}
		delete(s.seen, v.suspect.Key)
	}
	if v.suspect.invited && v.last {
		if v.err == nil {
			s.fail(s.discharge(v))
		}
		s.fail(s.invite())
	}
	v.suspect.tell(v.failure != nil && !s.KeepGoing || v.err != nil)
}

// convict counts a recorded failure when it is found, and takes its smaller
// form when it has been minimised.
func (s *search) convict(v verdict) {
	if v.minimised {
		s.found[s.index(v.failure.Key)] = v.failure
		s.write(line{Type: "failure", Failure: v.failure})
		s.Minimized(v.failure)
		return
	}
	if s.index(v.failure.Key) >= 0 {
		return // another suspect turned out to be the same when it ran alone
	}
	s.tally.failed()
	s.tally.credit(blame(s.desc, v.suspect.causes))
	s.found = append(s.found, v.failure)
	s.Failed(v.failure)
	if !s.KeepGoing {
		s.halt()
	}
}

// fail stops the campaign on its first error.
func (s *search) fail(err error) {
	if err == nil {
		return
	}
	if s.err == nil {
		s.err = err
	}
	s.halt()
}

// explain adds to the error of a full disk what to do about it.
func (s *search) explain() error {
	if errors.Is(s.err, syscall.ENOSPC) {
		return fmt.Errorf("%w (%s)", s.err, resume(s.Folder.Dir))
	}
	return s.err
}

// A line is one line of stats.jsonl.
type line struct {
	Type     string    // start, progress, failure, why or end
	Start    *Start    `json:",omitempty"`
	Progress *Progress `json:",omitempty"`
	Failure  *Failure  `json:",omitempty"`
	Why      *Why      `json:",omitempty"`

	Interrupted bool `json:",omitempty"` // of an end
}

// A Start is how a campaign began.
type Start struct {
	Time     time.Time
	Engine   string `json:",omitempty"` // if it is not the target's own
	Seed     uint64
	Workers  int
	Feedback []string
	Goal     string `json:",omitempty"`
}

func (s *search) report() Progress {
	p := s.tally.progress()
	s.cover.show(&p)
	s.locate(p.Wobbling)
	if s.lines < statsDense || s.lines%statsEvery == 0 || s.tally.alive == 0 {
		s.write(line{Type: "progress", Progress: p.brief()})
	}
	if s.lines++; s.lines >= s.why {
		s.why = max(whyFirst, s.lines+s.lines/4)
		if s.lines > 1 {
			s.explainWhy()
		}
	}
	s.Progress(p)
	return p
}

// explainWhy notes what the annotations have brought; nil where nobody knows.
func (s *search) explainWhy() *Why {
	if s.AFL != nil {
		return nil
	}
	why := s.tally.explain()
	s.write(line{Type: "why", Why: why})
	return why
}

// locate gives counters their places in the source.
func (s *search) locate(names []string) {
	for i, name := range names {
		var n int
		if k, _ := fmt.Sscanf(name, "counter %d", &n); k == 1 && n < len(s.Edges) {
			names[i] = "counter at " + s.Edges[n].Pos
		}
	}
}

func (s *search) write(l line) {
	text, err := json.Marshal(l)
	if err == nil {
		_, err = s.log.Write(append(text, '\n'))
	}
	s.fail(err)
}
