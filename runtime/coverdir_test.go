package ijon_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
)

const envChild = "IJON_TEST_CHILD"

// TestMain makes the test binary a program that is covered and ends in
// the way that envChild says.
func TestMain(m *testing.M) {
	end := os.Getenv(envChild)
	if end == "" {
		os.Exit(m.Run())
	}
	elected := ijon.Declare(ijon.VerbCover, "elected")
	g := ijon.DeclareGroup(childSpec())
	g.Sample(1, 0, 0)
	ijon.StartTest("TestOne")
	g.Sample(1, 0, 1) // follows nothing: the test has forgotten
	g.Sample(1, 0, 0)
	ijon.StartTest("TestTwo")
	ijon.Cover(elected)
	ijon.Begin(1) // is not for an engine here
	g.Sample(1, 0, 1)
	late := ijon.DeclareGroup(lateSpec()) // the files grow by pages
	late.Sample(1, 0, 39, 39)
	switch end {
	case "exit":
		os.Exit(3)
	case "kill":
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err != nil {
			panic(err)
		}
		select {}
	case "engine":
		ijon.Enable()
	}
}

func childSpec() ijon.GroupSpec {
	return ijon.GroupSpec{
		Name:   "node",
		Points: []ijon.PointSpec{{ItemSpec: ijon.ItemSpec{Name: "role"}, Bins: []ijon.BinInfo{{Name: "follower"}, {Name: "leader"}}}},
		Trans:  []ijon.TransSpec{{ItemSpec: ijon.ItemSpec{Name: "role"}, All: true}},
	}
}

// lateSpec has bins for several pages of counters.
func lateSpec() ijon.GroupSpec {
	s := ijon.GroupSpec{Name: "late"}
	for _, name := range []string{"x", "y"} {
		p := ijon.PointSpec{ItemSpec: ijon.ItemSpec{Name: name}}
		for i := 0; i < 40; i++ {
			p.Bins = append(p.Bins, ijon.BinInfo{Name: strconv.Itoa(i)})
		}
		s.Points = append(s.Points, p)
	}
	s.Crosses = []ijon.CrossSpec{{ItemSpec: ijon.ItemSpec{Name: "x*y"}, Axes: []ijon.AxisSpec{{Point: 0}, {Point: 1}}}}
	return s
}

// child runs the program with its coverage in dir.
func child(t *testing.T, end, dir string) (output string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), envChild+"="+end, ijon.EnvCoverDir+"="+dir)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// covered reads the coverage of the only process that wrote to dir.
func covered(t *testing.T, dir string) (d ijon.Description, base string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d descriptions in %s (%v)", len(files), dir, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d, strings.TrimSuffix(files[0], ".json")
}

// hits tells of the bins that were hit.
func hits(t *testing.T, d ijon.Description, base string) (list []string) {
	t.Helper()
	bins, first := read(t, base+".bins"), read(t, base+".first")
	at := 0
	for _, item := range d.Items {
		for _, bin := range item.Bins {
			if n := binary.LittleEndian.Uint64(bins[8*at:]); n > 0 {
				list = append(list, fmt.Sprintf("%s %s %d times, first in %d", item.Kind, bin.Name, n, binary.LittleEndian.Uint32(first[4*at:])))
			}
			at++
		}
	}
	if len(bins) != 8*at || len(first) != 4*at {
		t.Errorf("%d and %d bytes for %d bins", len(bins), len(first), at)
	}
	return list
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCoverageSurvivesTheProcess(t *testing.T) {
	for end, code := range map[string]int{"return": 0, "exit": 3, "kill": -1} {
		t.Run(end, func(t *testing.T) {
			dir := t.TempDir()
			if output, got := child(t, end, dir); got != code || output != "" {
				t.Fatalf("exit code %d, want %d: %s", got, code, output)
			}
			d, base := covered(t, dir)
			if d.Format != "ijongo coverage 1" || d.Edges != 0 {
				t.Errorf("description %+v", d)
			}
			want := []string{
				"cover hit 1 times, first in 2",
				"point follower 2 times, first in 0",
				"point leader 2 times, first in 1",
				"trans leader=>follower 1 times, first in 1",
				"point 39 1 times, first in 2", "point 39 1 times, first in 2",
				"cross 39*39 1 times, first in 2",
			}
			if got := hits(t, d, base); !reflect.DeepEqual(got, want) {
				t.Errorf("hits %q, want %q", got, want)
			}
			if tests := string(read(t, base+".tests")); tests != "TestOne\nTestTwo\n" {
				t.Errorf("tests %q", tests)
			}
		})
	}
}

func TestProcessesDoNotShareFiles(t *testing.T) {
	dir := t.TempDir()
	child(t, "exit", dir)
	child(t, "exit", dir)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2*4 {
		t.Errorf("%d files of two processes (%v)", len(files), err)
	}
}

func TestAnEngineTakesOver(t *testing.T) {
	dir := t.TempDir()
	if output, code := child(t, "engine", dir); code != 0 {
		t.Fatal(output)
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("coverage of a process that an engine drives: %v", files)
	}
}

func TestCoverageThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ dir, want string }{
		{file, "not a directory"},
		{filepath.Join(filepath.Dir(file), "none"), "no such file or directory"},
	}
	if full := fullDisk(t); full != "" {
		tests = append(tests, struct{ dir, want string }{full, "no space left on device"})
	}
	for _, tt := range tests {
		output, code := child(t, "exit", tt.dir)
		if code != 2 || strings.Count(output, "\n") != 1 ||
			!strings.HasPrefix(output, "ijongo: IJONGO_COVERDIR: cannot write coverage: ") || !strings.HasSuffix(output, tt.want+"\n") {
			t.Errorf("%s: exit code %d, %q, want 2 and %q", tt.dir, code, output, tt.want)
		}
		if files, _ := filepath.Glob(filepath.Join(tt.dir, "[0-9]*")); len(files) > 0 {
			t.Errorf("left behind: %v", files)
		}
	}
}

// fullDisk is a folder with room for names of files only; "" where we may not
// make one.
func fullDisk(t *testing.T) string {
	dir := t.TempDir()
	if runtime.GOOS != "linux" || exec.Command("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", dir).Run() != nil {
		t.Log("no file system can be mounted here: a full disk is not tested")
		return ""
	}
	t.Cleanup(func() {
		if err := exec.Command("umount", dir).Run(); err != nil {
			t.Error(err)
		}
	})
	fill := filepath.Join(dir, "fill")
	if err := os.WriteFile(fill, make([]byte, 4096), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}
