package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

	inboxDir    = "corpus"
	suspectsDir = "suspects"
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

// NoFolder is the error of a folder that is none of a campaign, or not there.
func NoFolder(dir string) error {
	return fmt.Errorf("%s: no campaign folder (ijongo fuzz makes one, .ijongo/FuzzXxx beside the package or what -dir names)", dir)
}

// A Folder is the place of a campaign on disk. Campaigns of different names
// share one; each is held by one process at a time.
type Folder struct {
	Dir  string
	name string // of the campaign, empty for the only one
	info Info
	lock *os.File
}

// ErrLocked is a folder that another process holds.
var ErrLocked = errors.New("another campaign is running in this folder (wait for it, use another -dir, or give this one a -name to feed each other)")

// taken are the names in a folder that no campaign can have.
var taken = []string{"build", "corpus", "coverage", "failures", "suspects"}

// queueName is what the queues of a campaign without a name are called, and
// those of minimised corpora.
var queueName = regexp.MustCompile(`^(w|afl|min)[0-9]+$`)

// CheckName tells what is wrong with the name of a campaign.
func CheckName(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
	switch {
	case name == "":
		return nil
	case name[0] == '.' || strings.Trim(name, letters) != "":
		return fmt.Errorf("name %q (letters, digits, and _.- but no dot first)", name)
	case slices.Contains(taken, name) || queueName.MatchString(name):
		return fmt.Errorf("name %s is taken by a part of the folder (choose another)", name)
	}
	return nil
}

// Open makes the folder if need be and takes the lock of the campaign called
// name, or of the only one. It is an error if the folder is that of another
// target.
func Open(dir, name string, info Info) (*Folder, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, name: name, info: info}
	for _, sub := range []string{f.home(), f.inbox(), f.failures()} {
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
func (f *Folder) Build() string { return filepath.Join(f.home(), "build") }

// home is where the campaign keeps what it shares with no other.
func (f *Folder) home() string { return filepath.Join(f.Dir, f.name) }

func (f *Folder) inbox() string      { return filepath.Join(f.Dir, inboxDir) }
func (f *Folder) failures() string   { return filepath.Join(f.Dir, "failures") }
func (f *Folder) suspects() string   { return filepath.Join(f.Dir, suspectsDir) }
func (f *Folder) statistics() string { return filepath.Join(f.home(), statsFile) }
func (f *Folder) judged() string     { return filepath.Join(f.home(), "judged") }
func (f *Folder) coverage() string   { return filepath.Join(f.home(), cover.FileName) }

// firstInputs is where the first input of each bin is kept, covering the list
// of what each input covers.
func (f *Folder) firstInputs() string { return filepath.Join(f.home(), "coverage", "inputs") }
func (f *Folder) covering() string    { return filepath.Join(f.home(), cover.InputsName) }

// workshop is where the campaign keeps what its instances of AFL++ need, and
// begin the inputs that new ones begin with.
func (f *Folder) workshop() string { return filepath.Join(f.home(), ".afl") }
func (f *Folder) begin() string    { return filepath.Join(f.workshop(), "in") }

// take locks the folder. The kernel drops the lock with the process, however
// it ends, so there is no stale lock.
func (f *Folder) take() error {
	path := filepath.Join(f.home(), lockFile)
	lock, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return fmt.Errorf("%s: %w", f.home(), ErrLocked)
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
	return f.sweep()
}

// stale is the age at which a temporary file in a folder that campaigns share
// has been left by one that was killed.
const stale = time.Hour

// sweep clears what killed writers have left.
func (f *Folder) sweep() error {
	for _, shared := range []string{f.Dir, f.inbox(), f.suspects()} {
		if err := corpus.Sweep(shared, stale); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := corpus.Sweep(f.home(), 0); f.name != "" && err != nil {
		return err
	}
	return f.sweepQueues()
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

// cleared removes an input from the suspects.
func (f *Folder) cleared(input []byte) error {
	return remove(filepath.Join(f.suspects(), corpus.Name(input)))
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
