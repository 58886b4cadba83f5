package campaign

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// A stall notices that a run takes longer than the timeout. It counts its own
// ticks and reads no clock, so that a campaign that was itself suspended does
// not accuse its targets.
type stall struct {
	timeout time.Duration
	execs   uint64
	ticks   time.Duration
}

// period is the time between two ticks.
func (s *stall) period() time.Duration {
	return min(max(s.timeout/20, time.Millisecond), 250*time.Millisecond)
}

// tick tells whether the run in progress has been the same for the timeout.
func (s *stall) tick(shared *wire.Shared) bool {
	execs := shared.Execs()
	if !shared.Running() || execs != s.execs {
		s.execs, s.ticks = execs, 0
		return false
	}
	s.ticks += s.period()
	return s.ticks >= s.timeout
}

// starved is how long the threads of a process have been ready to run without
// getting a core: the part of its run time that the load of the machine is
// guilty of. Linux knows; elsewhere it is 0.
func starved(pid int) time.Duration {
	files, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/schedstat")
	if err != nil {
		return 0
	}
	var sum time.Duration
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		if f := strings.Fields(string(text)); len(f) == 3 {
			if ns, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				sum += time.Duration(ns)
			}
		}
	}
	return sum
}
