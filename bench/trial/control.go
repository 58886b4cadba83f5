package trial

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ijongo/ijongo/fuzz/args"
)

// A Control is the harness on the module as it is, built by the go command
// alone. What fails there too is no find of a fault.
type Control struct{ dir, binary string }

// NewControl builds it in dir, which is made. Root is that of ijongo.
func NewControl(ctx context.Context, root, dir string) (*Control, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	c := &Control{dir, filepath.Join(dir, "control.test")}
	_, err = run(ctx, filepath.Join(root, Example), "go", "test", "-c", "-vet=off", "-o", c.binary, ".")
	return c, err
}

// fails tells whether an input fails there as well: by the oracle, or, where
// none is named, in any way.
func (c *Control) fails(ctx context.Context, env []string, input []byte, oracle string) (bool, error) {
	dir, err := os.MkdirTemp(c.dir, "input-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	seeds := filepath.Join(dir, "testdata", "fuzz", target)
	if err := os.MkdirAll(seeds, 0o777); err != nil {
		return false, err
	}
	if err := os.WriteFile(filepath.Join(seeds, "found"), args.Signature{"[]byte"}.GoFile(input), 0o666); err != nil {
		return false, err
	}
	cmd := exec.CommandContext(ctx, c.binary, "-test.v", "-test.run=^"+target+"$/^found$")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	exit := (*exec.ExitError)(nil)
	switch text := string(out); {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil && !errors.As(err, &exit):
		return false, err
	case !strings.Contains(text, "=== RUN   "+target+"/found"):
		return false, fmt.Errorf("the unmodified harness does not run the input:\n%s", text)
	default:
		return err != nil && (oracle == "" || violates(text, oracle)), nil
	}
}

// violates tells whether the oracle is the one that a test has printed, in
// whatever state.
func violates(text, oracle string) bool {
	return strings.Contains(text, ": "+oracle+": ") || strings.Contains(text, ": "+oracle+", ")
}

// review takes back the find of a fault that the module as it is shows too.
func (c *Control) review(ctx context.Context, s *Stand, cell *Cell, f find) error {
	if c == nil || s.Mutant == nil || !cell.Found {
		return nil
	}
	same, err := c.fails(ctx, s.Env, f.input, f.oracle)
	if same {
		cell.Found = false
		cell.Note = "not the fault, unmodified raft fails on it too: " + cell.Key
	}
	return err
}

// A find is an input that fails, and the oracle that it violates.
type find struct {
	input  []byte
	oracle string // empty if it fails in another way, or nobody knows
}
