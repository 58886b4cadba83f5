package afl

import (
	"slices"
	"strings"
	"testing"
	"time"
)

var target = []string{"/t/target.test", "-test.run=^FuzzM$"}

func TestArgs(t *testing.T) {
	for _, c := range []struct {
		instance Instance
		want     string
	}{
		{Instance{Name: "afl0", Sync: "/c", Seeds: "/s", Seed: 7, Timeout: 10 * time.Second},
			"-M afl0 -i /s -o /c -t 10000 -m none -s 7"},
		{Instance{Name: "b-afl1", Number: 1, Sync: "/c", Seed: 8, Execs: 100, Dictionary: "/d"},
			"-S b-afl1 -i - -o /c -t 86400000 -m none -s 8 -p explore -E 100 -x /d"},
		{Instance{Name: "afl2", Number: 2, Sync: "/c", Seeds: "/s", Timeout: time.Millisecond},
			"-S afl2 -i /s -o /c -t 5 -m none -s 0 -p fast"},
		{Instance{Name: "afl9", Number: 9, Sync: "/c", Seeds: "/s", Timeout: time.Second},
			"-S afl9 -i /s -o /c -t 1000 -m none -s 0 -p fast -Z"},
	} {
		c.instance.Target = target
		if got := strings.Join(c.instance.Args(), " "); got != c.want+" -- "+strings.Join(target, " ") {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

func TestEnv(t *testing.T) {
	i := Instance{Timeout: time.Second, Tally: "/tally", MemLimit: 1 << 30}
	env := i.Env([]string{"HOME=/h", "AFL_SYNC_TIME=20"})
	has(t, env, "HOME=/h", "AFL_SYNC_TIME=20", "AFL_NO_UI=1", "AFL_SKIP_CPUFREQ=1", "AFL_NO_AFFINITY=1",
		"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1", "AFL_IMPORT_FIRST=1", "AFL_HANG_TMOUT=1000", "IJONGO_AFL_TALLY=/tally", "IJONGO_AFL_MEMLIMIT=1073741824")
	hasNot(t, env, "AFL_SYNC_TIME=1", "AFL_FUZZER_STATS_UPDATE_INTERVAL", "AFL_DISABLE_TRIM", "AFL_CUSTOM_MUTATOR_LIBRARY", "IJONGO_AFL_FEEDBACK")

	// Names that older versions do not know are for new ones.
	for version, known := range map[string]bool{"4.04c": false, "4.21c": true, "5.02c": true, "": false, "git": false} {
		if env := (&Instance{Version: version}).Env(nil); slices.Contains(env, "AFL_FUZZER_STATS_UPDATE_INTERVAL=1") != known {
			t.Errorf("%q: %q", version, env)
		}
	}

	// A user who wants instances bound to cores gets that.
	hasNot(t, i.Env([]string{"AFL_TRY_AFFINITY=1"}), "AFL_NO_AFFINITY")

	i = Instance{Mutator: "/m.so", Feedback: []string{"edges", "slots"}, Records: true}
	has(t, i.Env(nil), "AFL_CUSTOM_MUTATOR_LIBRARY=/m.so", "AFL_CUSTOM_MUTATOR_ONLY=1", "IJONGO_AFL_FEEDBACK=edges,slots", "AFL_DISABLE_TRIM=1", "IJONGO_AFL_MEMLIMIT=0")
}

func has(t *testing.T, env []string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(env, w) {
			t.Errorf("no %s in %q", w, env)
		}
	}
}

func hasNot(t *testing.T, env []string, names ...string) {
	t.Helper()
	for _, name := range names {
		if slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, name) }) {
			t.Errorf("%s in %q", name, env)
		}
	}
}

func TestCheckName(t *testing.T) {
	for name, ok := range map[string]bool{"afl0": true, "host_1-afl0": true, "a.b": false, "": false, strings.Repeat("a", 33): false} {
		if err := CheckName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}
