package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// A Runner runs single inputs in a target process that does nothing else. A
// run that ends the process is an outcome like any other; the next one gets a
// new process.
type Runner struct {
	Timeout time.Duration // of one run, 0 is none; time for want of a core is not counted

	target Target
	cover  *coverage           // in which the runs are counted, nil if they are not
	first  func(*wire.Covered) // hears what they are the first to hit
	p      *process
}

// errIdle is a process that died before it ran its input.
var errIdle = errors.New("the target ended before it ran the input")

// startFactor is how many timeouts a process may take to start and get to its
// run.
const startFactor = 20

// startPoll is how often it is looked whether the run has begun.
const startPoll = 10 * time.Millisecond

// errBusy is a run that was starved rather than slow.
var errBusy = errors.New("the machine is too busy to tell a hang from a slow run")

// NewRunner makes a Runner; it starts its process when it needs one.
func NewRunner(t Target, timeout time.Duration) *Runner {
	return &Runner{Timeout: timeout, target: t}
}

// Fresh ends the process, so that the next run has a new one. It is also the
// way to close a Runner.
func (r *Runner) Fresh() {
	if r.p != nil {
		r.p.end()
		r.p.release()
		r.p = nil
	}
}

// Run runs input, and answers its timeline too if trace is set. An error
// means that there was no run.
func (r *Runner) Run(ctx context.Context, input []byte, trace bool) (wire.Outcome, error) {
	return r.ask(ctx, wire.Request{Input: input, Trace: trace})
}

// Touch runs input, and answers what the run touches.
func (r *Runner) Touch(ctx context.Context, input []byte) (wire.Outcome, error) {
	return r.ask(ctx, wire.Request{Input: input, Touch: true})
}

func (r *Runner) ask(ctx context.Context, q wire.Request) (wire.Outcome, error) {
	o, err := r.once(ctx, q)
	for again := 1; again < maxIdleDeaths && errors.Is(err, errIdle); again++ {
		// What an earlier run left behind ended the process, or somebody else did.
		o, err = r.once(ctx, q)
	}
	o.Input = q.Input
	return o, err
}

func (r *Runner) once(ctx context.Context, q wire.Request) (wire.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return wire.Outcome{}, err
	}
	if r.p == nil {
		config := wire.Config{Mode: wire.Serve, Workers: 1, MaxLen: wire.MaxInput}
		var file *os.File
		if r.cover != nil {
			config.Cover, file = r.cover.size(), r.cover.file
		}
		p, err := r.target.launch(config, file)
		if err != nil {
			return wire.Outcome{}, err
		}
		r.p = p
	}
	before := r.p.shared.Execs()
	line, err := wire.Encode(q)
	if err != nil {
		return wire.Outcome{}, err
	}
	requests := r.p.requests
	go requests.Write(line) // a target that has died shows as the end of its messages
	return r.await(ctx, before)
}

func (r *Runner) await(ctx context.Context, before uint64) (wire.Outcome, error) {
	sent := time.Now()
	begin, behind := sent, starved(r.p.cmd.Process.Pid)
	begun, limit := false, min(r.Timeout, startPoll)
	for {
		var expired <-chan time.Time
		if r.Timeout > 0 {
			expired = time.After(limit)
		}
		select {
		case m, ok := <-r.p.messages:
			if !ok {
				return r.death(before)
			}
			if m.Error != "" {
				return wire.Outcome{}, errors.New("the target cannot run the input: " + m.Error)
			}
			if m.Covered != nil && r.first != nil {
				r.first(m.Covered)
			}
			if m.Outcome != nil {
				return settled(*m.Outcome), nil
			}
		case <-ctx.Done():
			r.p.kill()
			r.Fresh()
			return wire.Outcome{}, ctx.Err()
		case <-expired:
			if !begun {
				// Until now the process may have been starting, which is no
				// part of the run.
				begin, behind = time.Now(), starved(r.p.cmd.Process.Pid)
				begun = r.p.shared.Execs() != before || time.Since(sent) > startFactor*r.Timeout
				if begun {
					limit = r.Timeout
				}
				continue
			}
			waited := time.Since(begin)
			used := waited - max(0, starved(r.p.cmd.Process.Pid)-behind)
			if used >= r.Timeout {
				return r.hang(), nil
			}
			if waited > 20*r.Timeout {
				r.p.kill()
				r.Fresh()
				return wire.Outcome{}, errBusy
			}
			limit = r.Timeout - used
		}
	}
}

// testLine is what package testing says of a test that has failed. The
// number of the run is in its name, and how long it took.
var testLine = regexp.MustCompile(`(?m)^\s*--- FAIL: \S+ \([0-9.]+s\)\n`)

// settled is an outcome without what differs between equal runs.
func settled(o wire.Outcome) wire.Outcome {
	o.Text = testLine.ReplaceAllString(o.Text, "")
	if o.Fault == wire.Panic || o.Fault == wire.Violated && routine.MatchString(o.Text) {
		o.Text = steady(o.Text)
	}
	return o
}

// death is the outcome of a run that ended the process.
func (r *Runner) death(before uint64) (wire.Outcome, error) {
	p := r.p
	<-p.ended
	begun := p.shared.Execs() != before
	r.Fresh()
	if p.garbled != nil {
		return wire.Outcome{}, p.garbled
	}
	if !begun {
		return wire.Outcome{}, fmt.Errorf("%w (%v)", errIdle, &TargetError{p.cmd.ProcessState.String(), p.output.String()})
	}
	return died(p.cmd.ProcessState, p.output.String()), nil
}

func (r *Runner) hang() wire.Outcome {
	r.p.dump()
	text := hangText(r.Timeout, r.p.output.String())
	r.Fresh()
	return wire.Outcome{Fault: wire.Hang, Key: hangKey, Text: text}
}

// hangKey is the key of all hangs.
const hangKey = "hang"

func hangText(timeout time.Duration, printed string) string {
	return fmt.Sprintf("the run takes longer than %v; the target's goroutines are:\n%s", timeout, steady(printed))
}

// A TargetError is a target that cannot be fuzzed, with what it printed.
type TargetError struct {
	What   string
	Output string
}

func (e *TargetError) Error() string {
	if e.Output == "" {
		return e.What
	}
	return e.What + "; it printed:\n" + e.Output
}
