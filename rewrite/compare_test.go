package rewrite

import (
	"bufio"
	"fmt"
	"maps"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// compareBuilds builds the copy for other systems, as far as the original
// builds for them.
func (r *result) compareBuilds(t *testing.T, systems []string) {
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		build := []string{"env", "GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0", "go", "build", r.in}
		if _, err := try(r.dir, build...); err != nil {
			t.Logf("the original does not build for %s: %v", system, err)
		} else if _, err := try(r.copy, build...); err != nil {
			t.Errorf("for %s: %v", system, err)
		}
	}
}

// compareVet lets vet look at both sides.
func (r *result) compareVet(t *testing.T) {
	want, got := complaints(r.dir, r.in), complaints(r.copy, r.in)
	for _, c := range slices.Sorted(maps.Keys(got)) {
		if !want[c] {
			t.Errorf("vet says of the copy: %s", c)
		}
	}
	for _, c := range slices.Sorted(maps.Keys(want)) {
		if !got[c] {
			t.Errorf("vet does not say of the copy: %s", c)
		}
	}
}

var complaint = regexp.MustCompile(`^(?:vet: )?(?:\S*/)?([^/\s]+:\d+:\d+: .*)`)

// complaints are what vet says, with the files named without their folders. A
// line without a position is kept whole.
func complaints(dir, pattern string) map[string]bool {
	out, err := try(dir, "go", "vet", pattern)
	set := map[string]bool{}
	if err == nil {
		return set
	}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if m := complaint.FindStringSubmatch(line); m != nil {
			set[m[1]] = true
		} else if !strings.HasPrefix(line, "#") {
			set[line] = true
		}
	}
	return set
}

// comparePositions compares the line tables of the compiled packages. Every
// function of the original must have instructions for the same lines in the
// copy, and others only for lines in which text was inserted.
func (r *result) comparePositions(t *testing.T, prog *program) {
	inserted := map[string]bool{}
	for _, p := range prog.pkgs {
		for _, f := range p.files {
			for _, e := range f.list {
				pos := f.tok.PositionFor(f.tok.Pos(e.from), true)
				inserted[fmt.Sprintf("%s %s:%d", p.PkgPath, path.Base(pos.Filename), pos.Line)] = true
			}
		}
	}
	want, got := archives(t, r.dir, r.in), archives(t, r.copy, r.in)
	if len(want) == 0 {
		t.Error("no packages were compiled")
	}
	for _, pkg := range slices.Sorted(maps.Keys(want)) {
		before, after := lineTable(t, want[pkg]), lineTable(t, got[pkg])
		r.functions += len(before)
		for _, fn := range slices.Sorted(maps.Keys(before)) {
			for _, d := range differences(pkg, fn, before[fn], after[fn], inserted) {
				t.Errorf("%s: %s", pkg, d)
			}
		}
	}
}

// differences compares the lines of a function. Code for more lines is in
// order where text was inserted, in the package or, for an instance of a
// generic function, in the one that declares it.
func differences(pkg, fn string, before, after, inserted map[string]bool) (list []string) {
	for line, shows := range before {
		if shows && !after[line] {
			list = append(list, fmt.Sprintf("%s has no code for %s any more", fn, line))
		}
	}
	for line, shows := range after {
		if _, ok := before[line]; shows && !ok && !inserted[pkg+" "+line] && !inserted[declaredIn(fn)+" "+line] {
			list = append(list, fmt.Sprintf("%s has code for %s, where nothing was inserted", fn, line))
		}
	}
	slices.Sort(list)
	return list
}

// TestDifferences shows what TestEverything takes for a fault.
func TestDifferences(t *testing.T) {
	before := map[string]bool{"a.go:1": true, "a.go:2": true, "a.go:3": false}
	inserted := map[string]bool{"p a.go:9": true, "q/r a.go:8": true}
	for _, test := range []struct {
		fn    string
		after map[string]bool
		want  []string
	}{
		{"p.f", map[string]bool{"a.go:1": true, "a.go:2": true}, nil},
		{"p.f", map[string]bool{"a.go:1": true, "a.go:2": true, "a.go:4": false, "a.go:9": true}, nil},
		{"p.f", map[string]bool{"a.go:1": true, "a.go:2": false}, []string{"p.f has no code for a.go:2 any more"}},
		{"p.f", map[string]bool{"a.go:1": true, "a.go:2": true, "a.go:8": true}, []string{"p.f has code for a.go:8, where nothing was inserted"}},
		{"q/r.g[go.shape.int]", map[string]bool{"a.go:1": true, "a.go:2": true, "a.go:8": true}, nil},
	} {
		if got := differences("p", test.fn, before, test.after, inserted); !slices.Equal(got, test.want) {
			t.Errorf("%s with %v: %v, want %v", test.fn, test.after, got, test.want)
		}
	}
}

