package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// A variant is a way to make the test binary of the kernels.
type variant struct {
	name string
	dir  string   // of the module, or of its instrumented copy
	args []string // of go test
}

// counted are the packages that have counters, whoever makes them.
const (
	kernelModule = "example.com/kernels"
	raftModule   = "go.etcd.io/raft/v3"
)

var kernels = []string{"Sort", "Interpret", "Propose"}

// overhead compares what counters cost at run time.
func overhead(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("overhead", flag.ContinueOnError)
	rounds := fs.Int("rounds", 15, "how often each binary runs")
	benchtime := fs.Duration("benchtime", 100*time.Millisecond, "time of one measurement")
	dir, remove, err := begin(fs, args)
	if err != nil {
		return err
	}
	defer remove()
	builds, err := kernelBuilds(ctx, dir)
	if err != nil {
		return err
	}
	var made []variant
	for _, b := range builds {
		args := append([]string{"test", "-c", "-o", filepath.Join(dir, b.name)}, b.args...)
		if _, err := command(ctx, b.dir, "go", append(args, ".")...); err != nil {
			fmt.Printf("%s is left out: %v\n", b.name, err)
			continue
		}
		made = append(made, b)
	}
	if len(made) == 0 || made[0].name != builds[0].name {
		return errors.New("the kernels do not build")
	}
	return compare(ctx, dir, made, *rounds, *benchtime)
}

// kernelBuilds copies the kernels and instruments the copy. The first one has
// no counters; the one of libfuzzer is what go test -fuzz builds.
func kernelBuilds(ctx context.Context, dir string) ([]variant, error) {
	plain, copied := filepath.Join(dir, "kernels"), filepath.Join(dir, "copy")
	if err := os.CopyFS(plain, os.DirFS("bench/testdata/kernels")); err != nil {
		return nil, err
	}
	ijongo, err := buildCommand(ctx, dir)
	if err != nil {
		return nil, err
	}
	if _, err := command(ctx, plain, ijongo, "instrument", "-module", raftModule, "-o", copied, "."); err != nil {
		return nil, err
	}
	coverpkg := "-coverpkg=" + kernelModule + "/...," + raftModule + "/..."
	return []variant{
		{"plain", plain, nil},
		{"ijongo", copied, nil},
		{"count", plain, []string{"-covermode=count", coverpkg}},
		{"atomic", plain, []string{"-covermode=atomic", coverpkg}},
		{"libfuzzer", plain, []string{"-gcflags=" + kernelModule + "/...=-d=libfuzzer", "-gcflags=" + raftModule + "/...=-d=libfuzzer"}},
	}, nil
}

// compare runs the binaries in turn and prints, for each kernel, the median
// of the ratios to the first binary in the same round.
func compare(ctx context.Context, dir string, builds []variant, rounds int, benchtime time.Duration) error {
	ratios := map[string][]float64{} // by build and kernel
	for range rounds {
		first := map[string]float64{}
		for i, b := range builds {
			ns, err := runKernels(ctx, filepath.Join(dir, b.name), benchtime)
			if err != nil {
				return err
			}
			if i == 0 {
				first = ns
			}
			for kernel, t := range ns {
				ratios[b.name+kernel] = append(ratios[b.name+kernel], t/first[kernel])
			}
		}
	}
	fmt.Printf("CPU time of a kernel with counters, as a multiple of the time without; median of %d rounds\n%-10s", rounds, "")
	for _, kernel := range kernels {
		fmt.Printf(" %9s", kernel)
	}
	fmt.Println()
	for _, b := range builds[1:] {
		fmt.Printf("%-10s", b.name)
		for _, kernel := range kernels {
			fmt.Printf(" %9.2f", median(ratios[b.name+kernel]))
		}
		fmt.Println()
	}
	return nil
}

var cpuPerOp = regexp.MustCompile(`(?m)^Benchmark(\w+)\s.*\s([0-9.]+) cpu-ns/op`)

// runKernels gives the CPU time of each kernel in one run of a binary.
func runKernels(ctx context.Context, binary string, benchtime time.Duration) (map[string]float64, error) {
	out, err := command(ctx, filepath.Dir(binary), binary,
		"-test.run=^$", "-test.bench=.", "-test.cpu=1", "-test.benchtime="+benchtime.String())
	if err != nil {
		return nil, err
	}
	ns := map[string]float64{}
	for _, m := range cpuPerOp.FindAllSubmatch(out, -1) {
		if ns[string(m[1])], err = strconv.ParseFloat(string(m[2]), 64); err != nil {
			return nil, err
		}
	}
	for _, kernel := range kernels {
		if ns[kernel] == 0 {
			return nil, fmt.Errorf("no time of %s in:\n%s", kernel, out)
		}
	}
	return ns, nil
}
