package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/bench/rig"
	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/corpus"
)

// A soaking is a campaign that is killed again and again, and what has been
// seen in its folder: nothing of that may ever be missing. Linux only, for it
// finds processes and their memory in /proc.
type soaking struct {
	ijongo  string
	pkg     string
	dir     string
	workers int
	rng     *rand.Rand
	out     io.Writer

	admitted map[string]string // path where an entry was seen first, by its name
	failed   map[string]bool   // keys of failures

	begun, kills, orphans int // supervisors started and killed, workers killed
	supervisor, target    int // most memory of one process, in kB
	total                 int // and of a campaign
}

func soak(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("soak", flag.ContinueOnError)
	length := fs.Duration("time", 30*time.Minute, "how long")
	every := fs.Duration("every", 4*time.Second, "mean time between two kills")
	workers := fs.Int("workers", 2, "workers of the campaign")
	seed := fs.Uint64("seed", 1, "what is killed when")
	pkg := fs.String("package", "./examples/etcd-raft", "package of the fuzz test")
	dir, remove, err := begin(fs, args)
	if err != nil {
		return err
	}
	err = soakIn(ctx, dir, *pkg, *workers, *seed, *length, *every)
	if errors.As(err, new(lostError)) {
		return fmt.Errorf("%w (%s is kept)", err, dir)
	}
	remove()
	return err
}

func soakIn(ctx context.Context, dir, pkg string, workers int, seed uint64, length, every time.Duration) error {
	ijongo, err := buildCommand(ctx, dir)
	if err != nil {
		return err
	}
	return newSoaking(ijongo, pkg, filepath.Join(dir, "campaign"), workers, seed, os.Stdout).run(ctx, length, every)
}

// A lostError is what is missing in the folder and has been there.
type lostError string

func (e lostError) Error() string { return "lost: " + string(e) }

func newSoaking(ijongo, pkg, dir string, workers int, seed uint64, out io.Writer) *soaking {
	return &soaking{
		ijongo: ijongo, pkg: pkg, dir: dir, workers: workers, rng: rand.New(rand.NewPCG(seed, 0)), out: out,
		admitted: make(map[string]string), failed: make(map[string]bool),
	}
}

// run kills for so long, then lets a campaign end in order, and sums up. The
// target is built before the time begins.
func (s *soaking) run(ctx context.Context, length, every time.Duration) error {
	if err := s.undisturbed("-execs", "10"); err != nil {
		return err
	}
	for end := time.Now().Add(length); time.Now().Before(end); {
		if err := s.life(ctx, end, every); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%d supervisors and %d workers killed; %d entries, %d failures, none lost; at most %d MB\n",
			s.kills, s.orphans, len(s.admitted), len(s.failed), s.total/1024)
	}
	if err := s.undisturbed("-time", "3s"); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "soak: %d entries and %d failures survived %d kills of the supervisor and %d of workers; most memory: supervisor %d MB, worker %d MB, campaign %d MB\n",
		len(s.admitted), len(s.failed), s.kills, s.orphans, s.supervisor/1024, s.target/1024, s.total/1024)
	return nil
}

func (s *soaking) start(extra ...string) (*exec.Cmd, *bytes.Buffer, error) {
	args := append([]string{"fuzz", "-keep-going", "-workers", strconv.Itoa(s.workers), "-seed", strconv.Itoa(s.begun), "-dir", s.dir}, extra...)
	s.begun++
	c := exec.Command(s.ijongo, append(args, ".")...)
	c.Dir = s.pkg
	printed := new(bytes.Buffer)
	c.Stdout, c.Stderr = printed, printed
	return c, printed, c.Start()
}

// life is that of one supervisor: its workers are killed, and in the end
// itself.
func (s *soaking) life(ctx context.Context, end time.Time, every time.Duration) error {
	c, printed, err := s.start()
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	defer c.Process.Kill() // it may have ended
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	next := time.Now().Add(s.pause(every))
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			return fmt.Errorf("the campaign ended by itself: %v\n%s", err, printed)
		case <-look.C:
		}
		workers := s.measure(c.Process.Pid)
		if err := s.record(); err != nil {
			return err
		}
		if len(workers) == 0 || time.Now().Before(next) {
			continue
		}
		next = time.Now().Add(s.pause(every))
		if s.rng.IntN(3) > 0 && time.Now().Before(end) {
			if syscall.Kill(workers[s.rng.IntN(len(workers))], syscall.SIGKILL) == nil {
				s.orphans++
			}
			continue
		}
		s.kills++
		c.Process.Kill()
		<-ended
		await(workers)
		if err := s.record(); err != nil {
			return err
		}
		return s.check()
	}
}

// pause is the time until the next kill.
func (s *soaking) pause(mean time.Duration) time.Duration {
	return time.Duration((0.25 + 1.5*s.rng.Float64()) * float64(mean))
}

// undisturbed is a campaign that ends in order.
func (s *soaking) undisturbed(flags ...string) error {
	c, printed, err := s.start(flags...)
	if err != nil {
		return err
	}
	err = c.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // it has found failures
	}
	if err != nil {
		return fmt.Errorf("an undisturbed campaign: %w\n%s", err, printed)
	}
	if err := s.record(); err != nil {
		return err
	}
	return s.check()
}

// record takes down what is in the folder.
func (s *soaking) record() error {
	files, err := corpus.AllFiles(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Dead || s.admitted[f.Name] != "" {
			continue
		}
		if _, err := f.Read(); err == nil {
			s.admitted[f.Name] = f.Path
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	failures, err := campaign.LoadFailures(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range failures {
		s.failed[f.Key] = true
	}
	return nil
}

// check is an error when something is missing that has been there.
func (s *soaking) check() error {
	files, err := corpus.AllFiles(s.dir)
	if err != nil {
		return err
	}
	there := make(map[string]bool)
	for _, f := range files {
		if f.Dead {
			_, err = os.Stat(filepath.Join(s.dir, "suspects", f.Name)) // waits to be judged
		} else {
			_, err = f.Read()
		}
		if err == nil {
			there[f.Name] = true
		}
	}
	for name, path := range s.admitted {
		if !there[name] {
			return lostError("the entry that was in " + path)
		}
	}
	failures, err := campaign.LoadFailures(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return err
	}
	for key := range s.failed {
		if !slices.ContainsFunc(failures, func(f *campaign.Failure) bool { return f.Key == key && len(f.Original) > 0 }) {
			return lostError(fmt.Sprintf("the failure %q", key))
		}
	}
	return nil
}

// measure takes down the memory of the campaign, and answers its workers.
func (s *soaking) measure(supervisor int) (workers []int) {
	sum := resident(supervisor)
	s.supervisor = max(s.supervisor, sum)
	workers = rig.Running(func(program string) bool { return strings.HasPrefix(program, s.dir) })
	for _, pid := range workers {
		kB := resident(pid)
		s.target = max(s.target, kB)
		sum += kB
	}
	s.total = max(s.total, sum)
	return workers
}

// resident is the memory of a process in kB, 0 if it has ended.
func resident(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	var kB int
	fmt.Sscan(rest, &kB)
	return kB
}

// await waits until processes have ended, which they do when their supervisor
// has.
func await(pids []int) {
	for _, pid := range pids {
		for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			if syscall.Kill(pid, 0) != nil {
				break
			}
		}
	}
}
