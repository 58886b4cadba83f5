// Command ijongo fuzzes real Go systems by their protocol states.
//
// Run ijongo help for its commands. The exit code is 0 when nothing was
// found, 1 when a failure was found, and 2 for an error of usage, build or
// environment.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// A command is one subcommand. Its run function gets the arguments behind
// its name; what it returns is printed, and makes the exit code.
type command struct {
	name    string
	args    string
	summary string
	run     func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

var commands = []command{
	{"instrument", "[flags] PACKAGES", "write an instrumented copy of the module", runInstrument},
	{"list", "[flags] PACKAGES", "show every annotation and what becomes of it", runList},
	{"vet", "[flags] PACKAGES", "check the annotations; also a go vet -vettool", runVet},
	{"expand", "[flags] FILE.go", "show the instrumented source of a file", runExpand},
	{"strip", "[flags] PACKAGES", "remove every annotation from the source", runStrip},
	{"fuzz", "[flags] PACKAGE", "instrument, build, search for failures", runFuzz},
	{"build", "[flags] PACKAGE", "instrument, and build a binary for afl-fuzz", runBuild},
	{"status", "[flags] DIR…", "tell how a campaign is getting on, or how it ended", runStatus},
	{"replay", "[flags] FILE", "print the timeline of a schedule", runReplay},
	{"minimize", "[flags] FILE", "make a failing schedule smaller", runMinimize},
	{"merge", "[-o DIR] DIR…", "bring what campaigns have found into one folder", runMerge},
	{"cmin", "[flags] DIR|PACKAGE", "make the corpus of a campaign smaller that brings the same", runCmin},
	{"mutator", "[flags] PACKAGE", "build a library with which afl-fuzz makes schedules", runMutator},
	{"test", "[flags] PACKAGES", "run go test, and report functional coverage", runTest},
	{"cover", "[flags] DIR|FILE…", "report functional coverage; merge and compare it", runCover},
}

// exitError ends the program with Code. Msg may be empty: all has been said.
type exitError struct {
	Code int
	Msg  string
}

func (e *exitError) Error() string { return e.Msg }

// errFound is what a command returns when it has found, and reported, a
// failure of the code under test.
var errFound = &exitError{Code: 1}

func main() {
	if isVetTool(os.Args[1:]) {
		vetTool()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := dispatch(ctx, args, stdout, stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	code := 2
	if exit := new(exitError); errors.As(err, &exit) {
		code = exit.Code
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = errors.New("ijongo: interrupted")
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintln(stderr, shortPaths(msg))
	}
	return code
}

func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		usage(stderr)
		return &exitError{Code: 2}
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		usage(stdout)
		return nil
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(ctx, args[1:], stdout, stderr)
		}
	}
	return fmt.Errorf("ijongo: unknown command %q (ijongo help lists them)", args[0])
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: ijongo COMMAND [arguments]")
	fmt.Fprintln(w)
	for _, c := range commands {
		fmt.Fprintf(w, "  %-30s %s\n", c.name+" "+c.args, c.summary)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "ijongo COMMAND -h describes the flags of a command.")
}

// parseFlags parses the arguments of a command. It prints the usage where it
// was asked for, and returns flag.ErrHelp then.
func parseFlags(fs *flag.FlagSet, args []string, synopsis string, stdout io.Writer) error {
	fs.SetOutput(io.Discard)
	err := fs.Parse(args)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "usage: ijongo %s %s\n", fs.Name(), synopsis)
		fs.SetOutput(stdout)
		fs.PrintDefaults()
		return flag.ErrHelp
	}
	return fmt.Errorf("ijongo %s: %w (ijongo %s -h lists the flags)", fs.Name(), err, fs.Name())
}

// shortPaths shows the files of a message relative to the current folder, as
// go vet does.
func shortPaths(msg string) string {
	wd, err := os.Getwd()
	if err != nil || wd == filepath.Dir(wd) {
		return msg
	}
	return strings.ReplaceAll(msg, wd+string(filepath.Separator), "")
}
