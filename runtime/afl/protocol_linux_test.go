//go:build linux && (amd64 || arm64)

package afl

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// forms are the setups in which all that is about runs must hold.
var forms = map[string]setup{
	"pipe, old handshake": {old: true},
	"pipe":                {},
	"stop":                {env: []string{EnvSync + "=stop"}},
	"stop, old handshake": {old: true, env: []string{EnvSync + "=stop"}},
	"futex":               {futex: true},
}

func eachForm(t *testing.T, test func(t *testing.T, f *fake)) {
	for name, s := range forms {
		t.Run(name, func(t *testing.T) {
			if s.old {
				s.env = append(s.env[:len(s.env):len(s.env)], EnvProtocol+"=old")
			}
			test(t, begin(t, s))
		})
	}
}

func TestRuns(t *testing.T) {
	eachForm(t, func(t *testing.T, f *fake) {
		for i := range 50 {
			f.ok(fmt.Sprint("input ", i))
		}
		f.ok("")
	})
}

func TestEveryWayToFailIsASignal(t *testing.T) {
	eachForm(t, func(t *testing.T, f *fake) {
		for _, c := range []struct {
			input string
			want  syscall.Signal
		}{{"panic", syscall.SIGABRT}, {"go", syscall.SIGABRT}, {"exit", syscall.SIGABRT}, {"fail", syscall.SIGABRT}, {"term", syscall.SIGTERM}} {
			status, late := f.run(c.input, slow)
			if late || !status.Signaled() || status.Signal() != c.want {
				t.Errorf("%s: status %#x, late %v", c.input, uint32(status), late)
			}
			f.ok("after " + c.input)
		}
		for _, input := range []string{"leave", "exit0"} {
			if status, late := f.run(input, slow); status != 0 || late {
				t.Errorf("%s: status %#x, late %v", input, uint32(status), late)
			}
			f.ok("after " + input)
		}
	})
}

// TestCrashAfterCrash has a child die as soon as it is there, while the
// supervisor still looks for it.
func TestCrashAfterCrash(t *testing.T) {
	eachForm(t, func(t *testing.T, f *fake) {
		for n := range 60 {
			if status, late := f.run("fail", slow); late || status.Signal() != syscall.SIGABRT {
				t.Fatalf("crash %d: status %#x, late %v", n, uint32(status), late)
			}
		}
		f.ok("after")
	})
}

func TestHangsAreKilled(t *testing.T) {
	eachForm(t, func(t *testing.T, f *fake) {
		for range 3 {
			status, late := f.run("loop", 20*time.Millisecond)
			if !late || !status.Signaled() || status.Signal() != syscall.SIGKILL {
				t.Errorf("status %#x, late %v", uint32(status), late)
			}
		}
		f.ok("after")
	})
}

// TestRunsThatEndAtTheTimeout has the tool's signal meet the answer.
func TestRunsThatEndAtTheTimeout(t *testing.T) {
	const runs = 80
	eachForm(t, func(t *testing.T, f *fake) {
		rng := rand.New(rand.NewPCG(1, 2))
		limit := 2 * time.Millisecond
		late := 0
		for range runs {
			input := fmt.Sprintf("sleep %dus", 1500+rng.IntN(1000))
			status, killed := f.run(input, limit)
			if killed {
				late++
			} else if status != 0 && !status.Stopped() {
				t.Fatalf("%s: status %#x", input, uint32(status))
			}
			if status == 0 || status.Stopped() {
				f.shown(input)
			}
		}
		f.ok("after")
		t.Logf("%d of %d runs were late", late, runs)
	})
}

// TestChildKilledAtAnyMoment: whoever kills the child, the tool gets an answer to
// each request, and the answer is that of the run.
func TestChildKilledAtAnyMoment(t *testing.T) {
	const kills = 30
	eachForm(t, func(t *testing.T, f *fake) {
		rng := rand.New(rand.NewPCG(3, 4))
		f.ok("first")
		stop, ended := make(chan bool), make(chan bool)
		delays := make([]time.Duration, kills)
		for i := range delays {
			delays[i] = time.Duration(rng.IntN(40000)) * time.Microsecond
		}
		go func() {
			defer close(ended)
			for _, d := range delays {
				time.Sleep(d)
				for _, pid := range children(f.cmd.Process.Pid) {
					if isChild(pid) {
						syscall.Kill(pid, syscall.SIGKILL)
					}
				}
			}
			close(stop)
		}()
		died := 0
		for n, more := 0, true; more; n++ {
			select {
			case <-stop:
				more = false
			default:
			}
			input := fmt.Sprint("run ", n)
			status, late := f.run(input, slow)
			switch {
			case late:
				t.Fatalf("%s: no answer", input)
			case status == 0 && f.word != nil && !f.alive:
				died++ // between two runs
			case status == 0 || status.Stopped():
				f.shown(input)
			case status.Signaled() && status.Signal() == syscall.SIGKILL:
				died++
			default:
				t.Fatalf("%s: status %#x", input, uint32(status))
			}
		}
		<-ended
		f.ok("after")
		t.Logf("%d runs were killed", died)
	})
}

