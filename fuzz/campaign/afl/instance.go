package afl

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	ijonafl "github.com/ijongo/ijongo/runtime/afl"
)

// An Instance is one afl-fuzz of several that share a folder.
type Instance struct {
	Version string // of afl-fuzz
	Name    string // of its folder in Sync
	Number  int    // 0 is the main one
	Sync    string // folder in which all instances have theirs
	Seeds   string // folder of inputs to begin with; empty to go on from what the instance has
	Target  []string
	Seed    uint64        // of this instance
	Execs   uint64        // runs after which it ends, those of earlier sessions included; 0 is never
	Timeout time.Duration // of a run; 0 is none

	Dictionary string // file, in AFL's format
	Mutator    string // shared object
	Records    bool   // inputs are made of records, which trimming would cut

	Feedback []string // what the target is to report; nil for what it thinks best
	Goal     string   // annotations without it are not to guide; "" for all
	MemLimit int64    // of the target, in bytes; 0 is none
	Tally    string   // file in which the target counts its runs
}

// longest is a timeout for those who want none: afl-fuzz always has one.
const longest = 24 * time.Hour

// timeout in milliseconds; afl-fuzz takes no less than 5.
func (i *Instance) timeout() string {
	d := i.Timeout
	if d == 0 {
		d = longest
	}
	return strconv.FormatInt(max(5, d.Milliseconds()), 10)
}

// schedules are the power schedules that AFL++'s guide recommends for the
// secondary instances, each with another.
var schedules = []string{"explore", "fast", "coe", "lin", "quad", "exploit", "rare"}

// Args is the command line behind afl-fuzz.
func (i *Instance) Args() []string {
	role, seeds := "-M", i.Seeds
	if i.Number > 0 {
		role = "-S"
	}
	if seeds == "" {
		seeds = "-"
	}
	args := []string{role, i.Name, "-i", seeds, "-o", i.Sync, "-t", i.timeout(), "-m", "none", "-s", strconv.FormatUint(i.Seed, 10)}
	if i.Number > 0 {
		args = append(args, "-p", schedules[(i.Number-1)%len(schedules)])
	}
	if i.Number%10 == 9 { // one of ten
		args = append(args, "-Z")
	}
	if i.Execs > 0 {
		args = append(args, "-E", strconv.FormatUint(i.Execs, 10))
	}
	if i.Dictionary != "" {
		args = append(args, "-x", i.Dictionary)
	}
	return append(append(args, "--"), i.Target...)
}

// Env is env with what the instance and its target need. What AFL reads and
// the user has set stays.
func (i *Instance) Env(env []string) []string {
	set := make(map[string]bool)
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		set[name] = true
	}
	out := append([]string(nil), env...)
	for _, v := range i.habits(set["AFL_TRY_AFFINITY"]) {
		if !set[v[0]] {
			out = append(out, v[0]+"="+v[1])
		}
	}
	if i.Mutator != "" {
		out = append(out, "AFL_CUSTOM_MUTATOR_LIBRARY="+i.Mutator)
	}
	if i.Feedback != nil {
		out = append(out, ijonafl.EnvFeedback+"="+strings.Join(i.Feedback, ","))
	}
	if i.Goal != "" {
		out = append(out, ijonafl.EnvGoal+"="+i.Goal)
	}
	out = append(out, fmt.Sprintf("%s=%d", ijonafl.EnvMemLimit, i.MemLimit))
	if i.Tally != "" {
		out = append(out, ijonafl.EnvTally+"="+i.Tally)
	}
	return out
}

// habits are the settings that suit a target of Go, or a campaign that
// others take part in.
func (i *Instance) habits(bind bool) [][2]string {
	list := [][2]string{
		{"AFL_NO_UI", "1"},
		{"AFL_SKIP_CPUFREQ", "1"},
		{"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"}, // the target turns every end of a run into a status
		{"AFL_HANG_TMOUT", i.timeout()},
		{"AFL_FORKSRV_INIT_TMOUT", "60000"},
		{"AFL_IMPORT_FIRST", "1"},
		{"AFL_SYNC_TIME", "1"}, // minutes
		{"AFL_FAST_CAL", "1"},  // three runs of what is new instead of seven or eight, most of all runs at first
		{"AFL_NO_CRASH_README", "1"},
	}
	if atLeast(i.Version, 4, 20) { // an older one waits for two seconds so that its user sees a name that it does not know
		list = append(list, [][2]string{
			{"AFL_IGNORE_SEED_PROBLEMS", "1"},
			{"AFL_FUZZER_STATS_UPDATE_INTERVAL", "1"}, // seconds
			{"AFL_NO_FASTRESUME", "1"},                // what is in that file depends on what guides
		}...)
	}
	if !bind {
		list = append(list, [2]string{"AFL_NO_AFFINITY", "1"}) // containers, and other instances, have few cores
	}
	if i.Mutator != "" {
		list = append(list, [2]string{"AFL_CUSTOM_MUTATOR_ONLY", "1"})
	}
	if i.Records || i.Number%5 > 2 || i.Number%5 == 1 { // three of five, as the guide says
		list = append(list, [2]string{"AFL_DISABLE_TRIM", "1"})
	}
	return list
}

// atLeast compares the version of afl-fuzz, such as 4.04c; one that does not
// look like that is old.
func atLeast(version string, major, minor int) bool {
	var x, y int
	if n, _ := fmt.Sscanf(version, "%d.%d", &x, &y); n < 2 {
		return false
	}
	return x > major || x == major && y >= minor
}

var instanceName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// CheckName tells what is wrong with the name of an instance.
func CheckName(name string) error {
	if !instanceName.MatchString(name) {
		return fmt.Errorf("afl-fuzz takes no instance called %s (at most 32 letters, digits, and _-)", name)
	}
	return nil
}
