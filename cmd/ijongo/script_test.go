package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ijongo": main})
}

// TestScript runs the scripts of testdata/script on the real program.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		Setup:               goEnvironment,
		Condition:           condition,
		Cmds:                map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits, "bins": bins},
	})
}

// goEnvironment lets the go command of a script use the caches and settings
// of the one that runs the test. ROOT is the folder of this module.
func goEnvironment(env *testscript.Env) error {
	root, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	env.Setenv("ROOT", root)
	names := []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOFLAGS", "GOTOOLCHAIN", "CGO_ENABLED"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return err
	}
	values := strings.Split(string(out), "\n")
	for i, name := range names {
		env.Setenv(name, values[i])
	}
	env.Setenv("TOOLS502", os.Getenv(envAFL502)) // afl-fuzz takes its own name for a mistake
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE"} {
		if v, ok := os.LookupEnv(name); ok {
			env.Setenv(name, v)
		}
	}
	return nil
}

// envAFL502 names the folder with the commands of AFL++ 5.02c.
const envAFL502 = "AFL_TOOLS_502"

// condition tells whether a script may use cgo, and with it the race detector,
// the afl-fuzz in PATH, and that of 5.02c.
func condition(name string) (bool, error) {
	switch name {
	case "cgo":
		out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
		return strings.TrimSpace(string(out)) == "1", err
	case "afl":
		_, err := exec.LookPath("afl-fuzz")
		if err != nil && os.Getenv("IJONGO_AFL") == "required" {
			return false, err
		}
		return err == nil, nil
	case "afl502":
		return os.Getenv(envAFL502) != "", nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// exits runs a program that must end with an exit code: exits CODE PROGRAM ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
