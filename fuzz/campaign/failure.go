package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/ijongo/ijongo/fuzz/args"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// The files of a failure's folder.
const (
	inputFile    = "input"         // the flat bytes, minimised
	originalFile = "original"      // the flat bytes as they were found
	goFile       = "input.go-fuzz" // the input in the corpus format of go test
	textFile     = "text"          // what a person reads
	scheduleFile = "schedule.json" // the events of the input
	timelineFile = "timeline"      // what happens when it runs, a line for each event; empty if nobody saw
	failureFile  = "failure.json"  // the rest; written last, without it the folder is none
)

// A Failure is one way in which the target fails, and an input that does it.
// Two inputs with the same key are one failure.
type Failure struct {
	Name     string // of its folder: the oracle and a hash of the key
	Key      string
	Oracle   string `json:",omitempty"` // that is violated
	State    string `json:",omitempty"` // in which it is, if the harness says so
	InCopy   bool   `json:",omitempty"` // the oracle is an annotation: in plain go test nothing fails
	Fault    wire.Fault
	Hits     int // runs that failed, alone in a process of their own
	Runs     int // out of so many
	Size     int // events of the input, or bytes if it has no events
	Found    int // and before it was minimised
	Events   bool
	Text     string   `json:"-"`
	Timeline []string `json:"-"` // of a failing run, empty if there is none
	Input    []byte   `json:"-"`
	Original []byte   `json:"-"`
	Dir      string   `json:"-"` // its folder
	GoFile   string   `json:"-"` // where plain go test finds the input, "" if nowhere
	Known    bool     `json:"-"` // recorded by an earlier campaign
}

// Rate says how often the failure happens again.
func (f *Failure) Rate() string { return fmt.Sprintf("%d of %d", f.Hits, f.Runs) }

// Flaky tells whether some run of the input did not fail.
func (f *Failure) Flaky() bool { return f.Hits != f.Runs }

// Shrinks tells whether it makes sense to look for a smaller input. That of a
// hang is left alone, because each run takes as long as the timeout.
func (f *Failure) Shrinks() bool { return f.Hits > 0 && f.Fault != wire.Hang }

// annotated tells whether an oracle is an annotation, which only an instrumented
// copy has, and not what the harness checks.
func annotated(oracle string, d *wire.Description) bool {
	for k := range d.Items {
		i := &d.Items[k]
		if i.Pos != "" && (oracle == i.Kind+" "+i.Name || strings.HasPrefix(oracle, "never "+i.Title()+": ")) {
			return true
		}
	}
	return false
}

// Unit is what Size counts.
func (f *Failure) Unit() string {
	if f.Events {
		return "events"
	}
	return "bytes"
}

// nameOf is the name of the failure with this key.
func nameOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return slug(key) + "-" + hex.EncodeToString(sum[:4])
}

// slug is the letters and digits of s, as a file name.
func slug(s string) string {
	const longest = 40
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9')
	})
	out := strings.Join(words, "-")
	if len(out) > longest {
		out = strings.TrimRight(out[:longest], "-")
	}
	if out == "" {
		return "failure"
	}
	return out
}

// save writes the failure into its folder under failures.
func (f *Failure) save(failures string, d *wire.Description) error {
	f.Dir = filepath.Join(failures, f.Name)
	if err := os.MkdirAll(f.Dir, 0o755); err != nil {
		return err
	}
	rest, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return err
	}
	schedule, err := json.MarshalIndent(newSchedule(f.Input, d), "", "\t")
	if err != nil {
		return err
	}
	for _, file := range []struct {
		name string
		data []byte
	}{
		{originalFile, f.Original},
		{inputFile, f.Input},
		{goFile, args.Signature(d.Args).GoFile(f.Input)},
		{textFile, []byte(f.Text + "\n")},
		{scheduleFile, append(schedule, '\n')},
		{timelineFile, timelineText(f.Timeline)},
		{failureFile, append(rest, '\n')},
	} {
		if err := writeFile(filepath.Join(f.Dir, file.name), file.data); err != nil {
			return err
		}
	}
	return nil
}

func timelineText(lines []string) (text []byte) {
	for _, l := range lines {
		text = append(append(text, l...), '\n')
	}
	return text
}

// publish writes the input where plain go test replays it: in dir, the folder
// testdata/fuzz/FuzzXxx of the package.
func (f *Failure) publish(dir string, d *wire.Description) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f.GoFile = filepath.Join(dir, f.Name)
	return writeFile(f.GoFile, args.Signature(d.Args).GoFile(f.Input))
}

// LoadFailures reads the failures that are recorded in a campaign folder,
// sorted by name.
func LoadFailures(dir string) ([]*Failure, error) {
	folders, err := os.ReadDir(filepath.Join(dir, "failures"))
	if err != nil {
		return nil, err
	}
	var all []*Failure
	for _, e := range folders {
		f, err := loadFailure(filepath.Join(dir, "failures", e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // its writer was killed; the search finds it again
		}
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all, nil
}

func loadFailure(dir string) (*Failure, error) {
	text, err := os.ReadFile(filepath.Join(dir, failureFile))
	if err != nil {
		return nil, err
	}
	f := &Failure{Dir: dir, Known: true}
	if err := json.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("%s: %w (restore it, or delete the folder)", filepath.Join(dir, failureFile), err)
	}
	for name, to := range map[string]*[]byte{inputFile: &f.Input, originalFile: &f.Original} {
		if *to, err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	words, err := os.ReadFile(filepath.Join(dir, textFile))
	if err != nil {
		return nil, err
	}
	f.Text = strings.TrimSuffix(string(words), "\n")
	lines, err := os.ReadFile(filepath.Join(dir, timelineFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if len(lines) > 0 {
		f.Timeline = strings.Split(strings.TrimSuffix(string(lines), "\n"), "\n")
	}
	return f, nil
}
