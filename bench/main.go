// Bench prints the numbers of the README on the machine that it runs on.
//
//	go run ./bench              what random, guided and other searches find in etcd/raft, and when: docs/benchmark.md
//	go run ./bench find         how long until the stale read of etcd/raft is found, guided and random
//	go run ./bench speed        the hot paths, etcd/raft instrumented and not, and an empty target beside go test -fuzz
//	go run ./bench instrument   what it takes to instrument etcd/raft, beside go build -cover and another instrumentor
//	go run ./bench overhead     what counters cost at run time, beside those of the go command and of the compiler
//	go run ./bench coverage     what etcd/raft's own tests cover of its states, and what a campaign adds
//	go run ./bench soak         whether anything is lost of a campaign that is killed every few seconds, and what memory it takes
//	go run ./bench afl          an empty target under AFL++, ours and in C; a target that is disturbed in every way; our mutator beside AFL++'s own
//	go run ./bench witness      whether each fault of bench/mutants.rules is killed by the schedule that shows it, and with -own by raft's tests
//
// Rates that are compared are measured in turn in one run; what counts is
// their ratio.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return contest(ctx, args, os.Stdout, os.Stderr)
	}
	commands := map[string]func(context.Context, []string) error{"find": find, "speed": speed, "instrument": instrument, "overhead": overhead, "coverage": coverage, "soak": soak, "afl": underAFL, "witness": witness}
	if commands[args[0]] == nil {
		return fmt.Errorf("no command %s (there are find, speed, instrument, overhead, coverage, soak, afl and witness)", args[0])
	}
	return commands[args[0]](ctx, args[1:])
}

// buildCommand builds the ijongo command into dir.
func buildCommand(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(dir, "ijongo")
	_, err := command(ctx, ".", "go", "build", "-o", path, "./cmd/ijongo")
	return path, err
}

// begin reads the flags of a command and makes its workspace.
func begin(fs *flag.FlagSet, args []string) (dir string, remove func(), err error) {
	if err := fs.Parse(args); err != nil {
		return "", nil, err
	}
	return workspace()
}

// workspace is a temporary folder and what removes it.
func workspace() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", "ijongo-bench-")
	return dir, func() { os.RemoveAll(dir) }, err
}
