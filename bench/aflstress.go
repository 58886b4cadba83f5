package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/bench/rig"
	"github.com/ijongo/ijongo/fuzz/campaign/afl"
	ijonafl "github.com/ijongo/ijongo/runtime/afl"
)

// A strain is one version and one form under stress: runs that end around the
// timeout, failures of every kind, processes of the target that are killed, on
// a machine with more to do than it has cores. Linux only, for it finds
// processes in /proc.
type strain struct {
	instance rig.Instance
	form     string
	rng      *rand.Rand

	planted, counted string // files
	tally            *afl.Tally
	kills            int
	quiet            time.Duration // the longest without a run
}

// kinds is how many failures the target can tell apart.
const kinds = 21

// patience is how long the tool may do nothing: it waits a second for a
// process to start on a busy machine, and as long for a hang to be one.
const patience = 30 * time.Second

func aflStress(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("afl stress", flag.ContinueOnError)
	length := fs.Duration("time", 20*time.Minute, "how long, all versions and forms together")
	load := fs.Int("load", 4, "processes that do nothing but work beside it")
	seed := fs.Uint64("seed", 1, "what is killed when")
	only := fs.String("only", "", "only the versions and forms that match `REGEXP`, such as '5.* futex'")
	dir, remove, err := begin(fs, args)
	if err != nil {
		return err
	}
	defer remove()
	versions, err := tools()
	if err != nil {
		return err
	}
	target, err := aflTarget(ctx, "stress", dir)
	if err != nil {
		return err
	}
	ctx, idle := context.WithCancel(ctx)
	defer idle()
	if err := burden(ctx, *load); err != nil {
		return err
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only %s: %w", *only, err)
	}
	strains := strainsOf(versions, target, dir, *seed)
	strains = slices.DeleteFunc(strains, func(s *strain) bool { return !wanted.MatchString(s.name()) })
	return stressAll(ctx, strains, *length, os.Stdout)
}

func (s *strain) name() string { return s.instance.Tool.Version + " " + s.form }

// strainsOf are the forms of each version.
func strainsOf(versions []rig.Tool, target, dir string, seed uint64) (strains []*strain) {
	for _, t := range versions {
		for _, form := range t.Syncs() {
			s := &strain{form: form, rng: rand.New(rand.NewPCG(seed, uint64(len(strains))))}
			at := filepath.Join(dir, t.Version+"-"+form)
			s.planted, s.counted = filepath.Join(at, "planted"), filepath.Join(at, "tally")
			s.instance = rig.Instance{
				Tool: t, Target: []string{target}, Dir: at, Args: []string{"-t", "20"},
				Env: []string{ijonafl.EnvSync + "=" + form, ijonafl.EnvTally + "=" + s.counted, "STRESS_PLANTED=" + s.planted,
					"AFL_DISABLE_TRIM=1", "AFL_HANG_TMOUT=200"}, // what crashes while it is trimmed is not kept
			}
			strains = append(strains, s)
		}
	}
	return strains
}

// stressAll strains each for an equal part of the time.
func stressAll(ctx context.Context, strains []*strain, length time.Duration, out io.Writer) error {
	fmt.Fprintln(out, "| AFL++ | form | runs | processes | killed | inputs kept | failures planted | kinds planted | kinds kept | longest pause |\n"+
		"|---|---|---|---|---|---|---|---|---|---|")
	for _, s := range strains {
		if err := s.run(ctx, length/time.Duration(len(strains)), out); err != nil {
			return fmt.Errorf("AFL++ %s: %w", s.name(), err)
		}
	}
	return nil
}

// burden starts processes that keep the machine busy until ctx is done.
func burden(ctx context.Context, n int) error {
	for range n {
		c := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			return err
		}
		go c.Wait()
	}
	return nil
}

