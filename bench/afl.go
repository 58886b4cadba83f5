package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ijongo/ijongo/bench/rig"
	ijonafl "github.com/ijongo/ijongo/runtime/afl"
)

// underAFL measures our target as one of AFL++.
func underAFL(ctx context.Context, args []string) error {
	commands := map[string]func(context.Context, []string) error{"speed": aflSpeed, "stress": aflStress, "mutator": aflMutator}
	if len(args) == 0 || commands[args[0]] == nil {
		return errors.New("afl: give speed, stress or mutator")
	}
	return commands[args[0]](ctx, args[1:])
}

// tools are the versions of AFL++ that there are, at least one; what is
// missing is said.
func tools() ([]rig.Tool, error) {
	found, missing := rig.Tools()
	if len(found) == 0 {
		return nil, missing
	}
	if missing != nil {
		fmt.Fprintln(os.Stderr, "left out:", missing)
	}
	return found, nil
}

// newestTool is the last of them, nil if there is none.
func newestTool() *rig.Tool {
	found, _ := rig.Tools() // an arm that needs what is missing says so
	if len(found) == 0 {
		return nil
	}
	return &found[len(found)-1]
}

// aflTarget builds a package of bench/testdata for AFL++.
func aflTarget(ctx context.Context, name, dir string) (binary string, err error) {
	ijongo, err := buildCommand(ctx, dir)
	if err != nil {
		return "", err
	}
	pkg := filepath.Join(dir, name)
	if err := os.CopyFS(pkg, os.DirFS(filepath.Join("bench", "testdata", name))); err != nil {
		return "", err
	}
	binary = pkg + ".afl"
	_, err = command(ctx, pkg, ijongo, "build", "-engine", "afl", "-o", binary, ".")
	return binary, err
}

// A contestant is an empty target under one version.
type contestant struct {
	name   string
	start  rig.Instance
	rates  []float64 // executions a second, by rounds
	perCPU []float64 // and in a second of CPU time, of the tool and the target
}

// aflSpeed compares executions a second of empty targets.
func aflSpeed(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("afl speed", flag.ContinueOnError)
	length := fs.Duration("time", 4*time.Second, "length of one measurement, in whole seconds")
	rounds := fs.Int("rounds", 9, "how often each is measured")
	dir, remove, err := begin(fs, args)
	if err != nil {
		return err
	}
	defer remove()
	if *length < time.Second || *rounds < 1 {
		return errors.New("afl speed: -time is at least 1s and -rounds 1")
	}
	versions, err := tools()
	if err != nil {
		return err
	}
	ours, err := aflTarget(ctx, "empty", dir)
	if err != nil {
		return err
	}
	fmt.Printf("Executions a second of an empty target, %d rounds of %v in turn: median [least, most].\n\n", *rounds, *length)
	fmt.Println("| AFL++ | target | executions a second | as a multiple of C | the same in CPU time |\n|---|---|---|---|---|")
	for _, t := range versions {
		list, err := contestants(ctx, t, ours, dir, *length)
		if err != nil {
			return err
		}
		if err := measureInTurn(ctx, list, *rounds, dir); err != nil {
			return err
		}
		for _, c := range list {
			fmt.Printf("| %s | %s | %s | %s | %s |\n", t.Version, c.name, spread(c.rates, "%.0f"),
				spread(ratios(c.rates, list[0].rates), "%.2f"), spread(ratios(c.perCPU, list[0].perCPU), "%.2f"))
		}
	}
	return nil
}

// contestants are the target in C, built by the version's own compiler, and
// ours in each form.
func contestants(ctx context.Context, t rig.Tool, ours, dir string, length time.Duration) ([]contestant, error) {
	c := filepath.Join(dir, "c-"+t.Version)
	if err := t.Compile(ctx, "bench/testdata/empty-c/empty.c", c); err != nil {
		return nil, err
	}
	instance := func(target string, env ...string) rig.Instance {
		return rig.Instance{Tool: t, Target: []string{target}, Env: env, Args: []string{"-t", "1000", "-V", fmt.Sprint(int(length.Seconds()))}}
	}
	list := []contestant{{name: "C", start: instance(c)}}
	for _, sync := range t.Syncs() {
		list = append(list, contestant{name: "Go, " + sync, start: instance(ours, ijonafl.EnvSync+"="+sync)})
	}
	return list, nil
}

func measureInTurn(ctx context.Context, list []contestant, rounds int, dir string) error {
	for range rounds {
		for k := range list {
			c := &list[k]
			if err := c.measure(ctx, dir); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return nil
}

// measure plays a round.
func (c *contestant) measure(ctx context.Context, dir string) error {
	i := c.start
	var err error
	if i.Dir, err = os.MkdirTemp(dir, "speed-"); err != nil {
		return err
	}
	defer os.RemoveAll(i.Dir)
	stats, cpu, err := i.Run(ctx, []byte("hello"))
	if err != nil {
		return err
	}
	if stats.Execs == 0 || stats.PerSec == 0 {
		return errors.New("fuzzer_stats has no executions")
	}
	c.rates = append(c.rates, stats.PerSec)
	c.perCPU = append(c.perCPU, float64(stats.Execs)/cpu.Seconds())
	return nil
}

func ratios(x, of []float64) (list []float64) {
	for i := range x {
		list = append(list, x[i]/of[i])
	}
	return list
}

func spread(x []float64, format string) string {
	return fmt.Sprintf(strings.ReplaceAll("F [F, F]", "F", format), median(x), slices.Min(x), slices.Max(x))
}
