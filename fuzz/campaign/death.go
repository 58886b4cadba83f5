package campaign

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"syscall"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// died is the outcome of a run during which the target ended: what it printed
// from the fault on, under a key that is the same for equal faults.
func died(state *os.ProcessState, printed string) wire.Outcome {
	report := faultReport(printed)
	if report == "" {
		return silent(state, printed)
	}
	if outOfMemory.MatchString(report) {
		return wire.Outcome{Fault: wire.Memory, Key: memoryKey(report), Text: steady(report)}
	}
	return wire.Outcome{
		Fault: wire.Crash,
		Key:   crashKey(report),
		Text:  steady(report),
	}
}

// silent is a death without a word from the Go runtime: os.Exit, or a signal.
func silent(state *os.ProcessState, printed string) wire.Outcome {
	o := wire.Outcome{Fault: wire.Exit, Key: state.String()}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		o.Fault = wire.Crash
	}
	o.Text = "the target ended: " + o.Key
	if printed = strings.TrimSpace(printed); printed != "" {
		o.Text += "\nit had printed:\n" + steady(printed)
	}
	return o
}

var (
	faultLine = regexp.MustCompile(`(?m)^(panic: |fatal error: |SIG[A-Z]+: |runtime: goroutine stack exceeds|WARNING: DATA RACE)`)
	// What the Go runtime says when the kernel gives it no more.
	outOfMemory = regexp.MustCompile(`^fatal error: .*(out of memory|cannot allocate memory)`)

	address   = regexp.MustCompile(`0x[0-9a-f]{2,}\??`)
	number    = regexp.MustCompile(`[0-9]+`)
	routine   = regexp.MustCompile(`(?m)^goroutine [0-9]+ (gp=\S+ m=\S+ (mp=\S+ )?)?\[`)
	creator   = regexp.MustCompile(`(?m)^(created by .* in goroutine )[0-9]+$`)
	arguments = regexp.MustCompile(`(?m)^(\S.*)\((?:[^()\n]|\{[^}\n]*\})*\)$`)
	register  = regexp.MustCompile(`(?m)^[a-z][a-z0-9]{1,5} +0x[0-9a-f]+\n`)
	frame     = regexp.MustCompile(`(?m)^(\S+)\(.*\)\n\t(\S+):([0-9]+)`)
)

// faultReport is the part of a target's output in which the Go runtime says
// why it ends the process: from the last such line that stands above a
// goroutine's stack, because a program may also print panics that it recovered.
func faultReport(printed string) string {
	starts := faultLine.FindAllStringIndex(printed, -1)
	if len(starts) == 0 {
		return ""
	}
	for i := len(starts) - 1; i >= 0; i-- {
		if routine.MatchString(printed[starts[i][0]:]) {
			return printed[starts[i][0]:]
		}
	}
	return printed[starts[0][0]:]
}

// crashKey is the first line of a report without its numbers, and the first
// function on the stack that belongs to the user.
func crashKey(report string) string {
	line, _, _ := strings.Cut(report, "\n")
	line = strings.TrimSuffix(line, " [recovered]")
	key := number.ReplaceAllString(address.ReplaceAllString(line, "N"), "N")
	if where := userFrame(report); where != "" {
		key += " at " + where
	}
	return key
}

// memoryKey has the function that asked for more, and not the line: what grows
// without end does so in several.
func memoryKey(report string) string {
	const key = "out of memory"
	if where, _, ok := strings.Cut(userFrame(report), " ("); ok {
		return key + " in " + where
	}
	return key
}

// notUsers are the functions in which a fault shows but never lies.
var notUsers = []string{
	"panic", "runtime.", "runtime/", "testing.", "internal/", "sync.", "sync/", "syscall.", "os.", "reflect.",
	"github.com/ijongo/ijongo/fuzz.", "github.com/ijongo/ijongo/fuzz/mutate.", "github.com/ijongo/ijongo/fuzz/args.", "github.com/ijongo/ijongo/runtime.",
}

func userFrame(report string) string {
	at := routine.FindStringIndex(report)
	if at == nil {
		return ""
	}
	stack, _, _ := strings.Cut(report[at[0]:], "\n\n") // of the first goroutine
	for _, f := range frame.FindAllStringSubmatch(stack, -1) {
		if !hasPrefix(f[1], notUsers) {
			return fmt.Sprintf("%s (%s:%s)", f[1], path.Base(f[2]), f[3])
		}
	}
	return ""
}

func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// steady removes from a stack what differs between equal runs: addresses, the
// words that stand for arguments, registers, and the numbers of goroutines.
func steady(text string) string {
	text = register.ReplaceAllString(text, "")
	text = routine.ReplaceAllString(text, "goroutine N [")
	text = creator.ReplaceAllString(text, "${1}N")
	text = arguments.ReplaceAllStringFunc(text, func(line string) string {
		if !strings.Contains(line, "(0x") && !strings.Contains(line, "({0x") {
			return line
		}
		return arguments.ReplaceAllString(line, "$1(...)")
	})
	return address.ReplaceAllString(text, "0xN")
}
