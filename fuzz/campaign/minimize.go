package campaign

import (
	"context"

	"github.com/ijongo/ijongo/fuzz"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// How many runs minimising may take: of runs that leave the process alive,
// and of those that end it.
const (
	minimizeRuns   = 20000
	minimizeDeaths = 1000
)

// Minimize looks for a smaller input that fails with the key of f. A flaky
// failure gets more runs a candidate: as many as let a candidate as good as
// the input pass for harmless once in twenty times. When ctx ends, the smallest
// input until then is returned beside its error.
func Minimize(ctx context.Context, r *Runner, f *Failure, d *wire.Description) ([]byte, error) {
	budget := minimizeRuns
	if !f.Shrinks() {
		return f.Input, nil
	}
	if deadly(f.Fault) {
		budget = minimizeDeaths
	}
	tries := triesFor(f.Hits, f.Runs)
	var stopped error
	fails := func(input []byte) bool {
		for i := 0; i < tries && stopped == nil; i++ {
			o, err := r.Run(ctx, input, false)
			if err != nil {
				stopped = err
				return false
			}
			if o.Fault != wire.OK && o.Key == f.Key {
				f.Text = o.Text
				return true
			}
		}
		return false
	}
	return fuzz.Minimize(f.Input, d.Declared(), budget/tries, fails), stopped
}

// triesFor is the least n with (1-hits/runs)^n under 1/20.
func triesFor(hits, runs int) int {
	miss, n := 1.0, 0
	for miss >= 0.05 {
		miss *= 1 - float64(hits)/float64(runs)
		n++
	}
	return n
}
