//go:build linux && (amd64 || arm64)

package afl_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ijongo/ijongo/bench/rig"
	aflfuzz "github.com/ijongo/ijongo/fuzz/campaign/afl"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
	"github.com/ijongo/ijongo/runtime/afl"
)

// These tests have the real tools search testdata/target: the version in PATH
// and, if there is one, the one that has IJON.

// eachTool runs a test with every version, or says why there is none.
func eachTool(t *testing.T, test func(t *testing.T, tool rig.Tool)) {
	if testing.Short() {
		t.Skip("builds a target and runs afl-fuzz")
	}
	tools, missing := rig.Tools()
	if missing != nil {
		t.Log(missing)
	}
	if len(tools) == 0 {
		if os.Getenv("IJONGO_AFL") == "required" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	for _, tool := range tools {
		t.Run(tool.Version, func(t *testing.T) { test(t, tool) })
	}
}

// eachSync runs a test with every form of every version.
func eachSync(t *testing.T, test func(t *testing.T, tool rig.Tool, sync string)) {
	eachTool(t, func(t *testing.T, tool rig.Tool) {
		for _, sync := range tool.Syncs() {
			t.Run(sync, func(t *testing.T) { test(t, tool, sync) })
		}
	})
}

// instrumented is testdata/target, which runs FuzzMaze if not told otherwise.
var instrumented = sync.OnceValues(func() (path string, err error) {
	dir, err := os.MkdirTemp("", "ijongo-afl-target-")
	if err != nil {
		return "", err
	}
	afl.Cleanups = append(afl.Cleanups, func() { os.RemoveAll(dir) })
	ctx := context.Background()
	p, err := build.Find(ctx, filepath.Join("testdata", "target"))
	if err != nil {
		return "", err
	}
	b, err := build.Build(ctx, p, build.Options{Target: "FuzzMaze"}, dir, func(string, ...any) {})
	if err != nil {
		return "", err
	}
	return b.Path, nil
})

// instance is an afl-fuzz on a copy of the target, under a name of its own by
// which the processes that are left can be found.
func instance(t *testing.T, tool rig.Tool, name string, env ...string) *rig.Instance {
	t.Helper()
	path, err := instrumented()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	own := filepath.Join(dir, "target.test")
	if err := os.Link(path, own); err != nil {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(own, text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { nothingRuns(t, own) })
	return &rig.Instance{
		Tool: tool, Target: []string{own}, Dir: dir,
		Env: append([]string{"IJONGO_AFL_TARGET=" + name, "AFL_ALLOW_TMP=1"}, env...),
	}
}

// nothingRuns fails if a process of the program outlives its tool.
func nothingRuns(t *testing.T, path string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		left := running(path)
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("processes are left: %v", left)
		}
	}
}

func running(path string) []int {
	return rig.Running(func(program string) bool { return strings.TrimSuffix(program, " (deleted)") == path })
}

// run runs afl-fuzz to its end.
func run(t *testing.T, i *rig.Instance, seeds ...[]byte) aflfuzz.Stats {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	stats, _, err := i.Run(ctx, seeds...)
	if err != nil {
		t.Fatal(err)
	}
	if stats.Stability < 0.99 {
		t.Errorf("stability %v", stats.Stability)
	}
	return stats
}

// found are the files that afl-fuzz has saved in a folder.
func found(t *testing.T, i *rig.Instance, folder, pattern string) (contents [][]byte) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(i.Out(), folder, pattern))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		contents = append(contents, text)
	}
	return contents
}

func TestMazeIsFound(t *testing.T) {
	eachTool(t, func(t *testing.T, tool rig.Tool) {
		i := instance(t, tool, "", "AFL_BENCH_UNTIL_CRASH=1")
		i.Args = []string{"-s", "1", "-t", "1000", "-E", "1500000"}
		run(t, i, []byte("aaaaaa"))
		crashes := found(t, i, "crashes", "id*")
		if len(crashes) == 0 || !bytes.HasPrefix(crashes[0], []byte("dru")) {
			t.Errorf("crashes %q", crashes)
		}
	})
}