// isChild tells a child from a victim.
func isChild(pid int) bool {
	env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	text := string(env)
	return strings.Contains(text, envRole+"=") && !strings.Contains(text, envRole+"="+victimRole)
}

// TestPanicBetweenRuns: what a run has left running is a crash of the next one.
func TestPanicBetweenRuns(t *testing.T) {
	eachForm(t, func(t *testing.T, f *fake) {
		f.ok("die later")
		if f.word != nil {
			f.alive = true
		}
		time.Sleep(50 * time.Millisecond)
		status, _ := f.run("next", 200*time.Millisecond)
		if !status.Signaled() || status.Signal() != syscall.SIGABRT {
			t.Errorf("status %#x", uint32(status))
		}
		f.ok("after")
	})
}

func TestNothingIsLeft(t *testing.T) {
	eachForm(t, func(t *testing.T, f *fake) {
		f.ok("first")
		all := append(children(f.cmd.Process.Pid), f.cmd.Process.Pid)
		if len(all) < 2 {
			t.Fatalf("processes %v", all)
		}
		f.cmd.Process.Kill()
		f.cmd.Wait()
		f.gone(all)
		if _, err := f.read(slow); err == nil || err == errLate {
			t.Errorf("somebody has the pipe still: %v", err)
		}
	})
}

// TestToolThatCloses: a tool need not kill anybody.
func TestToolThatCloses(t *testing.T) {
	for name, s := range map[string]setup{"pipe": {}, "stop": {env: []string{EnvSync + "=stop"}}} {
		t.Run(name, func(t *testing.T) {
			f := begin(t, s)
			f.ok("first")
			all := append(children(f.cmd.Process.Pid), f.cmd.Process.Pid)
			f.control.Close()
			if err := f.cmd.Wait(); err != nil {
				t.Errorf("%v\n%s", err, f.said.String())
			}
			f.gone(all)
		})
	}
}

func TestSegments(t *testing.T) {
	for name, s := range map[string]setup{
		"8 MiB":                 {size: 8 << 20},
		"8 MiB, old handshake":  {size: 8 << 20, old: true, env: []string{EnvProtocol + "=old"}},
		"files":                 {files: true},
		"files, futex":          {files: true, futex: true},
		"standard input":        {stdin: true},
		"standard input, stop":  {stdin: true, env: []string{EnvSync + "=stop"}},
		"old, standard input":   {stdin: true, old: true, env: []string{EnvProtocol + "=old"}},
		"a page more is enough": {size: usualSize + 4096},
	} {
		t.Run(name, func(t *testing.T) {
			f := begin(t, s)
			f.ok("first")
			f.run("panic", slow)
			f.ok("a longer second")
			f.ok("third")
		})
	}
	for _, size := range []int{64, 4096, 65536} {
		t.Run(fmt.Sprint(size, " bytes"), func(t *testing.T) {
			f := begin(t, setup{size: size})
			for range 3 {
				if status, late := f.run("x", slow); status != 0 || late {
					t.Fatalf("status %#x, late %v\n%s", uint32(status), late, f.said.String())
				}
				if f.segment[0] != 1 {
					t.Error("the map is empty")
				}
			}
		})
	}
}

func TestWhatIsOffered(t *testing.T) {
	const everything = newMapSize | newShared | newFutex | newAutodict | newIJON
	words := "WORDS=term vote"
	for _, c := range []struct {
		name string
		s    setup
		want uint32
	}{
		{"everything", setup{futex: true, env: []string{words}}, everything},
		{"no futex", setup{env: []string{words}}, everything &^ newFutex},
		{"no IJON", setup{futex: true, env: []string{words, envNoIJON + "=1"}}, everything &^ newIJON},
		{"no slots", setup{futex: true, env: []string{words, EnvFeedback + "=edges,set"}}, everything &^ newIJON},
		{"no words", setup{futex: true}, everything &^ newAutodict},
		{"no dictionary", setup{futex: true, env: []string{words, envNoAutodict + "=1"}}, everything &^ newAutodict},
		{"no shared test cases", setup{futex: true, stdin: true, env: []string{words}}, everything &^ newShared},
		{"another form", setup{futex: true, env: []string{words, EnvSync + "=pipe"}}, everything &^ newFutex},
		{"a futex in the map", setup{futex: true, env: []string{words, envFutex + "=4096"}}, everything &^ newFutex},
		{"a futex nowhere", setup{futex: true, env: []string{words, envFutex + "=99999996"}}, everything &^ newFutex},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := begin(t, c.s)
			if f.options != c.want {
				t.Errorf("options %#x, want %#x", f.options, c.want)
			}
			if f.options&newAutodict != 0 && string(f.dict) != "\x04term\x04vote" {
				t.Errorf("dictionary %q", f.dict)
			}
			f.ok("first")
		})
	}
	t.Run("old handshake", func(t *testing.T) {
		f := begin(t, setup{old: true, futex: true, env: []string{words, EnvProtocol + "=old"}})
		if f.options&(oldShared|oldAutodict) != oldShared|oldAutodict || string(f.dict) != "\x04term\x04vote" {
			t.Errorf("options %#x, dictionary %q", f.options, f.dict)
		}
		f.word = nil
		f.ok("first")
	})
}

