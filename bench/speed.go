package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

func speed(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("speed", flag.ContinueOnError)
	benchtime := fs.Duration("benchtime", 2*time.Second, "time of one measurement")
	only := fs.Bool("raft", false, "measure the harness of etcd/raft only")
	dir, remove, err := begin(fs, args)
	if err != nil {
		return err
	}
	defer remove()
	ijongo, err := buildCommand(ctx, dir)
	if err != nil {
		return err
	}
	if *only {
		return harness(ctx, ijongo, dir, *benchtime)
	}
	return errors.Join(
		hotPaths(ctx, *benchtime),
		harness(ctx, ijongo, dir, *benchtime),
		empty(ctx, ijongo, dir, *benchtime),
	)
}

// hotPaths passes on what the benchmarks beside the code print.
func hotPaths(ctx context.Context, d time.Duration) error {
	out, err := command(ctx, ".", "go", "test", "-run=^$", "-bench=.", "-benchmem", "-cpu=1", "-benchtime="+d.String(), "./runtime", "./fuzz")
	os.Stdout.Write(regexp.MustCompile(`(?m)^Benchmark.*\n`).ReplaceAllFunc(out, func(line []byte) []byte { return line }))
	return err
}

var perCPU = regexp.MustCompile(`([0-9.e+]+) events/cpu-s`)

const raftExample = "examples/etcd-raft"

// harness compares events per CPU-second of etcd/raft as it is and as it is
// fuzzed, and that without and with covergroups.
func harness(ctx context.Context, ijongo, dir string, d time.Duration) error {
	plain, err := newHarness(ctx, raftExample, filepath.Join(dir, "plain"))
	if err != nil {
		return err
	}
	without, err := instrumentedHarness(ctx, ijongo, filepath.Join(dir, "without"), "raft.ijon")
	if err != nil {
		return err
	}
	with, err := instrumentedHarness(ctx, ijongo, filepath.Join(dir, "with"), "raft.ijon", "cover.ijon")
	if err != nil {
		return err
	}
	rates, err := inTurn(15,
		func() (float64, error) { return plain.rate(ctx, "features=off", d) },
		func() (float64, error) { return without.rate(ctx, "groups=off", d) },
		func() (float64, error) { return with.rate(ctx, "features=on", d) },
	)
	if err != nil {
		return err
	}
	fmt.Printf("etcd/raft, events per CPU-second: %.0f as it is, %.0f instrumented without covergroups (%.2f), %.0f with all feedback (%.2f, of that without covergroups %.2f)\n",
		rates[0], rates[1], rates[1]/rates[0], rates[2], rates[2]/rates[0], rates[2]/rates[1])
	return nil
}

// A raftHarness is the test binary of the example, and the folder to run it in.
type raftHarness struct{ dir, binary string }

func newHarness(ctx context.Context, dir, to string) (h raftHarness, err error) {
	h = raftHarness{dir, to + ".test"}
	_, err = command(ctx, dir, "go", "test", "-c", "-o", h.binary, ".")
	return h, err
}

// instrumentedHarness makes a copy of the example by some of its sidecars.
func instrumentedHarness(ctx context.Context, ijongo, to string, sidecars ...string) (raftHarness, error) {
	args := []string{"instrument", "-hook", "-o", to}
	for _, s := range sidecars {
		args = append(args, "-annotations", s)
	}
	if _, err := command(ctx, raftExample, ijongo, append(args, ".")...); err != nil {
		return raftHarness{}, err
	}
	return newHarness(ctx, to, to)
}

// rate is the events per CPU-second of a part of BenchmarkEvents, on one
// processor and with the collector set as in a campaign.
func (h raftHarness) rate(ctx context.Context, part string, d time.Duration) (float64, error) {
	out, err := command(ctx, h.dir, "env", "GOGC=400", h.binary,
		"-test.run=^$", "-test.bench=Events/"+part, "-test.cpu=1", "-test.benchtime="+d.String())
	if err != nil {
		return 0, err
	}
	m := perCPU.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("no events/cpu-s in:\n%s", out)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

var goFuzzRate = regexp.MustCompile(`execs: [0-9]+ \(([0-9]+)/sec\)`)

// empty compares runs a second of a target that does nothing, one worker each.
func empty(ctx context.Context, ijongo, dir string, d time.Duration) error {
	pkg := filepath.Join(dir, "empty")
	if err := os.CopyFS(pkg, os.DirFS("bench/testdata/empty")); err != nil {
		return err
	}
	d = max(d, 4*time.Second) // go test -fuzz reports every three seconds
	ours := func() (float64, error) {
		out, err := command(ctx, pkg, ijongo, "fuzz", "-workers=1", "-json", "-dir", filepath.Join(dir, "campaign"), "-time="+d.String(), ".")
		if err != nil {
			return 0, err
		}
		return runsPerSecond(out)
	}
	theirs := func() (float64, error) {
		out, err := command(ctx, pkg, "go", "test", "-fuzz=FuzzEmpty", "-parallel=1", "-fuzztime="+d.String(), ".")
		if err != nil {
			return 0, err
		}
		all := goFuzzRate.FindAllSubmatch(out, -1)
		if len(all) == 0 {
			return 0, fmt.Errorf("no rate in:\n%s", out)
		}
		best := 0.0
		for _, m := range all {
			rate, err := strconv.ParseFloat(string(m[1]), 64)
			if err != nil {
				return 0, err
			}
			best = max(best, rate)
		}
		return best, nil
	}
	rates, err := inTurn(3, theirs, ours)
	if err != nil {
		return err
	}
	go_, mine := rates[0], rates[1]
	fmt.Printf("empty target, runs a second of one worker: %.0f go test -fuzz, %.0f ijongo (%.1f times)\n", go_, mine, mine/go_)
	return nil
}

// runsPerSecond reads the last line of a campaign's -json.
func runsPerSecond(out []byte) (float64, error) {
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var line struct {
			Type string
			Data struct {
				Elapsed time.Duration
				Runs    float64
			}
		}
		if err := dec.Decode(&line); errors.Is(err, io.EOF) {
			return 0, errors.New("the campaign did not report its end")
		} else if err != nil {
			return 0, err
		}
		if line.Type == "end" {
			return line.Data.Runs / line.Data.Elapsed.Seconds(), nil
		}
	}
}

// inTurn measures rates in turn and returns the median of each.
func inTurn(rounds int, rates ...func() (float64, error)) (medians []float64, err error) {
	measured := make([][]float64, len(rates))
	for range rounds {
		for i, rate := range rates {
			r, err := rate()
			if err != nil {
				return nil, err
			}
			measured[i] = append(measured[i], r)
		}
	}
	for _, m := range measured {
		medians = append(medians, median(m))
	}
	return medians, nil
}

// command runs a program and returns its standard output.
func command(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %v: %w\n%s%s", filepath.Base(name), args, err, out, stderr.Bytes())
	}
	return out, err
}