// TestWaysToFail gives afl-fuzz one input for each way to fail, as finds of
// another instance.
func TestWaysToFail(t *testing.T) {
	// What is a crash, what a hang, and what may be either on a slow machine.
	const crash, hang, either = "pngdx", "l", "msv"
	eachSync(t, func(t *testing.T, tool rig.Tool, sync string) {
		const limit = "700"
		i := instance(t, tool, "FuzzFail", "IJONGO_AFL_SYNC="+sync, "IJONGO_AFL_MEMLIMIT=134217728",
			"AFL_IMPORT_FIRST=1", "AFL_HANG_TMOUT="+limit)
		i.Args = []string{"-S", "default", "-t", limit, "-E", "60"}
		other := filepath.Join(i.Dir, "out", "other")
		queue := filepath.Join(other, "queue")
		if err := os.MkdirAll(queue, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(other, "is_main_node"), nil, 0o666); err != nil {
			t.Fatal(err) // an instance with -S reads that one
		}
		for n, how := range crash + hang + either {
			name := fmt.Sprintf("id:%06d,time:0,execs:0,orig:%c", n, how)
			if err := os.WriteFile(filepath.Join(queue, name), []byte(string(how)+"000"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		run(t, i, []byte("0000"))
		crashes, hangs := firsts(found(t, i, "crashes", "id*")), firsts(found(t, i, "hangs", "id*"))
		for _, how := range crash + hang + either {
			c, h := strings.ContainsRune(crashes, how), strings.ContainsRune(hangs, how)
			if !c && !h || strings.ContainsRune(crash, how) && !c || strings.ContainsRune(hang, how) && !h {
				t.Errorf("%c is not there: crashes %s, hangs %s", how, crashes, hangs)
			}
		}
	})
}

// firsts are the first bytes of inputs.
func firsts(inputs [][]byte) string {
	var b strings.Builder
	for _, in := range inputs {
		b.Write(in[:min(1, len(in))])
	}
	return b.String()
}

// TestMemoryThatIsKept has a process replaced before it holds too much.
func TestMemoryThatIsKept(t *testing.T) {
	eachTool(t, func(t *testing.T, tool rig.Tool) {
		dir := t.TempDir()
		i := instance(t, tool, "FuzzKeep", "IJONGO_AFL_MEMLIMIT=134217728", "IJONGO_AFL_TALLY="+filepath.Join(dir, "tally"))
		i.Args = []string{"-s", "1", "-t", "2000", "-E", "4000"}
		stats := run(t, i, []byte("0000"))
		if stats.Crashes != 0 || stats.Hangs != 0 {
			t.Errorf("crashes %d, hangs %d", stats.Crashes, stats.Hangs)
		}
		tally, err := os.ReadFile(filepath.Join(dir, "tally"))
		if err != nil || len(tally) != 64 {
			t.Fatal(len(tally), err)
		}
		runs, children := binary.LittleEndian.Uint64(tally), binary.LittleEndian.Uint64(tally[16:])
		if runs < 4000 || children < 3 {
			t.Errorf("%d runs, %d processes", runs, children)
		}
	})
}

// TestWordsOfTheCode has the tool find a word that it is told in the handshake.
func TestWordsOfTheCode(t *testing.T) {
	eachTool(t, func(t *testing.T, tool rig.Tool) {
		i := instance(t, tool, "FuzzWord", "AFL_BENCH_UNTIL_CRASH=1")
		i.Args = []string{"-s", "1", "-t", "1000", "-E", "200000"}
		run(t, i, []byte("0000"))
		if crashes := found(t, i, "crashes", "id*"); len(crashes) == 0 || !bytes.Contains(crashes[0], []byte("MsgTimeoutNow")) {
			t.Errorf("crashes %q", crashes)
		}
	})
}

// TestMaximaAreIJONs looks into the folder in which the tool keeps the best
// input of each slot.
func TestMaximaAreIJONs(t *testing.T) {
	eachTool(t, func(t *testing.T, tool rig.Tool) {
		if !tool.IJON() {
			t.Skip("it has no IJON")
		}
		i := instance(t, tool, "FuzzClimb")
		i.Args = []string{"-s", "1", "-t", "1000", "-E", "8000"}
		run(t, i, []byte("climb"))
		log, err := os.ReadFile(filepath.Join(i.Dir, "log"))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"Using IJON feature.", "Using futex persistent-mode synchronization."} {
			if !bytes.Contains(log, []byte(line)) {
				t.Errorf("it does not say %q", line)
			}
		}
		const slot = "2" // the number of the annotation in the program
		kept := found(t, i, "ijon_max", slot)
		if len(kept) != 1 {
			t.Fatalf("%d files of slot %s", len(kept), slot)
		}
		for _, in := range append(found(t, i, "queue", "id*"), found(t, i, "ijon_max", "*")...) {
			if sum(in) > sum(kept[0]) {
				t.Errorf("%q has %d, and what is kept is %q with %d", in, sum(in), kept[0], sum(kept[0]))
			}
		}
	})
}

// sum is what FuzzClimb wants to be large.
func sum(in []byte) (sum int) {
	for _, c := range in {
		sum += int(c)
	}
	return sum
}

// TestKilledTool: nothing outlives a tool that has no time to end anything.
func TestKilledTool(t *testing.T) {
	eachSync(t, func(t *testing.T, tool rig.Tool, sync string) {
		i := instance(t, tool, "FuzzMaze", "IJONGO_AFL_SYNC="+sync)
		c, err := i.Start(context.Background(), []byte("aaaa"))
		if err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(30 * time.Second); len(running(i.Target[0])) < 2; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal(i.Explain(context.DeadlineExceeded))
			}
		}
		c.Process.Kill() // what is left is looked for when the test is over
		c.Wait()
		removeSegments(c.Process.Pid)
	})
}

