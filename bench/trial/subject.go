package trial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ijongo/ijongo/bench/mutant"
	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
)

// Module is what is searched, and Version the one that the faults are of.
const (
	Module  = "go.etcd.io/raft/v3"
	Version = "v3.7.0"
	Example = "examples/etcd-raft" // the harness, from the root of ijongo
	target  = "FuzzRaft"
)

// A Subject is a program to search.
type Subject struct {
	Name   string
	Mutant *mutant.Mutant // nil is the module as it is
	Env    []string       // settings of the harness
}

// quiet are the settings with which the module as it is has no known
// violation, so that what ends a campaign is the fault.
var quiet = []string{"RAFT_STEPDOWN=always"}

// Natural are the violations that are in the module as it is.
var Natural = []Subject{
	{Name: "U1-stale-read-by-removed-leader"},
	{Name: "U3-stale-read-by-lone-voter", Env: append([]string{"RAFT_KNOWN=fail"}, quiet...)},
}

// Unmodified is the subject whose states are measured.
var Unmodified = Subject{Name: "unmodified", Env: quiet}

// Mutated is the subject with a fault.
func Mutated(m *mutant.Mutant) Subject { return Subject{Name: m.Name, Mutant: m, Env: quiet} }

// A Stand is a subject in a folder of its own, with what is built of it.
type Stand struct {
	Subject
	dir     string
	pkg     *build.Package
	targets map[bool]campaign.Target // with and without the fine tuples
	goTest  string                   // binary of go test -fuzz
}

// NewStand copies module and example into dir, which is made and must stay
// until the last campaign has ended. Root is that of ijongo.
func NewStand(ctx context.Context, root, dir string, s Subject) (*Stand, error) {
	raft := filepath.Join(dir, "raft")
	if err := CopyModule(ctx, Module+"@"+Version, raft); err != nil {
		return nil, err
	}
	if s.Mutant != nil {
		if err := s.Mutant.Apply(raft); err != nil {
			return nil, err
		}
	}
	example := filepath.Join(dir, "example")
	if err := copyExample(ctx, root, example, raft); err != nil {
		return nil, err
	}
	pkg, err := build.Find(ctx, example)
	if err != nil {
		return nil, err
	}
	return &Stand{Subject: s, dir: dir, pkg: pkg, targets: map[bool]campaign.Target{}}, nil
}

// CopyModule copies a module out of the module cache, so that it can be
// written to.
func CopyModule(ctx context.Context, version, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	out, err := run(ctx, to, "go", "mod", "download", "-json", version)
	if err != nil {
		return err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return fmt.Errorf("go mod download %s: %w", version, err)
	}
	if err := os.CopyFS(to, os.DirFS(module.Dir)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(name, 0o777)
		}
		return err
	})
}

// copyExample copies the files of the example, and not the folders, in which
// earlier campaigns may have left what they found.
func copyExample(ctx context.Context, root, to, raft string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	from := filepath.Join(root, Example)
	files, err := os.ReadDir(from)
	if err != nil {
		return fmt.Errorf("%w (run it in the root of ijongo)", err)
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, f.Name()), text, 0o666); err != nil {
			return err
		}
	}
	_, err = run(ctx, to, "go", "mod", "edit", "-replace=github.com/ijongo/ijongo="+root, "-replace="+Module+"="+raft)
	return err
}

// Target is the subject built for an arm of our own engine.
func (s *Stand) Target(ctx context.Context, a *Arm) (campaign.Target, error) {
	if t, ok := s.targets[a.sidecar]; ok {
		return t, nil
	}
	sidecars, err := filepath.Glob(filepath.Join(s.pkg.Dir, "*.ijon"))
	if err != nil {
		return campaign.Target{}, err
	}
	name := "build"
	if a.sidecar {
		name = "build-fine"
		path := filepath.Join(s.dir, "fine.ijon")
		if err := os.WriteFile(path, fine, 0o666); err != nil {
			return campaign.Target{}, err
		}
		sidecars = append(sidecars, path)
	}
	b, err := build.Build(ctx, s.pkg, build.Options{Annotations: sidecars}, filepath.Join(s.dir, name), func(string, ...any) {})
	if err != nil {
		return campaign.Target{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	t := campaign.Target{Binary: b.Path, Dir: s.pkg.Dir, Name: target, Env: s.Env}
	s.targets[a.sidecar] = t
	return t, nil
}

// run runs a program and returns its standard output.
func run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, exit.Stderr)
	}
	return out, err
}
