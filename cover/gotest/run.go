package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/ijongo/ijongo"
	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/rewrite"
)

// Config says what to test.
type Config struct {
	Args
	Dir         string   // the folder; empty is .ijongo/test in the root of the module
	Annotations []string // sidecar files; nil is every *.ijon file in the folders of the packages

	Stdout, Stderr io.Writer // of go test
	Logf           func(format string, args ...any)
	Warn           func(*rewrite.Manifest) // gets what was instrumented, before the tests run
}

// A Result is what came of it.
type Result struct {
	Code    int            // exit code of go test
	Path    string         // of the profile
	Profile *cover.Profile // nil if no test binary ran: the profile is left as it was
}

// DefaultDir is the folder of the results in the root of a module.
const DefaultDir = ".ijongo/test"

// Run instruments, runs the tests, and writes their coverage. That tests fail
// is no error.
func Run(ctx context.Context, c Config) (*Result, error) {
	m, err := findModule(ctx)
	if err != nil {
		return nil, err
	}
	if c.Dir == "" {
		c.Dir = filepath.Join(m.Dir, filepath.FromSlash(DefaultDir))
	}
	if c.Dir, err = filepath.Abs(c.Dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return nil, err
	}
	unlock, err := lock(c.Dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	r := runner{c, m, filepath.Join(c.Dir, "copy"), filepath.Join(c.Dir, "raw")}
	if err := r.instrument(ctx); err != nil {
		return nil, err
	}
	code, err := r.test(ctx)
	if err != nil {
		return nil, err
	}
	return r.collect(code)
}

// lock keeps other runs out of the folder. The kernel drops the lock with the
// process.
func lock(dir string) (unlock func() error, err error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close() // nothing was written
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%s: tests are running in this folder (wait for them, or use another -dir)", dir)
		}
		return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return f.Close, nil
}

// module is the main module.
type module struct{ Path, Dir string }

func findModule(ctx context.Context) (*module, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	out, err := goCommand(ctx, wd, "env", "GOMOD")
	if err != nil {
		return nil, err
	}
	gomod := strings.TrimSpace(string(out))
	if gomod == "" || gomod == os.DevNull {
		return nil, errors.New("no go.mod here or above (write one: go mod init)")
	}
	m := &module{Dir: filepath.Dir(gomod)}
	out, err = goCommand(ctx, wd, "mod", "edit", "-json", gomod)
	if err != nil {
		return nil, err
	}
	var parsed struct{ Module struct{ Path string } }
	if err := json.Unmarshal(out, &parsed); err != nil {
		return nil, fmt.Errorf("go mod edit -json: %w", err)
	}
	m.Path = parsed.Module.Path
	return m, nil
}

// goCommand runs the go command; what it says on standard error becomes the
// error.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = rewrite.GoEnv(dir)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, errors.New(strings.TrimSpace(said.String() + "\n" + err.Error()))
	}
	return out.Bytes(), nil
}

type runner struct {
	Config
	module *module
	copy   string
	raw    string
}

func (r *runner) instrument(ctx context.Context) error {
	sidecars := r.Annotations
	if sidecars == nil {
		var err error
		if sidecars, err = r.beside(ctx); err != nil {
			return err
		}
	}
	r.Logf("instrumenting %s", strings.Join(r.Packages, " "))
	m, err := rewrite.Instrument(ctx, rewrite.Config{
		Dir: ".", Patterns: r.Packages, Modules: []string{r.module.Path}, Sidecars: sidecars,
		Out: r.copy, Tests: true, Counts: true, Race: r.Race, Target: ijongo.Target,
	})
	if err != nil {
		return err
	}
	r.Warn(m)
	return nil
}

// beside lists the annotation files in the folders of the packages.
func (r *runner) beside(ctx context.Context) (list []string, err error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	out, err := goCommand(ctx, wd, append([]string{"list", "-find", "-f", "{{.Dir}}", "--"}, r.Packages...)...)
	if err != nil {
		return nil, err
	}
	for dir := range strings.Lines(string(out)) {
		found, err := filepath.Glob(filepath.Join(strings.TrimSuffix(dir, "\n"), "*.ijon"))
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// test runs go test in the copy, where it is in the module that the current
// folder is in here.
func (r *runner) test(ctx context.Context) (code int, err error) {
	if err := os.RemoveAll(r.raw); err != nil {
		return 0, err
	}
	if err := os.Mkdir(r.raw, 0o777); err != nil {
		return 0, err
	}
	dir, err := r.inCopy(".")
	if err != nil {
		return 0, err
	}
	args := []string{"test"}
	if !r.Has("count") {
		args = append(args, "-count=1") // a result from the cache covers nothing
	}
	args = append(args, r.Flags...)
	for _, p := range r.Packages {
		if filepath.IsAbs(p) {
			if p, err = r.inCopy(p); err != nil {
				return 0, err
			}
		}
		args = append(args, p)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, r.Rest...)...)
	cmd.Dir = dir
	cmd.Env = append(rewrite.GoEnv(dir), "IJONGO_COVERDIR="+r.raw)
	cmd.Stdout, cmd.Stderr = r.Stdout, r.Stderr
	endTogether(cmd)
	err = cmd.Run()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// endTogether lets an interrupt end the go command and the tests that it runs.
func endTogether(cmd *exec.Cmd) {
	const patience = 5 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = patience
}

// inCopy is where a folder of the module is in the copy.
func (r *runner) inCopy(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", err
	}
	root, err := filepath.EvalSymlinks(r.module.Dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is not in module %s", path, r.module.Path)
	}
	return filepath.Join(r.copy, rel), nil
}

// collect writes the profile of what the tests have left.
func (r *runner) collect(code int) (*Result, error) {
	res := &Result{Code: code, Path: filepath.Join(r.Dir, cover.FileName)}
	left, err := os.ReadDir(r.raw)
	if err != nil || len(left) == 0 {
		return res, err
	}
	p, err := cover.ReadRaw(r.raw, filepath.Join(r.copy, "manifest.json"))
	if err != nil {
		return nil, err
	}
	res.Profile = p
	return res, p.WriteFile(res.Path)
}