// archives compiles packages without optimisation, which would move code and
// leave some out, and returns the archives by import path.
func archives(t *testing.T, dir, pattern string) map[string]string {
	t.Helper()
	files := map[string]string{}
	out := run(t, dir, "go", "list", "-export", "-gcflags=-N -l", "-f", "{{.ImportPath}}\t{{.Export}}", pattern)
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		pkg, file, _ := strings.Cut(line, "\t")
		if file != "" {
			files[pkg] = file
		}
	}
	return files
}

// declaredIn is the package of a function by its name in an archive: that of an
// instance of a generic function is in every package that needs it.
func declaredIn(fn string) string {
	name, _, _ := strings.Cut(fn, "[")
	slash := strings.LastIndexByte(name, '/') + 1
	base, _, _ := strings.Cut(name[slash:], ".")
	return strings.ReplaceAll(name[:slash]+base, "%2e", ".")
}

// objdump is the path of the tool, which the go command would look for, and
// build, each time.
var objdump = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "tool", "-n", "objdump").Output()
	return strings.TrimSpace(string(out)), err
})

var jump = regexp.MustCompile(`^(JMP|NOP.*|NOOP|XCHG.*)$`)

// lineTable reads an archive: for each function the lines, as file:line, that
// it has instructions for, and whether one of these is more than a jump, which
// no trace ever shows. What cgo has generated is left out: it has other names in
// each build.
func lineTable(t *testing.T, archive string) map[string]map[string]bool {
	t.Helper()
	tool, err := objdump()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, archive)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	functions := map[string]map[string]bool{}
	var lines map[string]bool
	scan := bufio.NewScanner(out)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		text := scan.Text()
		if head, ok := strings.CutPrefix(text, "TEXT "); ok {
			name, _, _ := strings.Cut(head, "(SB)")
			lines = map[string]bool{}
			functions[name] = lines
		} else if fields := strings.Fields(text); len(fields) > 3 && !strings.HasPrefix(fields[0], "_cgo_gotypes.go:") {
			lines[fields[0]] = lines[fields[0]] || !jump.MatchString(fields[3])
		}
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("objdump %s: %v", archive, err)
	}
	return functions
}

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// compareTests runs the tests in the copy, and when some fail in the original
// too: those that fail there are not the rewriter's. A test that fails in the
// copy only runs alone a few more times, in the original and in the copy in
// turn. If it passes there once, it depends on time or chance.
func (r *result) compareTests(t *testing.T) {
	got := failures(t, r.copy, r.in, ".")
	if len(got) == 0 {
		return
	}
	want := failures(t, r.dir, r.in, ".")
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] {
			t.Logf("fails in the original and in the copy: %s", name)
			continue
		}
		original, copied := r.alone(t, name)
		say := t.Errorf
		if copied < again {
			say = t.Logf
		}
		say("fails in the copy only, and alone %d times of %d in the original and %d in the copy: %s", original, again, copied, name)
	}
}

// again is how often a test runs that has failed in the copy only.
const again = 5

// alone counts how often a test fails when it runs alone.
func (r *result) alone(t *testing.T, name string) (original, copied int) {
	run := "^" + regexp.QuoteMeta(name) + "$"
	for range again {
		if len(failures(t, r.dir, r.in, run)) > 0 {
			original++
		}
		if len(failures(t, r.copy, r.in, run)) > 0 {
			copied++
		}
	}
	return original, copied
}

func failures(t *testing.T, dir, pattern, run string) map[string]bool {
	t.Helper()
	set := map[string]bool{}
	out, err := try(dir, "go", "test", "-short", "-count=1", "-run", run, pattern)
	if err == nil {
		return set
	}
	for _, m := range failure.FindAllStringSubmatch(out, -1) {
		set[m[1]] = true
	}
	if len(set) == 0 {
		t.Errorf("tests of %s: %v", dir, err)
	}
	return set
}
