package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/fuzz/corpus"
)

// A Merged is what a campaign folder has got from another one.
type Merged struct {
	Inputs   int                // new entries
	Failures int                // new, or with a smaller input
	Bad      []*corpus.BadEntry // left out
}

// Merge brings what is in the campaign folder from, and new, into the folder
// into, which is made if need be. It becomes a campaign of its own there, whose
// name the path of from gives, so that what it has covered is counted once
// however often it is merged. Nothing in from is changed.
func Merge(into, from string) (m Merged, err error) {
	info, err := ReadInfo(from)
	if errors.Is(err, fs.ErrNotExist) {
		return m, NoFolder(from)
	}
	if err != nil {
		return m, err
	}
	if from, err = filepath.Abs(from); err != nil {
		return m, err
	}
	info.Dir = info.PackageDir(from)
	f, err := Open(into, nameFor(from), *info)
	if err != nil {
		return m, err
	}
	for _, step := range []func(string, *Merged) error{f.mergeInputs, f.mergeFailures, f.mergeSuspects, f.mergeCoverage} {
		if err = step(from, &m); err != nil {
			break
		}
	}
	if err == nil {
		err = f.describe()
	}
	return m, errors.Join(err, f.Close())
}

// nameFor is the name of the campaigns in the folder dir, when they are merged.
func nameFor(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return slug(filepath.Base(dir)) + "-" + hex.EncodeToString(sum[:4])
}

func (f *Folder) mergeInputs(from string, m *Merged) error {
	in, err := f.intake()
	if err != nil {
		return err
	}
	files, err := corpus.AllFiles(from)
	if err != nil {
		return err
	}
	for _, file := range corpus.Live(files) {
		data, err := file.Read()
		if bad := (*corpus.BadEntry)(nil); errors.As(err, &bad) {
			m.Bad = append(m.Bad, bad)
			continue
		}
		if err == nil {
			err = m.take(in, data)
		}
		if err != nil {
			return err
		}
	}
	entries, bad, err := corpus.Load(filepath.Join(from, inboxDir))
	m.Bad = append(m.Bad, bad...)
	for _, e := range entries {
		err = errors.Join(err, m.take(in, e.Data))
	}
	return ignoreMissing(err)
}

func (m *Merged) take(in *intake, data []byte) error {
	if in.there[corpus.Name(data)] {
		return nil
	}
	m.Inputs++
	return in.add(data)
}

func (f *Folder) mergeFailures(from string, m *Merged) error {
	theirs, err := LoadFailures(from)
	if err != nil {
		return ignoreMissing(err)
	}
	ours, err := LoadFailures(f.Dir)
	if err != nil {
		return err
	}
	known := make(map[string]*Failure)
	for _, o := range ours {
		known[o.Name] = o
	}
	for _, t := range theirs {
		if o := known[t.Name]; o != nil && !t.betters(o) {
			continue
		}
		m.Failures++
		if err := copyFiles(filepath.Join(f.failures(), t.Name), t.Dir, failureFile); err != nil {
			return err
		}
	}
	return nil
}

// betters tells whether f is the better one of two records of a failure: as
// sure, and smaller.
func (f *Failure) betters(old *Failure) bool {
	return f.Hits*old.Runs >= old.Hits*f.Runs && f.Size < old.Size
}

func (f *Folder) mergeSuspects(from string, m *Merged) error {
	return copyFiles(f.suspects(), filepath.Join(from, suspectsDir), "")
}

// mergeCoverage copies the profile, of all campaigns in the other folder, and
// the inputs that it names.
func (f *Folder) mergeCoverage(from string, m *Merged) error {
	homes, err := cover.Homes(from)
	if err != nil || len(homes) == 0 {
		return err
	}
	p, err := cover.Read(from)
	if err != nil {
		return err
	}
	for _, home := range homes {
		if err := copyFiles(f.firstInputs(), filepath.Join(home, cover.InputsDir), ""); err != nil {
			return err
		}
	}
	if len(homes) == 1 {
		for path, to := range map[string]string{cover.InputsName: f.covering(), statsFile: f.statistics()} {
			if err := copyFile(to, filepath.Join(homes[0], path)); err != nil {
				return err
			}
		}
	}
	return p.WriteFile(f.coverage())
}

// copyFiles copies the files of a folder, if there is one, that named last
// behind the others.
func copyFiles(to, from, last string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return ignoreMissing(err)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() == last || e.Name()[0] == '.' {
			continue
		}
		if err := copyFile(filepath.Join(to, e.Name()), filepath.Join(from, e.Name())); err != nil {
			return err
		}
	}
	if last == "" {
		return nil
	}
	return copyFile(filepath.Join(to, last), filepath.Join(from, last))
}

// copyFile copies a file as a whole, if there is one.
func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return ignoreMissing(err)
	}
	return writeFile(to, data)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
