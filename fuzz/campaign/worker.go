package campaign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// How many processes in a row may die before the campaign gives up: without
// having run anything or on one and the same input, and in one of their first
// runs.
const (
	maxIdleDeaths  = 3
	maxEarlyDeaths = 1000
	earlyRuns      = 1000
)

// A worker keeps one searching process alive until its share of the runs is
// done or ctx ends.
type worker struct {
	*search
	index int
	quota quota
	ran   uint64     // by processes that have ended
	spent wire.Spent // by them
	now   wire.Spent // by the one that is alive, as it last said

	idle  int    // deaths in a row before any run, or on the same input
	early int    // deaths in a row within earlyRuns
	last  []byte // input of the last death
}

// A quota is how many runs a worker makes and how many events it plays; 0 is
// no limit.
type quota struct{ runs, events uint64 }

func (w *worker) exhausted() bool {
	return w.quota.runs > 0 && w.ran >= w.quota.runs || w.quota.events > 0 && w.spent.Events >= w.quota.events
}

// An ending is how a process of a worker came to its end.
type ending struct {
	done    bool   // it said that it was done
	stopped bool   // the campaign had told it to end
	held    int64  // it ended for a new one to go on, because it held so many bytes
	hung    bool   // it was ended because of a run over the timeout
	trouble string // why it cannot go on
}

func (w *worker) run(ctx context.Context) error {
	for restarts := 0; ; restarts++ {
		over, err := w.process(ctx, restarts)
		if over || err != nil || ctx.Err() != nil {
			return err
		}
	}
}

// process is the life of one process. It is over when the worker has no more
// to do.
func (w *worker) process(ctx context.Context, restarts int) (over bool, err error) {
	p, err := w.Target.launch(w.wire(restarts), w.cover.file)
	if err != nil {
		return true, err
	}
	end := w.watch(ctx, p)
	runs := p.shared.Execs()
	input, inputErr := p.shared.Input()
	causes, causesErr := p.shared.Causes()
	err = errors.Join(p.garbled, inputErr, causesErr, p.release())
	w.ran += runs
	w.spent.Events += w.now.Events
	w.spent.CPU += p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
	w.now = wire.Spent{}
	w.events <- event{worker: w.index, ended: true, runs: runs}
	switch {
	case end.trouble != "":
		return true, w.cannot(end.trouble)
	case err != nil:
		return true, err
	case end.done, end.stopped:
		return true, nil
	case end.held > 0:
		w.events <- event{worker: w.index, held: end.held}
		return w.exhausted(), nil
	case runs == 0:
		return false, w.diedIdle(p)
	}
	return w.suspect(w.outcome(p, end, input), causes, runs)
}

func (w *worker) wire(restarts int) wire.Config {
	c := wire.Config{
		Mode: wire.Search, Corpus: w.Folder.Dir, Queue: w.Folder.writer(w.index), Seed: w.Seed, Worker: w.index, Workers: w.Workers,
		Restarts: restarts, Feedback: w.Feedback, Goal: w.Goal, MaxLen: wire.MaxInput, KeepOn: w.KeepGoing,
		Cover: w.cover.size(), Length: w.Length, Unmuted: w.Unmuted, NoSnapshots: w.NoSnapshots,
	}
	if w.quota.runs > 0 {
		c.Execs = w.quota.runs - w.ran
	}
	if w.quota.events > 0 {
		c.Events = w.quota.events - w.spent.Events
	}
	return c
}

// watch hands on what the process says until it has ended.
func (w *worker) watch(ctx context.Context, p *process) (end ending) {
	slow := stall{timeout: w.Timeout}
	tick := time.NewTicker(slow.period())
	defer tick.Stop()
	stop := ctx.Done()
	for {
		select {
		case m, ok := <-p.messages:
			if !ok {
				<-p.ended
				return end
			}
			w.hear(m, &end)
		case <-tick.C:
			if w.Timeout > 0 && slow.tick(p.shared) {
				end.hung = true
				p.dump()
				return end
			}
		case <-stop:
			stop = nil
			end.stopped = true
			p.stop()
			late := time.AfterFunc(grace, p.abandon)
			defer late.Stop()
		}
	}
}