// removeSegments removes the shared memory that a tool had no time to remove.
func removeSegments(creator int) {
	const remove = 0 // IPC_RMID
	table, _ := os.ReadFile("/proc/sysvipc/shm")
	for line := range strings.Lines(string(table)) {
		var key, id, mode, size, pid int
		if n, _ := fmt.Sscan(line, &key, &id, &mode, &size, &pid); n == 5 && pid == creator {
			syscall.Syscall(syscall.SYS_SHMCTL, uintptr(id), remove, 0)
		}
	}
}

// command runs one of the smaller tools.
func command(t *testing.T, i *rig.Instance, name, input string, args ...string) (output string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, i.Tool.Path(name), append(args, append([]string{"--"}, i.Target...)...)...)
	c.Env = append(append(os.Environ(), "AFL_NO_AFFINITY=1", "AFL_SKIP_CPUFREQ=1", "AFL_NO_UI=1"), i.Env...)
	c.Dir, c.Stdin = i.Dir, strings.NewReader(input)
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%s: %v\n%s", name, ctx.Err(), out)
	}
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

func TestOtherTools(t *testing.T) {
	eachTool(t, func(t *testing.T, tool rig.Tool) {
		i := instance(t, tool, "FuzzMaze")
		file := func(name, text string) string {
			path := filepath.Join(i.Dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			return path
		}
		for _, text := range []string{"d", "dr", "d?", "dd", "?"} {
			file("corpus/"+text, text)
		}
		lines := func(name string) int {
			text, err := os.ReadFile(filepath.Join(i.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			return bytes.Count(text, []byte("\n"))
		}
		if out, code := command(t, i, "afl-showmap", "dr", "-o", "one"); code != 0 || lines("one") < 5 {
			t.Errorf("afl-showmap: code %d\n%s", code, out)
		}
		if out, code := command(t, i, "afl-showmap", "", "-C", "-i", "corpus", "-o", "all"); code != 0 || lines("all") <= lines("one") {
			t.Errorf("afl-showmap -C: code %d, %d lines after %d\n%s", code, lines("all"), lines("one"), out)
		}
		if out, code := command(t, i, "afl-showmap", "dru", "-o", "crash"); code != 2 {
			t.Errorf("afl-showmap of a crash: code %d\n%s", code, out)
		}
		file("crash.in", "dru, and much more than that")
		if out, code := command(t, i, "afl-tmin", "", "-i", "crash.in", "-o", "crash.out"); code != 0 {
			t.Errorf("afl-tmin: code %d\n%s", code, out)
		} else if text, err := os.ReadFile(filepath.Join(i.Dir, "crash.out")); err != nil || string(text) != "dru" {
			t.Errorf("afl-tmin has left %q, %v", text, err)
		}
		if _, err := os.Stat(tool.Path("afl-cmin")); err == nil {
			out, code := command(t, i, "afl-cmin", "", "-i", "corpus", "-o", "small")
			kept, err := os.ReadDir(filepath.Join(i.Dir, "small"))
			if code != 0 || err != nil || len(kept) == 0 || len(kept) >= 5 {
				t.Errorf("afl-cmin: code %d, %d files, %v\n%s", code, len(kept), err, out)
			}
		}
	})
}

// TestWithoutForkServer starts a process for each run.
func TestWithoutForkServer(t *testing.T) {
	eachTool(t, func(t *testing.T, tool rig.Tool) {
		i := instance(t, tool, "FuzzMaze", "AFL_NO_FORKSRV=1")
		i.Args = []string{"-s", "1", "-t", "2000", "-E", "30"}
		run(t, i, []byte("d"), []byte("dr"))
		out, err := exec.Command(tool.Path("afl-whatsup"), "-s", filepath.Dir(i.Out())).CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte("Crashes saved : 0")) {
			t.Errorf("afl-whatsup: %v\n%s", err, out)
		}
	})
}
