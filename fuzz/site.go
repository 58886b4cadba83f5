package fuzz

import (
	"fmt"
	"path"
	"regexp"
	"runtime"
	"strings"
)

// unknownSite is the place of a failure that cannot be told.
const unknownSite = "somewhere"

// ours are the packages whose frames say nothing about the code under test.
var ours = []string{
	"runtime.", "testing.", "reflect.", "runtime/debug.",
	"github.com/ijongo/ijongo/runtime.",
	"github.com/ijongo/ijongo/fuzz.",
	"github.com/ijongo/ijongo/sim.",
}

// userSite is the innermost frame of the stack that belongs to the user. It
// is called by a deferred function, while the frames that panicked or called
// Goexit are still there.
func userSite() string {
	var pcs [128]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		frame, more := frames.Next()
		if frame.Function != "" && !isOurs(frame.Function) {
			return fmt.Sprintf("%s (%s:%d)", frame.Function, path.Base(frame.File), frame.Line)
		}
		if !more {
			return unknownSite
		}
	}
}

func isOurs(function string) bool {
	for _, prefix := range ours {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}

var location = regexp.MustCompile(`(?m)^\s*([^\s:]+\.go:\d+): `)

// failSite is the place of a failure: where the test ended itself or else,
// for t.Error, the first line that it logged.
func failSite(exit, output string) string {
	if strings.Contains(output, "race detected during execution of test") {
		return "data race"
	}
	if exit != "" && exit != unknownSite {
		return exit
	}
	if at := location.FindStringSubmatch(output); at != nil {
		return at[1]
	}
	return unknownSite
}

// logged is what a test has logged, without the frame that testing puts round
// the output of a failed subtest.
func logged(output string) string {
	if output == "" {
		return ""
	}
	lines := strings.SplitAfter(output, "\n")
	if !strings.HasPrefix(strings.TrimSpace(lines[0]), "--- FAIL: ") {
		return output
	}
	indent := lines[0][:strings.Index(lines[0], "-")] + "    "
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], indent)
	}
	return strings.Join(lines[1:], "")
}

// describePanic is the text of a panic value, as the runtime prints it.
func describePanic(value interface{}) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("(%T)", value) // its own method panics
		}
	}()
	switch v := value.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprintf("%v", value)
}
