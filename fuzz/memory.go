package fuzz

import (
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"syscall"
)

// limitMemory lets the kernel refuse memory beyond limit bytes, so that a run
// that takes ever more ends the process with the stack that asked for it, and
// not the machine. Counted is what is mapped to be written to (RLIMIT_DATA):
// an address space, as Go and the race detector reserve it, is free. What was
// mapped before and never used is not counted. Linux can do this; elsewhere
// nothing is limited.
func limitMemory(limit int64) error {
	text, err := os.ReadFile("/proc/self/statm")
	if limit <= 0 || err != nil {
		return nil
	}
	f := strings.Fields(string(text)) // size, resident, shared, text, lib, data
	resident, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil {
		return err
	}
	data, err := strconv.ParseInt(f[5], 10, 64)
	if err != nil {
		return err
	}
	most := limit
	if unused := (data - resident) * int64(os.Getpagesize()); unused > 0 {
		most += unused
	}
	return syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: uint64(most), Max: uint64(most)})
}

// A gauge reads how much memory is in use between runs, by the target and by
// the search.
type gauge struct {
	limit   int64
	samples []metrics.Sample
}

// leakRuns is how many inputs a process must have made before it is given up
// for what it holds: one that holds as much from the start would never get on.
const leakRuns = 64

func newGauge(limit int64) gauge {
	return gauge{limit, []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}}
}

// held is how much the last collection found in use, with the stacks of all
// goroutines.
func (g gauge) held() (sum int64) {
	metrics.Read(g.samples)
	for _, s := range g.samples {
		if s.Value.Kind() == metrics.KindUint64 {
			sum += int64(s.Value.Uint64())
		}
	}
	return sum
}

// full tells whether so much is in use that a run of ordinary size may soon
// reach the limit.
func (g gauge) full() bool { return g.limit > 0 && g.held() > g.limit/2 }
