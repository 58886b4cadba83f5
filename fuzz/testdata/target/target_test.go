package target

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/ijongo/ijongo/fuzz"
	ijon "github.com/ijongo/ijongo/runtime"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if path := os.Getenv("TEARDOWN"); path != "" {
		if err := os.WriteFile(path, []byte("torn down"), 0o644); err != nil {
			panic(err)
		}
	}
	os.Exit(code)
}

var lastDir string

// FuzzBehaviour does what its input says.
func FuzzBehaviour(f *testing.F) {
	f.Add([]byte("seed"))
	fuzz.Hook(f)(func(t *testing.T, data []byte) {
		do := behaviours[string(data)]
		if do == nil {
			ijon.Logf("plain run of %q", data)
			return
		}
		do(t)
	})
}

var behaviours = map[string]func(t *testing.T){
	"fatal":      func(t *testing.T) { t.Fatalf("term went back") },
	"error":      func(t *testing.T) { t.Error("one"); t.Error("two") },
	"skip":       func(t *testing.T) { t.Skip("not today") },
	"error skip": func(t *testing.T) { t.Error("bad"); t.SkipNow() },
	"panic":      func(t *testing.T) { var m map[string]int; m["x"] = 1 },
	"helper":     helper,
	"goexit":     func(t *testing.T) { runtime.Goexit() },
	"exit":       func(t *testing.T) { os.Exit(0) },
	"parallel":   func(t *testing.T) { t.Parallel(); ijon.Logf("went on") },
	"spoil":      func(t *testing.T) {},
	"violated":   func(t *testing.T) { ijon.Violated("two leaders"); t.Fatal("n1 and n2") },
	"recovered": func(t *testing.T) {
		defer func() { recover() }()
		ijon.Always(ijon.Declare(ijon.VerbAlways, "n >= 0"), false)
	},
	"cleanup": func(t *testing.T) {
		t.Cleanup(func() { ijon.Logf("first registered") })
		t.Cleanup(func() { ijon.Logf("last registered") })
		ijon.Logf("body")
	},
	"cleanup fails":  func(t *testing.T) { t.Cleanup(func() { t.Errorf("leaked") }) },
	"cleanup panics": func(t *testing.T) { t.Cleanup(func() { panic("in cleanup") }) },
	"fatal cleanup":  func(t *testing.T) { t.Cleanup(func() { ijon.Logf("cleaned up") }); t.Fatal("no") },
	"tempdir": func(t *testing.T) {
		dir := t.TempDir()
		_, err := os.Stat(lastDir)
		ijon.Logf("fresh: %v, the last one is gone: %v", dir != lastDir, os.IsNotExist(err) || lastDir == "")
		lastDir = dir
	},
	"setenv": func(t *testing.T) {
		ijon.Logf("before: %q", os.Getenv("IJONGO_TEST_ROLE"))
		t.Setenv("IJONGO_TEST_ROLE", "leader")
	},
	"context": func(t *testing.T) {
		ctx := t.Context()
		done := ctx.Done()
		t.Cleanup(func() { <-done; ijon.Logf("context ended") })
	},
	"subtest":        func(t *testing.T) { t.Run("sub", func(t *testing.T) { ijon.Logf("in a subtest") }) },
	"subtest fails":  func(t *testing.T) { t.Run("sub", func(t *testing.T) { t.Fatal("below") }) },
	"subtest panics": func(t *testing.T) { t.Run("sub", func(t *testing.T) { panic("below") }) },
	"log":            func(t *testing.T) { t.Log("only talk") },
	"other goroutine": func(t *testing.T) {
		done := make(chan bool)
		go func() { defer close(done); t.Errorf("from a goroutine") }()
		<-done
	},
}

func helper(t *testing.T) { inner(t) }

func inner(t *testing.T) { t.Helper(); t.Fatal("in a helper") }

func FuzzTypes(f *testing.F) {
	f.Add("s", true, 1, int8(2), int16(3), int32(4), int64(5), []byte("b"), uint(6), byte(7), uint16(8), uint32(9), uint64(10), float32(1.5), 2.5)
	fuzz.Hook(f)(func(t *testing.T, s string, b bool, i int, i8 int8, i16 int16, r rune, i64 int64, p []byte,
		u uint, u8 byte, u16 uint16, u32 uint32, u64 uint64, f32 float32, f64 float64) {
		ijon.Logf("%s", fmt.Sprint(s, b, i, i8, i16, r, i64, p, u, u8, u16, u32, u64, f32, f64))
	})
}

// FuzzSlow plays schedules of which one in some hundred fails.
func FuzzSlow(f *testing.F) {
	ijon.Schedule(ijon.Layout{Header: 1, Record: 2, Kinds: []ijon.Kind{{Name: "tick", Weight: 3}, {Name: "crash", Weight: 1}}})
	fuzz.Hook(f)(func(t *testing.T, data []byte) {
		t.Cleanup(func() {})
		if len(data) > 3 && data[0] == 7 && data[1] == 1 {
			t.Errorf("crashed at once")
		}
	})
}

func FuzzEmpty(f *testing.F) {
	fuzz.Hook(f)(func(t *testing.T, n int, s string) {})
}
