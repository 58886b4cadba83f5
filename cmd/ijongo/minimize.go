package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/ijongo/ijongo/fuzz/args"
	"github.com/ijongo/ijongo/fuzz/campaign"
)

// rateRuns is how often the schedule is run to see whether it is flaky.
const rateRuns = 20

func runMinimize(ctx context.Context, argv []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("minimize", flag.ContinueOnError)
	out := flags.String("o", "", "write the smaller schedule to `FILE` (default FILE.min beside it)")
	timeout := timeoutFlag(flags)
	file, err := oneFile(flags, argv, stdout)
	if err != nil {
		return err
	}
	s, err := openSchedule(ctx, "minimize", file, *timeout, stderr)
	if err != nil {
		return err
	}
	defer s.runner.Fresh()
	hits, o, err := campaign.Rate(ctx, s.runner, s.input, "", rateRuns)
	if err != nil {
		return err
	}
	if hits == 0 {
		return fmt.Errorf("ijongo minimize: %s does not fail (in %d runs)", file, rateRuns)
	}
	f := &campaign.Failure{Key: o.Key, Fault: o.Fault, Hits: hits, Runs: rateRuns, Input: s.input}
	s.target.logf("minimising %s, which fails in %s runs", o.Key, f.Rate())
	smaller, err := campaign.Minimize(ctx, s.runner, f, s.desc)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if *out == "" {
		*out = s.path + ".min"
	}
	return s.write(smaller, *out, stdout)
}

// write writes the smaller schedule in the format of the one that was read.
func (s *schedule) write(smaller []byte, path string, stdout io.Writer) error {
	before, unit := campaign.Size(s.input, s.desc)
	after, _ := campaign.Size(smaller, s.desc)
	if string(smaller) == string(s.input) {
		_, err := fmt.Fprintf(stdout, "%d %s: no smaller one found\n", before, unit)
		return err
	}
	data := smaller
	if s.goFile {
		data = args.Signature(s.desc.Args).GoFile(smaller)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "%d %s, %d before: %s\n", after, unit, before, near(path))
	return err
}
