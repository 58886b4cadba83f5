package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/ijongo/ijongo/fuzz/args"
)

// GoTarget is the subject built for go test -fuzz, as go test -fuzz builds it.
// Of ijongo it has the plain packages that the harness imports.
func (s *Stand) GoTarget(ctx context.Context) (string, error) {
	if s.goTest != "" {
		return s.goTest, nil
	}
	path := filepath.Join(s.dir, "go.test")
	if _, err := run(ctx, s.pkg.Dir, "go", "test", "-c", "-vet=off", "-fuzz=^"+target+"$", "-o", path, "."); err != nil {
		return "", fmt.Errorf("%s: %w", s.Name, err)
	}
	s.goTest = path
	return path, nil
}

var goFail = regexp.MustCompile(`(?m)^\s*--- FAIL: ` + target + `.*\n\s+--- FAIL.*\n(.*)`)

// PlayGo plays a campaign of go test -fuzz, which draws from no seed, for as
// many seconds as the plan has CPU. It minimises nothing: what it would spend
// on that is not spent on the search.
func (s *Stand) PlayGo(ctx context.Context, binary string, p Plan) (Cell, error) {
	c := Cell{Measure: p.Measure, Subject: s.Name, Arm: p.Arm.Name, Seed: p.Seed, Budget: p.Budget}
	dir, err := os.MkdirTemp(s.dir, "go-")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	limit := time.Duration(p.CPU * float64(time.Second))
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.fuzz=^"+target+"$", "-test.parallel=1",
		"-test.fuzzminimizetime=1x", "-test.fuzzcachedir="+filepath.Join(dir, "cache"), "-test.fuzztime="+limit.String())
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOGC=400", "GOMAXPROCS=1"), s.Env...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Run()
	if ctx.Err() != nil {
		return c, ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return c, err
	}
	c.CPU = seconds(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()) // with its worker
	m := goFail.FindSubmatch(said.Bytes())
	switch {
	case m == nil && err != nil:
		return c, fmt.Errorf("%s: %s: %w\n%s", s.Name, goFuzz, err, said.Bytes())
	case m == nil:
		return c, nil
	}
	c.Found, c.Key = true, string(bytes.TrimSpace(m[1]))
	input, err := goInput(dir)
	if err != nil {
		return c, err
	}
	return c, s.Control.review(ctx, s, &c, find{input: input})
}

// goInput is the failing input that go test -fuzz has written.
func goInput(dir string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(dir, "testdata", "fuzz", target, "*"))
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("%s has written %d inputs, and not the one that fails: %v", goFuzz, len(files), err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	_, input, err := args.ParseGoFile(text)
	return input, err
}
