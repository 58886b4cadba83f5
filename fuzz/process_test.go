package fuzz_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// built is the folder of the binary.
var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		if err := os.RemoveAll(built); err != nil {
			panic(err)
		}
	}
	os.Exit(code)
}

// binary builds the package in testdata/target once.
var binary = sync.OnceValues(func() (path string, err error) {
	if built, err = os.MkdirTemp("", "ijongo-fuzz-"); err != nil {
		return "", err
	}
	path = filepath.Join(built, "target.test")
	cmd := exec.Command("go", "test", "-c", "-o", path, "./testdata/target")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", &buildError{err, out}
	}
	return path, nil
})

type buildError struct {
	err error
	out []byte
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + string(e.out) }

// A process is a target with its pipes.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     *os.File
	out    *json.Decoder
	output bytes.Buffer
}

func start(t *testing.T, config wire.Config, env ...string) *process {
	t.Helper()
	return startIn(t, t.TempDir(), config, env...)
}

// startIn is start in the folder dir, where testdata may be.
func startIn(t *testing.T, dir string, config wire.Config, env ...string) *process {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	if config.Mode != wire.Describe {
		config.Shared = filepath.Join(t.TempDir(), "shared")
		shared, err := wire.CreateShared(config.Shared)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { shared.Close() })
	}
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, in: inW, out: json.NewDecoder(bufio.NewReader(outR))}
	p.cmd = commandIn(dir, path, "-test.run=^"+config.Target+"$")
	p.cmd.Env = append(append(os.Environ(), wire.EnvConfig+"="+string(text)), env...)
	p.cmd.ExtraFiles = []*os.File{outW, inR}
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	outW.Close()
	inR.Close()
	t.Cleanup(func() { inW.Close(); outR.Close(); p.cmd.Process.Kill(); p.cmd.Wait() })
	return p
}

// message reads the next message; nil at the end.
func (p *process) message() *wire.Message {
	p.t.Helper()
	m := new(wire.Message)
	err := p.out.Decode(m)
	if err == io.EOF {
		return nil
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

// run asks a serving target for one run; nil if it died.
func (p *process) run(input string) *wire.Outcome {
	p.t.Helper()
	line, err := wire.Encode(wire.Request{Input: []byte(input), Trace: true})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.in.Write(line); err != nil {
		p.t.Fatal(err)
	}
	m := p.message()
	if m == nil {
		return nil
	}
	if m.Outcome == nil {
		p.t.Fatalf("%q: %+v", input, m)
	}
	return m.Outcome
}

// end closes the pipe to the target and waits for it.
func (p *process) end() error {
	p.in.Close()
	return p.cmd.Wait()
}

func commandIn(dir, path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	return cmd
}