func (w *worker) hear(m wire.Message, end *ending) {
	if m.Spent != nil {
		w.now = *m.Spent
		m.Spent.Events += w.spent.Events
		m.Spent.CPU += w.spent.CPU
	}
	switch {
	case m.Error != "":
		end.trouble = m.Error
	case m.Failure != nil:
		if !w.KeepGoing {
			end.done = true
		}
		w.events <- event{worker: w.index, failure: m.Failure, spent: m.Spent}
	case m.Find != nil:
		w.events <- event{worker: w.index, find: m.Find}
	case m.Covered != nil:
		w.events <- event{worker: w.index, covered: m.Covered, spent: m.Spent}
	case m.Stats != nil:
		end.done = end.done || m.Stats.Done
		end.held = m.Stats.Held
		w.events <- event{worker: w.index, stats: m.Stats, spent: m.Spent}
	}
}

// outcome is what the death of the process says about its run.
func (w *worker) outcome(p *process, end ending, input []byte) wire.Outcome {
	printed := p.output.String()
	o := wire.Outcome{Fault: wire.Hang, Key: hangKey, Text: hangText(w.Timeout, printed)}
	if !end.hung {
		o = died(p.cmd.ProcessState, printed)
	}
	o.Input = input
	return o
}

// suspect hands over the last input of a process that died, also when it died
// between two runs: what the one before left behind, a goroutine or a timer,
// did it. Unless the campaign is to
// keep going the worker waits for the verdict, so that what it does next does
// not depend on how long that takes.
func (w *worker) suspect(o wire.Outcome, causes []ijon.ID, runs uint64) (over bool, err error) {
	if err := w.Folder.setAside(w.index, o.Input); err != nil {
		return true, err
	}
	verdict := make(chan bool, 1)
	spent := w.spent
	w.events <- event{worker: w.index, failure: &o, causes: causes, spent: &spent, verdict: verdict}
	if !w.KeepGoing && <-verdict {
		return true, nil
	}
	if w.exhausted() {
		return true, nil
	}
	return false, w.diedRunning(o, runs)
}

// diedRunning gives up on a target that does nothing but die.
func (w *worker) diedRunning(o wire.Outcome, runs uint64) error {
	w.idle++
	if string(w.last) != string(o.Input) || w.last == nil {
		w.idle = 1
	}
	w.last = append([]byte{}, o.Input...)
	w.early++
	if runs > earlyRuns {
		w.early = 0
	}
	if w.idle >= maxIdleDeaths {
		return &TargetError{fmt.Sprintf("%d processes in a row died of the same input, %s, which does not come from the corpus (is it a seed of f.Add?)",
			w.idle, filepath.Join(w.Folder.suspects(), corpus.Name(o.Input))), o.Text}
	}
	if w.early >= maxEarlyDeaths {
		return &TargetError{fmt.Sprintf("%d processes in a row died in one of their first %d runs: the search cannot get on before that is mended", w.early, earlyRuns), o.Text}
	}
	return nil
}

// diedIdle gives up on a target that dies by itself.
func (w *worker) diedIdle(p *process) error {
	w.idle++
	w.last = nil
	if w.idle < maxIdleDeaths {
		return nil
	}
	return &TargetError{fmt.Sprintf("%d processes in a row died before they ran anything (%v)", w.idle, p.cmd.ProcessState), steady(p.output.String())}
}

// cannot explains an error that a target reports about its corpus.
func (w *worker) cannot(trouble string) error {
	return fmt.Errorf("%s (%s)", trouble, resume(w.Folder.Dir))
}

// resume is what to do when a campaign could not go on.
func resume(dir string) string {
	return "the campaign has stopped; every entry in " + dir + " is complete: make room or mend it, and start again to resume"
}
