package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ijongo/ijongo/fuzz/args"
	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
	"github.com/ijongo/ijongo/fuzz/wire"
)

func runReplay(ctx context.Context, argv []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("replay", flag.ContinueOnError)
	n := flags.Int("n", 1, "run it `N` times and print how often it fails")
	timeout := timeoutFlag(flags)
	file, err := oneFile(flags, argv, stdout)
	if err != nil {
		return err
	}
	if *n < 1 {
		return fmt.Errorf("ijongo replay: -n %d (at least 1)", *n)
	}
	s, err := openSchedule(ctx, "replay", file, *timeout, stderr)
	if err != nil {
		return err
	}
	defer s.runner.Fresh()
	o, err := campaign.Replay(ctx, s.runner, s.input, s.desc)
	if err != nil {
		return err
	}
	hits := 0
	if o.Fault != wire.OK {
		hits = 1
	}
	if *n > 1 {
		again, first, err := campaign.Rate(ctx, s.runner, s.input, o.Key, *n-1)
		if err != nil {
			return err
		}
		if hits == 0 && again > 0 {
			o.Fault, o.Key, o.Text = first.Fault, first.Key, first.Text
		}
		hits += again
	}
	return s.tell(o, hits, *n, stdout)
}

// tell prints the timeline and how it ended.
func (s *schedule) tell(o wire.Outcome, hits, runs int, stdout io.Writer) error {
	var b bytes.Buffer
	for _, line := range o.Timeline {
		fmt.Fprintln(&b, line)
	}
	if o.Fault == wire.OK {
		fmt.Fprintf(&b, "ok: %s does not fail%s\n", s.target.name, anyMore(s.failure))
	} else {
		fmt.Fprintf(&b, "--- FAIL: %s: %s\n%s\n", s.target.name, o.Key, indent(o.Text))
	}
	if runs > 1 {
		fmt.Fprintf(&b, "fails in %d of %d runs\n", hits, runs)
	}
	if _, err := b.WriteTo(stdout); err != nil {
		return err
	}
	if o.Fault == wire.OK {
		return nil
	}
	return errFound
}

func anyMore(failure bool) string {
	if failure {
		return " any more"
	}
	return ""
}

// timeoutFlag is -timeout of the commands that run one schedule alone.
func timeoutFlag(flags *flag.FlagSet) *time.Duration {
	return flags.Duration("timeout", 0, "a run that takes longer than `D` hangs (default twice that of the campaign)")
}

// oneFile parses the flags of a command with one argument.
func oneFile(flags *flag.FlagSet, argv []string, stdout io.Writer) (string, error) {
	if err := parseFlags(flags, argv, "[flags] FILE", stdout); err != nil {
		return "", err
	}
	if flags.NArg() != 1 {
		return "", fmt.Errorf("ijongo %s: %d files (name one: the input of a failure, or a file under testdata/fuzz)", flags.Name(), flags.NArg())
	}
	return flags.Arg(0), nil
}

// A schedule is an input on disk and the target to run it in.
type schedule struct {
	path    string
	goFile  bool // in the corpus format of go test
	failure bool // recorded as failing
	input   []byte
	target  *target
	desc    *wire.Description
	runner  *campaign.Runner
}

// openSchedule reads file, builds its target and makes it ready to run.
func openSchedule(ctx context.Context, command, file string, timeout time.Duration, stderr io.Writer) (*schedule, error) {
	s := new(schedule)
	text, err := s.read(file)
	if err != nil {
		return nil, fmt.Errorf("ijongo %s: %w", command, err)
	}
	if s.target, err = findTarget(ctx, s.path, stderr); err != nil {
		return nil, err
	}
	if timeout == 0 {
		timeout = 2 * s.target.info.Timeout
	}
	t, err := s.target.binary(ctx)
	if err != nil {
		return nil, err
	}
	if s.desc, err = campaign.Describe(ctx, t, timeout); err != nil {
		return nil, err
	}
	if s.input, err = s.decode(text); err != nil {
		return nil, err
	}
	s.runner = campaign.NewRunner(t, timeout)
	return s, nil
}

// read reads the file; the folder of a failure stands for the input in it.
func (s *schedule) read(file string) ([]byte, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		abs = filepath.Join(abs, "input")
	}
	s.path = abs
	_, err = os.Stat(filepath.Join(filepath.Dir(abs), "failure.json"))
	s.failure = err == nil
	text, err := os.ReadFile(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no input there (name a file, such as .ijongo/FuzzXxx/failures/NAME/input or testdata/fuzz/FuzzXxx/NAME)", file)
	}
	return text, err
}

// decode is the flat input of a file in either format.
func (s *schedule) decode(text []byte) ([]byte, error) {
	s.goFile = bytes.HasPrefix(text, []byte("go test fuzz v1\n"))
	flat := text
	if s.goFile {
		signature, data, err := args.ParseGoFile(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.path, err)
		}
		if !slices.Equal(signature, args.Signature(s.desc.Args)) {
			return nil, fmt.Errorf("%s: values of types %v, but %s takes %v", s.path, signature, s.target.name, s.desc.Args)
		}
		flat = data
	}
	if len(flat) > wire.MaxInput {
		return nil, fmt.Errorf("%s: %d bytes, the longest input is %d", s.path, len(flat), wire.MaxInput)
	}
	return flat, nil
}

// findTarget finds what the input at path belongs to: the campaign whose
// folder it lies in, or the package with that testdata.
func findTarget(ctx context.Context, path string, stderr io.Writer) (*target, error) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		t, err := targetOf(ctx, dir, stderr)
		if t != nil || err != nil {
			return t, err
		}
		if name := filepath.Base(dir); filepath.Base(filepath.Dir(dir)) == "fuzz" && filepath.Base(filepath.Dir(filepath.Dir(dir))) == "testdata" {
			return targetBeside(ctx, filepath.Dir(filepath.Dir(filepath.Dir(dir))), name, stderr)
		}
		if dir == filepath.Dir(dir) {
			return nil, fmt.Errorf("%s: not in a campaign folder (no campaign.json above it), and not in testdata/fuzz/FuzzXxx of a package", path)
		}
	}
}

// targetOf is the target of the campaign in dir, nil if there is none.
func targetOf(ctx context.Context, dir string, stderr io.Writer) (*target, error) {
	info, err := campaign.ReadInfo(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	info.Dir = info.PackageDir(dir)
	if err := useTags(info.Tags); err != nil {
		return nil, err
	}
	pkg, err := build.Find(ctx, info.Dir)
	if err != nil {
		return nil, fmt.Errorf("the package of the campaign in %s: %w", dir, err)
	}
	if !slices.Contains(pkg.Targets, info.Target) {
		return nil, fmt.Errorf("%s: %s is not there any more", pkg.ImportPath, info.Target)
	}
	return &target{pkg, info.Target, dir, "", *info, stderr}, nil
}

// targetBeside is the fuzz function name of the package in dir.
func targetBeside(ctx context.Context, dir, name string, stderr io.Writer) (*target, error) {
	home := filepath.Join(dir, ".ijongo", name)
	t, err := targetOf(ctx, home, stderr)
	if t != nil || err != nil {
		return t, err
	}
	pkg, err := build.Find(ctx, dir)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(pkg.Targets, name) {
		return nil, fmt.Errorf("%s: no fuzz function %s", pkg.ImportPath, name)
	}
	return &target{pkg, name, home, "", campaign.Info{Target: name, Package: pkg.ImportPath, Dir: dir, Timeout: campaign.DefaultTimeout, MemLimit: campaign.DefaultMemLimit}, stderr}, nil
}
