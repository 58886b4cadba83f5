package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ijongo/ijongo"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// mutatorPackage is the folder of the shared object in the module.
const mutatorPackage = "fuzz/mutate/custom/library"

// Mutator builds the shared object that makes inputs of a layout in afl-fuzz.
// Its sources are written to a temporary folder; nothing is downloaded.
func Mutator(ctx context.Context, l *wire.Layout, out string) error {
	dir, err := os.MkdirTemp("", "ijongo-mutator-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeMutator(dir, l); err != nil {
		return err
	}
	made := filepath.Join(dir, "mutator.so")
	cmd := exec.CommandContext(ctx, "go", "build", "-buildmode=c-shared", "-tags=ijongo_mutator", "-trimpath", "-o", made, "./"+mutatorPackage)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "CGO_ENABLED=1", "PWD="+dir)
	if said, err := cmd.CombinedOutput(); err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("the mutator does not build:\n%s", bytes.TrimSpace(said)))
	}
	return Install(made, out)
}

// FindCompiler tells whether there is the compiler that cgo would start.
func FindCompiler(ctx context.Context) error {
	out, err := run(ctx, ".", "go", "env", "CC")
	if err != nil {
		return err
	}
	words := strings.Fields(string(out)) // with flags, perhaps
	if len(words) == 0 {
		words = []string{"gcc"}
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return fmt.Errorf("a shared object for afl-fuzz needs a C compiler, and there is no %s (apt-get install gcc libc6-dev, or name another one in CC)", words[0])
	}
	return nil
}

// writeMutator writes the module of the mutator, with the layout.
func writeMutator(dir string, l *wire.Layout) error {
	if err := os.CopyFS(dir, ijongo.Mutator); err != nil {
		return err
	}
	layout, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module github.com/ijongo/ijongo\n\ngo 1.17\n"), 0o644),
		os.WriteFile(filepath.Join(dir, mutatorPackage, "layout.json"), layout, 0o644),
	)
}