func TestSlotsAreBehindTheArea(t *testing.T) {
	f := begin(t, setup{})
	f.mapSize -= slotSize // a tool that knows them does not clear them
	f.ok("slots")
	f.ok("other")
	at := f.layout().area + areaSize + 7*8
	if got := binary.LittleEndian.Uint64(f.segment[at:]); got != 1<<40 {
		t.Errorf("slot 7 has %#x", got)
	}
}

// TestOldToolThatSeesTheLaterHello takes the hello for an old one without
// offers, and asks for a run.
func TestOldToolThatSeesTheLaterHello(t *testing.T) {
	f := launch(t, setup{stdin: true})
	if hello := f.must(); hello != newHello {
		t.Fatalf("hello %#x", hello)
	}
	f.ok("first")
	f.run("panic", slow)
	f.ok("second")
}

// TestToolThatGoesAway has it end in the middle of a handshake.
func TestToolThatGoesAway(t *testing.T) {
	for words := range 3 {
		for _, old := range []bool{false, true} {
			s := setup{}
			if old {
				s.env = []string{EnvProtocol + "=old"}
			}
			f := launch(t, s)
			for range min(words, 1) {
				f.must()
			}
			if words == 2 && !old {
				f.write(^uint32(newHello))
			}
			f.control.Close()
			f.status.Close()
			f.cmd.Wait() // with which code is of no interest to anybody
			f.gone([]int{f.cmd.Process.Pid})
		}
	}
}

func TestStartThatFails(t *testing.T) {
	for name, s := range forms {
		t.Run(name, func(t *testing.T) {
			s.env = append(s.env[:len(s.env):len(s.env)], "DIE_AT_START="+filepath.Join(t.TempDir(), "once"))
			if s.old {
				s.env = append(s.env, EnvProtocol+"=old")
			}
			f := begin(t, s)
			f.ok("first")
			s.env = append(s.env, "DIE_AT_START=always")
			f = begin(t, s)
			f.write(0)
			if _, err := f.read(slow); err == nil || err == errLate {
				t.Errorf("an answer: %v", err)
			}
			if err := f.cmd.Wait(); err == nil || err.Error() != "exit status 2" || !strings.Contains(f.said.String(), "has ended 5 times before its first run") {
				t.Errorf("%v\n%s", err, f.said.String())
			}
		})
	}
}

func TestWrongWords(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{EnvSync + "=pip", "IJONGO_AFL_SYNC=pip: no such thing (write one of auto, pipe, futex, stop)"},
		{EnvProtocol + "=2", "IJONGO_AFL_PROTOCOL=2: no such thing (write one of auto, old, new)"},
		{EnvFeedback + "=edges,max", `IJONGO_AFL_FEEDBACK=edges,max: no channel "max" (write a list out of edges, set, bins, levels, slots)`},
		{EnvMemLimit + "=2GB", "IJONGO_AFL_MEMLIMIT=2GB: not a size (write a number of bytes, or 0 for no limit)"},
		{envMap + "=99999999", "__AFL_SHM_ID=99999999: shmctl: invalid argument"},
	} {
		f := launch(t, setup{env: []string{c.env}})
		if _, err := f.read(slow); err == nil || err == errLate {
			t.Errorf("%s: an answer", c.env)
		}
		if err := f.cmd.Wait(); err == nil || err.Error() != "exit status 2" || f.said.String() != "ijongo: AFL++: "+c.want+"\n" {
			t.Errorf("%s: %v: %s", c.env, err, f.said.String())
		}
	}
}

func TestTally(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tally")
	for name, s := range forms {
		t.Run(name, func(t *testing.T) {
			os.Remove(path)
			s.env = append(s.env[:len(s.env):len(s.env)], EnvTally+"="+path)
			if s.old {
				s.env = append(s.env, EnvProtocol+"=old")
			}
			f := begin(t, s)
			f.ok("first")
			f.run("fail", slow)
			f.run("panic", slow)
			f.run("loop", 20*time.Millisecond)
			f.ok("last")
			mem, err := openTally(path)
			if err != nil {
				t.Fatal(err)
			}
			if want := (Tally{Runs: 5, Events: 3, Children: 4}); *mem != want {
				t.Errorf("%+v, want %+v", *mem, want)
			}
		})
	}
}
