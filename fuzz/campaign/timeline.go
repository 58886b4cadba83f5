package campaign

import (
	"context"
	"sort"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// Replay runs input for its outcome and its timeline. A process that dies
// takes its timeline with it; what is shown then is the timeline of the
// longest beginning of the schedule that the target survives.
func Replay(ctx context.Context, r *Runner, input []byte, d *wire.Description) (wire.Outcome, error) {
	o, err := r.Run(ctx, input, true)
	if err != nil || !deadly(o.Fault) || d.Record == 0 {
		return o, err
	}
	var stopped error
	survived := o
	n := sort.Search(size(input, d), func(n int) bool {
		if stopped != nil {
			return true
		}
		p, err := r.Run(ctx, prefix(input, n+1, d), true)
		if err != nil {
			stopped = err
		} else if !deadly(p.Fault) {
			survived = p
		}
		return deadly(p.Fault)
	})
	o.Timeline = survived.Timeline
	o.Events = uint32(n)
	return o, stopped
}

// deadly tells whether the process is gone after such a run.
func deadly(f wire.Fault) bool {
	return f == wire.Crash || f == wire.Exit || f == wire.Hang || f == wire.Memory
}

// prefix is the header and the first n events of input.
func prefix(input []byte, n int, d *wire.Description) []byte {
	return input[:min(len(input), d.Header+n*d.Record)]
}

// Rate runs input n times and counts how often it fails with key; an empty
// key is that of the first failure.
func Rate(ctx context.Context, r *Runner, input []byte, key string, n int) (hits int, first wire.Outcome, err error) {
	for range n {
		o, err := r.Run(ctx, input, false)
		if err != nil {
			return hits, first, err
		}
		if o.Fault == wire.OK || key != "" && o.Key != key {
			continue
		}
		if hits == 0 {
			first, key = o, o.Key
		}
		hits++
	}
	return hits, first, nil
}
