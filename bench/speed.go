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
	if err := fs.Parse(args); err != nil {
		return err
	}
	dir, remove, err := workspace()
	if err != nil {
		return err
	}
	defer remove()
	ijongo, err := buildCommand(ctx, dir)
	if err != nil {
		return err
	}
	return errors.Join(
		hotPaths(ctx, *benchtime),
		harness(ctx, ijongo, filepath.Join(dir, "copy"), *benchtime),
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

// harness compares events per CPU-second of etcd/raft as it is and as it is
// fuzzed, on one processor and with the collector set as in a campaign.
func harness(ctx context.Context, ijongo, copy string, d time.Duration) error {
	const pkg = "examples/etcd-raft"
	if _, err := command(ctx, pkg, ijongo, "instrument", "-hook", "-annotations", "raft.ijon", "-o", copy, "."); err != nil {
		return err
	}
	binary := map[string]string{} // by folder
	for _, dir := range []string{pkg, copy} {
		binary[dir] = filepath.Join(filepath.Dir(copy), fmt.Sprintf("harness%d.test", len(binary)))
		if _, err := command(ctx, dir, "go", "test", "-c", "-o", binary[dir], "."); err != nil {
			return err
		}
	}
	measure := func(dir, sub string) (float64, error) {
		out, err := command(ctx, dir, "env", "GOGC=400", binary[dir],
			"-test.run=^$", "-test.bench=Events/"+sub, "-test.cpu=1", "-test.benchtime="+d.String())
		if err != nil {
			return 0, err
		}
		m := perCPU.FindSubmatch(out)
		if m == nil {
			return 0, fmt.Errorf("no events/cpu-s in:\n%s", out)
		}
		return strconv.ParseFloat(string(m[1]), 64)
	}
	plain, instrumented, err := inTurn(15,
		func() (float64, error) { return measure(pkg, "features=off") },
		func() (float64, error) { return measure(copy, "features=on") },
	)
	if err != nil {
		return err
	}
	fmt.Printf("etcd/raft, events per CPU-second: %.0f as it is, %.0f instrumented with all feedback (%.2f)\n", plain, instrumented, instrumented/plain)
	return nil
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
	go_, mine, err := inTurn(3, theirs, ours)
	if err != nil {
		return err
	}
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

// inTurn measures two rates alternately and returns the median of each.
func inTurn(rounds int, a, b func() (float64, error)) (float64, float64, error) {
	var as, bs []float64
	for range rounds {
		x, err := a()
		if err != nil {
			return 0, 0, err
		}
		y, err := b()
		if err != nil {
			return 0, 0, err
		}
		as, bs = append(as, x), append(bs, y)
	}
	return median(as), median(bs), nil
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
