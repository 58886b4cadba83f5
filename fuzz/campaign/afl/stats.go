package afl

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Stats is what an instance says of itself in fuzzer_stats. It writes that
// when it begins, from time to time, and when it ends.
type Stats struct {
	Version   string
	Execs     uint64 // of all its sessions
	PerSec    float64
	Cycles    uint64 // of its queue
	Corpus    int
	Imported  int
	Crashes   int
	Hangs     int
	Edges     int     // bytes of the map that were ever hit
	Map       int     // of so many
	Stability float64 // share of the map that is the same when an input runs again; 0 before anything was measured
}

// ErrPartial is a file that is being written.
var ErrPartial = errors.New("fuzzer_stats is incomplete")

// ReadStats reads the file in the folder of an instance.
func ReadStats(dir string) (Stats, error) {
	text, err := os.ReadFile(filepath.Join(dir, "fuzzer_stats"))
	if err != nil {
		return Stats{}, err
	}
	return parseStats(string(text))
}

// parseStats reads lines of the form "name : value". Names of 3.x, which were
// changed in 4.00, are read too.
func parseStats(text string) (s Stats, err error) {
	values := make(map[string]string)
	for _, line := range strings.Split(text, "\n") {
		if name, value, ok := strings.Cut(line, ":"); ok {
			values[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	if _, whole := values["command_line"]; !whole || !strings.HasSuffix(text, "\n") {
		return s, ErrPartial
	}
	number := func(names ...string) uint64 {
		for _, name := range names {
			if v, ok := values[name]; ok {
				n, e := strconv.ParseUint(v, 10, 64)
				err = errors.Join(err, e)
				return n
			}
		}
		return 0
	}
	decimal := func(name string) float64 {
		v, ok := values[name]
		if !ok {
			return 0
		}
		f, e := strconv.ParseFloat(strings.TrimSuffix(v, "%"), 64)
		err = errors.Join(err, e)
		return f
	}
	s = Stats{
		Version:   strings.TrimPrefix(values["afl_version"], "++"),
		Execs:     number("execs_done"),
		PerSec:    decimal("execs_per_sec"),
		Cycles:    number("cycles_done"),
		Corpus:    int(number("corpus_count", "paths_total")),
		Imported:  int(number("corpus_imported", "paths_imported")),
		Crashes:   int(number("saved_crashes", "unique_crashes")),
		Hangs:     int(number("saved_hangs", "unique_hangs")),
		Edges:     int(number("edges_found")),
		Map:       int(number("total_edges")),
		Stability: decimal("stability") / 100,
	}
	if s.Edges == 0 {
		s.Stability = 0 // the first file of a session
	}
	return s, err
}
