package afl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// EnvTool names the environment variable that says which afl-fuzz to use: a
// path, or a command that starts it.
const EnvTool = "IJONGO_AFL_FUZZ"

// A Tool is an afl-fuzz that can be started.
type Tool struct {
	Command []string // and what goes before it
	Version string   // such as 4.04c
}

// VersionIn is the version that afl-fuzz tells in what it prints; empty if it does not.
func VersionIn(printed string) string {
	if m := banner.FindStringSubmatch(Plain(printed)); m != nil {
		return m[1]
	}
	return ""
}

// startTime is how long afl-fuzz may take to say which version it is.
const startTime = 20 * time.Second

// banner is how afl-fuzz introduces itself.
var banner = regexp.MustCompile(`afl-fuzz\+\+([0-9][^\s]*)`)

// Find finds afl-fuzz: what [EnvTool] says, or the one in PATH.
func Find(ctx context.Context) (*Tool, error) {
	command := strings.Fields(os.Getenv(EnvTool))
	if len(command) == 0 {
		path, err := exec.LookPath("afl-fuzz")
		if err != nil {
			return nil, fmt.Errorf("afl-fuzz is not in PATH (it is in the package afl++ of Debian and Ubuntu: apt-get install afl++; or name it in %s)", EnvTool)
		}
		command = []string{path}
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	said, err := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], "-h")...).CombinedOutput()
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return nil, err
	}
	version := VersionIn(string(said)) // its exit code is 1
	switch {
	case version != "":
		return &Tool{command, version}, nil
	case len(said) == 0 && err != nil:
		return nil, fmt.Errorf("cannot run %s: %w (%s names afl-fuzz, or a command that starts it)", strings.Join(command, " "), err, EnvTool)
	}
	return nil, fmt.Errorf("%s is no afl-fuzz of AFL++; it says:\n%s", strings.Join(command, " "), LastLines(Plain(string(said))))
}

// color is what a terminal does not show.
var color = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|[\x0e\x0f\r]")

// Plain is what afl-fuzz has printed, without colors.
func Plain(text string) string { return color.ReplaceAllString(text, "") }

// lastLines is how much is shown of what afl-fuzz has printed.
const lastLines = 14

// LastLines are those, without blank ones.
func LastLines(text string) string {
	var lines []string
	for _, l := range strings.Split(text, "\n") {
		if strings.TrimSpace(l) != "" {
			lines = append(lines, strings.TrimRight(l, " "))
		}
	}
	return strings.Join(lines[max(0, len(lines)-lastLines):], "\n")
}

// Advice is what to do about the reason that afl-fuzz gives for having ended,
// empty if that is not known.
func Advice(text string) string {
	for _, a := range []struct{ said, advice string }{
		{"shmget() failed", "there is no shared memory left: ipcs -m lists segments, ipcrm removes those of instances that were killed"},
		{"shm_open() failed", "there is no shared memory left: see what is in /dev/shm"},
		{"No more free CPU cores", "set AFL_NO_AFFINITY=1, or name fewer -workers"},
		{"core_pattern", "set AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1: the target reports its own crashes"},
		{"is in use", "another afl-fuzz of this name works in the folder: end it, or give this campaign a -name"},
		{"At-risk data", "AFL_AUTORESUME=1 goes on from there"},
		{"No space left on device", "the disk is full"},
		{"o instrumentation detected", "is the target of another system, or older than this ijongo?"},
		{"fork server", "the target did not answer: start it by itself to see why"},
		{"andshake failed", "the target did not answer: start it by itself to see why"},
	} {
		if strings.Contains(text, a.said) {
			return a.advice
		}
	}
	return ""
}
