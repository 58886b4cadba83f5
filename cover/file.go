package cover

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Read reads a profile from a file, in the text format or JSON, or from a
// folder: from its coverage.txt, or if there is none from what programs that
// had it as IJONGO_COVERDIR have left in it, with the edges as its
// manifest.json names them. What several campaigns in one folder have covered
// is merged.
func Read(path string) (*Profile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return readFile(path)
	}
	homes, err := Homes(path)
	if err != nil {
		return nil, err
	}
	if len(homes) > 0 && (len(homes) > 1 || homes[0] != path) {
		p, _, err := ReadAll(profilesOf(homes)...)
		return p, err
	}
	p, err := readFile(filepath.Join(path, FileName))
	if !errors.Is(err, fs.ErrNotExist) {
		return p, err
	}
	raw, err := rawFiles(path)
	if err != nil {
		return nil, err
	}
	if len(raw) == 0 {
		return nil, fmt.Errorf("%s: no coverage in this folder (name that of a campaign or of ijongo test, one that was IJONGO_COVERDIR, or a profile)", path)
	}
	manifest := filepath.Join(path, manifestName)
	if _, err := os.Stat(manifest); err != nil {
		manifest = ""
	}
	return ReadRaw(path, manifest)
}

// campaignName is a file in the folder of a campaign.
const campaignName = "campaign.json"

// Homes are the folders, in that of one or several campaigns, where each of
// them keeps its profile; none if dir is something else.
func Homes(dir string) (homes []string, err error) {
	if _, err := os.Stat(filepath.Join(dir, campaignName)); err != nil {
		return nil, nil // a folder that cannot be read is an error soon enough
	}
	if _, err := os.Stat(filepath.Join(dir, FileName)); err == nil {
		homes = append(homes, dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		home := filepath.Join(dir, e.Name())
		if _, err := os.Stat(filepath.Join(home, FileName)); e.IsDir() && err == nil {
			homes = append(homes, home)
		}
	}
	return homes, nil
}

func profilesOf(homes []string) (paths []string) {
	for _, h := range homes {
		paths = append(paths, filepath.Join(h, FileName))
	}
	return paths
}

func readFile(path string) (*Profile, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(text, "{") {
		return ParseJSON(path, text)
	}
	return Parse(path, text)
}

// readText reads a file into a string, without a second copy of it.
func readText(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() // it was only read
	var text strings.Builder
	if info, err := f.Stat(); err == nil {
		text.Grow(int(info.Size()))
	}
	_, err = io.Copy(&text, f)
	return text.String(), err
}

// A document is a profile in JSON.
type document struct {
	Format   string
	Module   string
	Manifest string
	Runs     uint64
	Time     time.Duration
	Items    []*Item
	Edges    []*Edge
}

// WriteJSON writes the profile as a JSON object: its fields and those of its
// parts as they are named in this package, durations in nanoseconds, and as
// Format the first line of the text format.
func (p *Profile) WriteJSON(w io.Writer) error {
	d := document{header, p.Module, p.Manifest, p.Runs, p.Time, p.Items, p.Edges}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(&d)
}

// ParseJSON reads what WriteJSON has written. Errors name the file as name.
func ParseJSON(name, text string) (*Profile, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var doc document
	if err := d.Decode(&doc); err != nil {
		line := 1 + strings.Count(text[:d.InputOffset()], "\n")
		return nil, fmt.Errorf("%s:%d: no coverage profile: %w", name, line, err)
	}
	if doc.Format != header {
		return nil, fmt.Errorf("%s:1: no coverage profile (its Format is %q, not %q)", name, doc.Format, header)
	}
	if rest := strings.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("%s: text behind the profile", name)
	}
	p := &Profile{doc.Module, doc.Manifest, doc.Runs, doc.Time, doc.Items, doc.Edges}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// check is what is wrong with a profile that may have been written by hand.
func (p *Profile) check() error {
	keys := make(map[identity]bool)
	for _, i := range p.Items {
		switch {
		case i == nil || i.Name == "":
			return errors.New("an item has no name")
		case i.Key == "" || keys[i.identity()]:
			return fmt.Errorf("item %s: the key %q is empty or taken", i.Title(), i.Key)
		case i.AtLeast < 0 || i.Weight < 0:
			return fmt.Errorf("item %s: AtLeast or Weight is negative", i.Title())
		}
		keys[i.identity()] = true
		for k := range i.Bins {
			b := &i.Bins[k]
			if err := i.check(b); err != nil {
				return fmt.Errorf("item %s: %w", i.Title(), err)
			}
			if b.Kind != Goal && b.Kind != Never && b.Kind != Info {
				return fmt.Errorf("item %s: bin %s is of kind %q (there are %s, %s and none)", i.Title(), b.Name, b.Kind, Never, Info)
			}
		}
	}
	for _, e := range p.Edges {
		if e == nil || e.Pos == "" {
			return errors.New("an edge has no position")
		}
	}
	return nil
}

// ReadAll reads and merges profiles, of which only a few are in memory at
// once.
func ReadAll(paths ...string) (p *Profile, notes []string, err error) {
	m := newMerger()
	for some := range slices.Chunk(paths, runtime.GOMAXPROCS(0)) {
		sides, err := ReadSides(some...)
		if err != nil {
			return nil, nil, err
		}
		for _, s := range sides {
			m.add(s)
		}
	}
	p, notes = m.result()
	return p, notes, nil
}

// ReadSides reads profiles, on all processors. The names of the sides are the
// paths.
func ReadSides(paths ...string) ([]Side, error) {
	sides := make([]Side, len(paths))
	errs := make([]error, len(paths))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		all.Go(func() {
			for k := int(next.Add(1)) - 1; k < len(paths); k = int(next.Add(1)) - 1 {
				p, err := Read(paths[k])
				sides[k], errs[k] = Side{paths[k], p}, err
			}
		})
	}
	all.Wait()
	return sides, errors.Join(errs...)
}
