package afl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What three versions write, as far as it is read.
const (
	stats404 = `start_time        : 1790000000
last_update       : 1790000060
run_time          : 60
fuzzer_pid        : 4711
cycles_done       : 3
cycles_wo_finds   : 0
execs_done        : 712345
execs_per_sec     : 11872.41
execs_ps_last_min : 11900.00
corpus_count      : 41
corpus_favored    : 12
corpus_found      : 40
corpus_imported   : 2
corpus_variable   : 0
max_depth         : 9
cur_item          : 7
pending_favs      : 0
pending_total     : 11
stability         : 99.37%
bitmap_cvg        : 0.24%
saved_crashes     : 1
saved_hangs       : 2
edges_found       : 159
total_edges       : 66048
afl_banner        : target.test
afl_version       : ++4.04c
target_mode       : persistent shmem_testcase
command_line      : afl-fuzz -M afl0 -i in -o out : colon
`
	stats314 = `start_time        : 1790000000
execs_done        : 7
paths_total       : 3
paths_imported    : 1
unique_crashes    : 4
unique_hangs      : 5
stability         : 100.00%
edges_found       : 10
afl_version       : ++3.14c
command_line      : afl-fuzz -i in -o out -- a.out
`
)

func TestStats(t *testing.T) {
	for _, c := range []struct {
		text string
		want Stats
	}{
		{stats404, Stats{Version: "4.04c", Execs: 712345, PerSec: 11872.41, Cycles: 3, Corpus: 41, Imported: 2, Crashes: 1, Hangs: 2, Edges: 159, Map: 66048, Stability: 0.9937}},
		{stats314, Stats{Version: "3.14c", Execs: 7, Corpus: 3, Imported: 1, Crashes: 4, Hangs: 5, Edges: 10, Stability: 1}},
		// At the beginning of a session nothing has been measured.
		{strings.NewReplacer("99.37", "0.00", "159", "0").Replace(stats404), Stats{Version: "4.04c", Execs: 712345, PerSec: 11872.41, Cycles: 3, Corpus: 41, Imported: 2, Crashes: 1, Hangs: 2, Map: 66048}},
	} {
		if got, err := parseStats(c.text); err != nil || got != c.want {
			t.Errorf("%+v, %v; want %+v", got, err, c.want)
		}
	}
}

// The file is written in place: what is read of it may be a part.
func TestStatsInPart(t *testing.T) {
	for n := range len(stats404) {
		if s, err := parseStats(stats404[:n]); !errors.Is(err, ErrPartial) {
			t.Fatalf("%d of %d bytes: %+v, %v", n, len(stats404), s, err)
		}
	}
}

func TestStatsInError(t *testing.T) {
	if s, err := parseStats(strings.Replace(stats404, "712345", "many", 1)); err == nil {
		t.Errorf("%+v", s)
	}
	if _, err := ReadStats(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// What a target counts is seen while it counts, and a new session begins at 0.
func TestTally(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tally")
	for range 2 {
		tally, err := CreateTally(path)
		if err != nil {
			t.Fatal(err)
		}
		if tally.Runs() != 0 || tally.Events() != 0 || tally.Starts() != 0 {
			t.Errorf("%d, %d, %d", tally.Runs(), tally.Events(), tally.Starts())
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt([]byte{0: 7, 8: 1, 9: 1, 16: 3, 23: 0}, 0); err != nil {
			t.Fatal(err)
		}
		if tally.Runs() != 7 || tally.Events() != 257 || tally.Starts() != 3 {
			t.Errorf("%d, %d, %d", tally.Runs(), tally.Events(), tally.Starts())
		}
		if err := errors.Join(f.Close(), tally.Close()); err != nil {
			t.Fatal(err)
		}
	}
}
