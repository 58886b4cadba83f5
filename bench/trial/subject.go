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
	"sync"

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

// quiet is the setting with which no known violation of the module as it is
// ends a campaign, but the fault.
var quiet = []string{"RAFT_KNOWN=pass"}

// Natural are the violations that are in the module as it is.
var Natural = []Subject{
	{Name: "U1-stale-read-by-removed-leader"},
	{Name: "U3-stale-read-by-lone-voter", Env: []string{"RAFT_KNOWN=fail", "RAFT_STEPDOWN=always"}}, // without U1
}

// Unmodified is the subject whose states are measured.
var Unmodified = Subject{Name: "unmodified", Env: quiet}

// Mutated is the subject with a fault.
func Mutated(m *mutant.Mutant) Subject { return Subject{Name: m.Name, Mutant: m, Env: quiet} }

// A Stand is a subject in a folder of its own, with what is built of it.
type Stand struct {
	Subject
	*works
	Control *Control // nil where all finds count
}

// works is what subjects of the same program share.
type works struct {
	dir     string
	pkg     *build.Package
	targets map[variant]campaign.Target
	goTest  string // binary of go test -fuzz

	lending sync.Mutex // campaigns may run beside each other
	mutator string     // shared object for AFL++
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
	return &Stand{Subject: s, works: &works{dir: dir, pkg: pkg, targets: map[variant]campaign.Target{}}}, nil
}

// As is the stand of another subject that is the same program with other
// settings.
func (s *Stand) As(other Subject) *Stand { return &Stand{Subject: other, works: s.works} }

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

// copyExample copies the example without what earlier campaigns have left in
// it.
func copyExample(ctx context.Context, root, to, raft string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	from := filepath.Join(root, Example)
	err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case name == ".ijongo" || name == filepath.Join("testdata", "fuzz"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o777)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o666)
	})
	if err != nil {
		return fmt.Errorf("%w (run it in the root of ijongo)", err)
	}
	_, err = run(ctx, to, "go", "mod", "edit", "-replace=github.com/ijongo/ijongo="+root, "-replace="+Module+"="+raft)
	return err
}

// Target is the subject built for an arm of our own engine.
func (s *Stand) Target(ctx context.Context, a *Arm) (campaign.Target, error) {
	if t, ok := s.targets[a.build]; ok {
		return t, nil
	}
	o, err := s.options(a.build)
	if err != nil {
		return campaign.Target{}, err
	}
	dir := filepath.Join(s.dir, fmt.Sprint("build-", a.build))
	b, err := build.Build(ctx, s.pkg, o, dir, func(string, ...any) {})
	if err != nil {
		return campaign.Target{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	t := campaign.Target{Binary: b.Path, Dir: s.pkg.Dir, Name: target, MemLimit: campaign.DefaultMemLimit}
	if a.build == blind {
		t.Env = []string{"RAFT_FEEDBACK=off"}
	}
	s.targets[a.build] = t
	return t, nil
}

// options are how a variant is built.
func (s *Stand) options(v variant) (o build.Options, err error) {
	if v == blind {
		path, err := s.sidecar("blind.ijon", seeded)
		return build.Options{Annotations: []string{path}, Instrument: []string{build.NoCounters}}, err
	}
	o.Annotations, err = filepath.Glob(filepath.Join(s.pkg.Dir, "*.ijon"))
	if err == nil && v == fineTuples {
		var path string
		path, err = s.sidecar("fine.ijon", fine)
		o.Annotations = append(o.Annotations, path)
	}
	return o, err
}

// sidecar writes one beside the folders of the subject.
func (s *Stand) sidecar(name string, text []byte) (path string, err error) {
	path = filepath.Join(s.dir, name)
	return path, os.WriteFile(path, text, 0o666)
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
