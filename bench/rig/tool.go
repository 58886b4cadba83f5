package rig

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ijongo/ijongo/fuzz/campaign/afl"
)

// EnvTools names the folder with the commands of the version that has IJON.
const EnvTools = "AFL_TOOLS_502"

// A Tool is an AFL++ on this machine.
type Tool struct {
	Version string
	dir     string // of its commands
}

// Tools are those that there are, the oldest first; an error says why one is
// not.
func Tools() (tools []Tool, missing error) {
	var dirs []string
	if path, err := exec.LookPath("afl-fuzz"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	} else {
		missing = errors.New("afl-fuzz is not in PATH (it is in Debian's package afl++)")
	}
	if dir := os.Getenv(EnvTools); dir == "" {
		missing = errors.Join(missing, fmt.Errorf("%s is not set (testdata/afl/get-5.02c.sh DIR prints its value)", EnvTools))
	} else if len(dirs) == 0 || dir != dirs[0] {
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		t := Tool{dir: dir}
		var err error
		if t.Version, err = version(t.Path("afl-fuzz")); err != nil {
			missing = errors.Join(missing, err)
			continue
		}
		tools = append(tools, t)
	}
	return tools, missing
}

func version(fuzz string) (string, error) {
	out, err := exec.Command(fuzz, "--version").CombinedOutput()
	if v := afl.VersionIn(string(out)); v != "" {
		return v, nil // the exit code is 1
	}
	return "", fmt.Errorf("%s --version: %v\n%s", fuzz, err, out)
}

// Path is that of a command.
func (t Tool) Path(command string) string { return filepath.Join(t.dir, command) }

// IJON tells whether the version knows the max slots of IJON, and has the
// futex form.
func (t Tool) IJON() bool { return strings.HasPrefix(t.Version, "5.") }

// Syncs are the forms in which a target and the tool take turns.
func (t Tool) Syncs() []string {
	if t.IJON() {
		return []string{"futex", "pipe", "stop"}
	}
	return []string{"pipe", "stop"}
}

// Compile builds a C program as afl-clang-fast does.
func (t Tool) Compile(ctx context.Context, source, to string) error {
	out, err := exec.CommandContext(ctx, t.Path("afl-clang-fast"), "-O2", "-o", to, source).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("afl-clang-fast of %s: %w\n%s", t.Version, err, out)
	}
	return err
}