func (s *strain) run(ctx context.Context, length time.Duration, out io.Writer) error {
	if err := os.MkdirAll(s.instance.Dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(s.planted, nil, 0o666); err != nil {
		return err
	}
	var err error
	if s.tally, err = afl.CreateTally(s.counted); err != nil {
		return err
	}
	defer s.tally.Close()
	c, err := s.instance.Start(ctx, []byte("begin"))
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	defer c.Process.Kill() // it may have ended
	if err := s.disturb(ctx, length, ended); err != nil {
		return err
	}
	if err := stop(c.Process, ended); err != nil {
		return s.instance.Explain(err)
	}
	if err := s.left(c.Process.Pid); err != nil {
		return err
	}
	return s.judge(out)
}

// disturb waits until the tool has begun to search, and for so long kills
// processes of the target at random and sees that runs go on.
func (s *strain) disturb(ctx context.Context, length time.Duration, ended <-chan error) error {
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	var runs uint64
	var end, next time.Time
	for since := time.Now(); end.IsZero() || time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			return s.instance.Explain(fmt.Errorf("it ended by itself: %v", err))
		case <-look.C:
		}
		if n := s.tally.Runs(); n != runs {
			if !end.IsZero() {
				s.quiet = max(s.quiet, time.Since(since))
			}
			runs, since = n, time.Now()
		} else if time.Since(since) > patience {
			return s.instance.Explain(fmt.Errorf("it hangs: no run for %v after %d", patience, runs))
		}
		if end.IsZero() {
			if _, err := s.instance.Stats(); err == nil {
				end = time.Now().Add(length)
			}
		} else if time.Now().After(next) {
			s.kill()
			next = time.Now().Add(s.pause())
		}
	}
	return nil
}

// pause is the time until the next kill.
func (s *strain) pause() time.Duration { return time.Duration(s.rng.IntN(600)) * time.Millisecond }

// kill kills one of the processes that the target has started for itself.
func (s *strain) kill() {
	all := s.processes()
	var started []int
	for _, pid := range all {
		if slices.Contains(all, rig.Parent(pid)) {
			started = append(started, pid)
		}
	}
	if len(started) > 0 && syscall.Kill(started[s.rng.IntN(len(started))], syscall.SIGKILL) == nil {
		s.kills++
	}
}

// stop ends the tool as a user does, and in vain at last.
func stop(p *os.Process, ended <-chan error) error {
	p.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-ended: // the exit code is that of a signal or not, by version
		return nil
	case <-time.After(patience):
		return errors.New("it does not end")
	}
}

// left is an error when processes of the target are still there, or shared
// memory of the tool.
func (s *strain) left(tool int) error {
	var left []int
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if left = s.processes(); len(left) == 0 {
			break
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("left over: the processes %v", left)
	}
	if ids := segments(tool); len(ids) > 0 {
		return fmt.Errorf("left over: the segments %v", ids)
	}
	return nil
}

// judge sees that every kind of failure that has happened twice is kept. What
// has happened only once may have met a kill.
func (s *strain) judge(out io.Writer) error {
	notes, err := os.ReadFile(s.planted)
	if err != nil {
		return err
	}
	var happened [kinds]int
	for _, id := range notes {
		happened[id%kinds]++
	}
	kept, files, err := s.kept()
	if err != nil {
		return err
	}
	there := 0
	for id, n := range happened {
		if n > 0 {
			there++
		}
		if n > 1 && !kept[id] {
			return fmt.Errorf("lost: failure %d, which has happened %d times", id, n)
		}
	}
	_, err = fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %v |\n", s.instance.Tool.Version, s.form, s.tally.Runs(), s.tally.Starts(),
		s.kills, files, len(notes), there, len(kept), s.quiet.Round(10*time.Millisecond))
	return err
}

// kept are the kinds of failures in what the tool says crashes or hangs.
func (s *strain) kept() (kept map[int]bool, files int, err error) {
	kept = map[int]bool{}
	for _, folder := range []string{"crashes", "hangs"} {
		paths, err := filepath.Glob(filepath.Join(s.instance.Out(), folder, "id:*"))
		if err != nil {
			return nil, 0, err
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				return nil, 0, err
			}
			files++
			if len(b) > 2 && b[2] >= 252 {
				kept[int(b[1]%kinds)] = true
			}
		}
	}
	return kept, files, nil
}

// processes are those of the target.
func (s *strain) processes() []int {
	return rig.Running(func(program string) bool { return program == s.instance.Target[0] })
}

// segments are those of SysV shared memory that a process has made.
func segments(creator int) (ids []string) {
	text, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		return nil // a kernel without
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 4 && f[4] == strconv.Itoa(creator) {
			ids = append(ids, f[1])
		}
	}
	return ids
}
