package fuzz_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/fuzz/args"
	"github.com/ijongo/ijongo/fuzz/wire"
)

func TestServeReportsHowARunEnded(t *testing.T) {
	p := start(t, wire.Config{Mode: wire.Serve, Target: "FuzzBehaviour"})
	const file = "target_test.go"
	for _, c := range []struct {
		input    string
		fault    wire.Fault
		key      string // part of it
		text     string // part of it
		timeline []string
	}{
		{"plain", wire.OK, "", "", []string{`plain run of "plain"`}},
		{"fatal", wire.Failed, file, "term went back", nil},
		{"plain", wire.OK, "", "", []string{`plain run of "plain"`}},
		{"error", wire.Failed, file, ": one\ntarget_test.go:", nil},
		{"error skip", wire.Failed, file, "bad", nil},
		{"panic", wire.Panic, "ijongo/fuzz/testdata/target.", "assignment to entry in nil map", nil},
		{"helper", wire.Failed, "ijongo/fuzz/testdata/target.inner (" + file, "in a helper", nil},
		{"goexit", wire.Failed, "ijongo/fuzz/testdata/target.", "Goexit", nil},
		{"parallel", wire.OK, "", "", []string{"went on"}},
		{"violated", wire.Violated, "two leaders", "n1 and n2", nil},
		{"recovered", wire.Violated, "always n >= 0", "", nil},
		{"cleanup", wire.OK, "", "", []string{"body", "last registered", "first registered"}},
		{"cleanup fails", wire.Failed, file, "leaked", nil},
		{"cleanup panics", wire.Failed, "", "in cleanup", nil},
		{"fatal cleanup", wire.Failed, file, "no", []string{"cleaned up"}},
		{"tempdir", wire.OK, "", "", []string{"fresh: true, the last one is gone: true"}},
		{"tempdir", wire.OK, "", "", []string{"fresh: true, the last one is gone: true"}},
		{"setenv", wire.OK, "", "", []string{`before: ""`}},
		{"setenv", wire.OK, "", "", []string{`before: ""`}},
		{"context", wire.OK, "", "", []string{"context ended"}},
		{"subtest", wire.OK, "", "", []string{"in a subtest"}},
		{"subtest fails", wire.Failed, file, "below", nil},
		{"subtest panics", wire.Failed, "", "below", nil},
		{"log", wire.OK, "", "", nil},
		{"other goroutine", wire.Failed, file, "from a goroutine", nil},
		{"plain", wire.OK, "", "", []string{`plain run of "plain"`}},
	} {
		got := p.run(c.input)
		if got == nil {
			t.Fatalf("%s: the target died\n%s", c.input, p.output.String())
		}
		if got.Fault != c.fault || got.Skipped || !strings.Contains(got.Key, c.key) || !strings.Contains(got.Text, c.text) {
			t.Errorf("%s: %q, key %q, text\n%s", c.input, got.Fault, got.Key, got.Text)
		}
		if c.timeline != nil && !reflect.DeepEqual(got.Timeline, c.timeline) {
			t.Errorf("%s: timeline %q, want %q", c.input, got.Timeline, c.timeline)
		}
	}
	if got := p.run("skip"); got == nil || got.Fault != wire.OK || !got.Skipped {
		t.Errorf("skip: %+v", got)
	}
}

func TestServeDiesWithTheTarget(t *testing.T) {
	p := start(t, wire.Config{Mode: wire.Serve, Target: "FuzzBehaviour"})
	if got := p.run("exit"); got != nil {
		t.Fatalf("%+v", got)
	}
	if err := p.end(); err != nil {
		t.Errorf("os.Exit(0) gave %v", err)
	}
}

func TestEndOfRequestsLetsTestMainTearDown(t *testing.T) {
	torn := filepath.Join(t.TempDir(), "torn")
	for _, config := range []wire.Config{
		{Mode: wire.Describe, Target: "FuzzBehaviour"},
		{Mode: wire.Serve, Target: "FuzzBehaviour"},
	} {
		p := start(t, config, "TEARDOWN="+torn)
		if err := p.end(); err != nil {
			t.Errorf("%s: %v\n%s", config.Mode, err, p.output.String())
		}
		if err := os.Remove(torn); err != nil {
			t.Errorf("%s: %v", config.Mode, err)
		}
	}
}

func TestDescribeListsSeedsWithoutRunningThem(t *testing.T) {
	p := start(t, wire.Config{Mode: wire.Describe, Target: "FuzzTypes"})
	m := p.message()
	if m == nil || m.Description == nil {
		t.Fatalf("%+v\n%s", m, p.output.String())
	}
	d := m.Description
	if len(d.Seeds) != 1 || len(d.Args) != 15 || d.Args[5] != "int32" {
		t.Fatalf("%+v", d)
	}
	src := string(args.Signature(d.Args).GoFile(d.Seeds[0]))
	want := "go test fuzz v1\nstring(\"s\")\nbool(true)\nint(1)\nint8(2)\nint16(3)\nrune('\\x04')\nint64(5)\n[]byte(\"b\")\n" +
		"uint(6)\nbyte('\\a')\nuint16(8)\nuint32(9)\nuint64(10)\nfloat32(1.5)\nfloat64(2.5)\n"
	if src != want {
		t.Errorf("got\n%s", src)
	}
	s := start(t, wire.Config{Mode: wire.Serve, Target: "FuzzTypes"})
	got := s.run(string(d.Seeds[0]))
	if got == nil || len(got.Timeline) != 1 || got.Timeline[0] != "strue 1 2 3 4 5 [98] 6 7 8 9 10 1.5 2.5" {
		t.Errorf("%+v\n%s", got, s.output.String())
	}
}

func TestTestdataSeedsAreDescribed(t *testing.T) {
	dir := t.TempDir()
	seeds := filepath.Join(dir, "testdata", "fuzz", "FuzzBehaviour")
	if err := os.MkdirAll(seeds, 0o755); err != nil {
		t.Fatal(err)
	}
	file := args.Signature{"[]byte"}.GoFile([]byte("from a file"))
	if err := os.WriteFile(filepath.Join(seeds, "mine"), file, 0o644); err != nil {
		t.Fatal(err)
	}
	m := startIn(t, dir, wire.Config{Mode: wire.Describe, Target: "FuzzBehaviour"}).message()
	if m == nil || m.Description == nil || !reflect.DeepEqual(m.Description.Seeds, [][]byte{[]byte("seed"), []byte("from a file")}) {
		t.Errorf("%+v", m)
	}
}

func TestEqualRunsHaveEqualHashes(t *testing.T) {
	p := start(t, wire.Config{Mode: wire.Serve, Target: "FuzzBehaviour"})
	first, other, again := p.run("plain"), p.run("recovered"), p.run("plain")
	if first.Hash != again.Hash || first.Hash == other.Hash {
		t.Errorf("%x %x %x", first.Hash, other.Hash, again.Hash)
	}
}

func TestWithoutACampaignTheTargetIsAnOrdinaryTest(t *testing.T) {
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t}
	p.cmd = commandIn(t.TempDir(), path, "-test.run=^FuzzTypes$", "-test.v")
	out, err := p.cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: FuzzTypes/seed#0") {
		t.Errorf("%v\n%s", err, out)
	}
}
