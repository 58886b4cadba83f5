package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/fuzz/corpus"
)

// Format is the version of the campaign folder.
const Format = 1

const (
	infoFile  = "campaign.json"
	lockFile  = "lock"
	statsFile = "stats.jsonl"
)

// Info is campaign.json: what replaying a failure of the campaign needs to
// build its target again.
type Info struct {
	Format      int
	Target      string        // FuzzXxx
	Package     string        // import path
	Dir         string        // folder of the package, absolute or relative to the campaign folder
	Annotations []string      `json:",omitempty"` // -annotations, absolute
	Instrument  string        `json:",omitempty"` // -instrument
	Dictionary  string        `json:",omitempty"` // -dict, absolute
	Tags        string        `json:",omitempty"` // -tags
	Timeout     time.Duration // of one run, in nanoseconds
	MemLimit    int64         `json:",omitempty"` // of a process, in bytes
}

// PackageDir is the folder of the package whose campaign is in dir.
func (i *Info) PackageDir(dir string) string {
	if filepath.IsAbs(i.Dir) {
		return i.Dir
	}
	return filepath.Join(dir, i.Dir)
}

// ReadInfo reads campaign.json of the campaign in dir.
func ReadInfo(dir string) (*Info, error) {
	path := filepath.Join(dir, infoFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var i Info
	if err := json.Unmarshal(text, &i); err != nil {
		return nil, fmt.Errorf("%s: %w (restore it, or delete it: the next campaign writes it anew)", path, err)
	}
	if i.Format != Format {
		return nil, fmt.Errorf("%s: format %d, this ijongo reads %d (use the ijongo that wrote it, or another -dir)", path, i.Format, Format)
	}
	return &i, nil
}

// A Folder is the place of a campaign on disk, held by one process at a time.
type Folder struct {
	Dir  string
	info Info
	lock *os.File
}

// ErrLocked is a folder that another process holds.
var ErrLocked = errors.New("another campaign is running in this folder (wait for it, or use another -dir)")

// Open makes the folder if need be and takes its lock. It is an error if the
// folder is that of another target.
func Open(dir string, info Info) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, info: info}
	for _, sub := range []string{f.corpus(), f.failures()} {
		if err := os.MkdirAll(sub, 0o755); err != nil {
			return nil, err
		}
	}
	if err := f.take(); err != nil {
		return nil, err
	}
	if err := f.settle(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Build is where the instrumented copy and the binary are kept.
func (f *Folder) Build() string { return filepath.Join(f.Dir, "build") }

func (f *Folder) corpus() string     { return filepath.Join(f.Dir, "corpus") }
func (f *Folder) failures() string   { return filepath.Join(f.Dir, "failures") }
func (f *Folder) suspects() string   { return filepath.Join(f.Dir, "suspects") }
func (f *Folder) statistics() string { return filepath.Join(f.Dir, statsFile) }
func (f *Folder) coverage() string   { return filepath.Join(f.Dir, cover.FileName) }

// firstInputs is where the first input of each bin is kept, covering the list
// of what each input covers.
func (f *Folder) firstInputs() string { return filepath.Join(f.Dir, "coverage", "inputs") }
func (f *Folder) covering() string    { return filepath.Join(f.Dir, cover.InputsName) }

// take locks the folder. The kernel drops the lock with the process, however
// it ends, so there is no stale lock.
func (f *Folder) take() error {
	path := filepath.Join(f.Dir, lockFile)
	lock, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return fmt.Errorf("%s: %w", f.Dir, ErrLocked)
		}
		return fmt.Errorf("lock %s: %w", path, err)
	}
	f.lock = lock
	return nil
}

// settle sees that the folder is this campaign's and clears what a killed one
// has left.
func (f *Folder) settle() error {
	old, err := ReadInfo(f.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if old != nil && (old.Target != f.info.Target || old.Package != f.info.Package) {
		return fmt.Errorf("%s: the folder of the campaign of %s in %s (use another -dir)", f.Dir, old.Target, old.Package)
	}
	return corpus.Sweep(f.corpus())
}

// describe writes campaign.json.
func (f *Folder) describe() error {
	i := f.info
	i.Format = Format
	i.Dir = beneath(f.Dir, i.Dir)
	text, err := json.MarshalIndent(i, "", "\t")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(f.Dir, infoFile), append(text, '\n'))
}

// beneath is the package folder relative to a campaign folder that lies in
// it, so that both can be moved together.
func beneath(campaign, pkg string) string {
	up, err := filepath.Rel(campaign, pkg)
	if err != nil || strings.Trim(up, "./\\") != "" {
		return pkg
	}
	return up
}

// Close gives the folder back.
func (f *Folder) Close() error { return f.lock.Close() }

// setAside moves an input that ended its process out of the corpus, so that
// the next process does not die of it at start. It stays in suspects/ until
// it has been recorded as a failure, or for good if it did no harm alone.
func (f *Folder) setAside(input []byte) error {
	if err := os.MkdirAll(f.suspects(), 0o755); err != nil {
		return err
	}
	if _, _, err := corpus.Add(f.suspects(), input); err != nil {
		return err
	}
	entries, _, err := corpus.Load(f.corpus())
	if err != nil {
		return err
	}
	for _, e := range entries {
		if string(e.Data) == string(input) {
			if err := os.Remove(filepath.Join(f.corpus(), e.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// cleared removes an input from the suspects.
func (f *Folder) cleared(input []byte) error {
	err := os.Remove(filepath.Join(f.suspects(), corpus.Name(input)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// writeFile replaces path by a file with data, or leaves it as it was.
func writeFile(path string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".ijongo-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Chmod(0o644)
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name()) // the first error is the one to report
	}
	return err
}
