package cover

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// rawFiles lists what each process has left in a folder that was its
// IJONGO_COVERDIR: the paths of its files without their suffixes. A process
// that was killed before it described its counters has counted nothing.
func rawFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	described := make(map[string]bool)
	for _, e := range entries {
		if base, ok := strings.CutSuffix(e.Name(), ".json"); ok && e.Name() != manifestName {
			described[base] = true
		}
	}
	for _, e := range entries {
		base, ok := strings.CutSuffix(e.Name(), ".bins")
		if !ok || described[base] {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if !zero(data) {
			return nil, fmt.Errorf("%s: its description, %s.json, is missing", filepath.Join(dir, e.Name()), base)
		}
	}
	var bases []string
	for base := range described {
		bases = append(bases, filepath.Join(dir, base))
	}
	slices.Sort(bases)
	return bases, nil
}

func zero(data []byte) bool {
	return len(bytes.Trim(data, "\x00")) == 0
}

// manifestName is the manifest in the folder of an instrumented copy.
const manifestName = "manifest.json"

// ReadRaw reads what the processes that had dir as their IJONGO_COVERDIR have
// left in it, and adds it up. The edges are named by the copy's manifest.json,
// whose path is manifest; without one they are left out.
func ReadRaw(dir, manifest string) (*Profile, error) {
	bases, err := rawFiles(dir)
	if err != nil {
		return nil, err
	}
	r := rawReader{}
	if manifest != "" {
		if err := r.readManifest(manifest); err != nil {
			return nil, err
		}
	}
	m := newMerger()
	for _, base := range bases {
		p, err := r.read(base)
		if err != nil {
			return nil, err
		}
		m.add(Side{filepath.Base(base), p})
	}
	p, _ := m.result() // edges are the manifest's: there is nothing to note
	return p, nil
}

// A rawReader reads what processes have left. Those of one program describe
// it in the same words, which are taken apart once.
type rawReader struct {
	manifest string  // path; empty if there is none
	hash     string  // of the manifest
	edges    []*Edge // as it names them
	text     []byte  // BASE.json that was read last
	desc     description
}

func (r *rawReader) readManifest(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var m struct {
		Format   string
		Counters []*Edge
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if !strings.HasPrefix(m.Format, "ijongo ") {
		return fmt.Errorf("%s: no manifest of an instrumented copy (ijongo instrument writes one)", path)
	}
	sum := sha256.Sum256(text)
	r.manifest, r.hash, r.edges = path, hex.EncodeToString(sum[:8]), m.Counters
	return nil
}

// A description is BASE.json.
type description struct {
	Format   string
	Manifest string
	Module   string
	Edges    int // counters in BASE.edges; 0 when there is no such file
	EdgesAt  int // byte of BASE.edges at which the first one is
	Items    []struct {
		Item
		First int
	}
}

func (d *description) bins() (n int) {
	for k := range d.Items {
		n += len(d.Items[k].Bins)
	}
	return n
}

func (r *rawReader) read(base string) (*Profile, error) {
	if err := r.describe(base + ".json"); err != nil {
		return nil, err
	}
	n := r.desc.bins()
	hits, err := readWords[uint64](base+".bins", n)
	if err != nil {
		return nil, err
	}
	first, err := readWords[uint32](base+".first", n)
	if err != nil {
		return nil, err
	}
	tests, err := readTests(base + ".tests")
	if err != nil {
		return nil, err
	}
	p := &Profile{Module: r.desc.Module, Manifest: r.desc.Manifest, Runs: uint64(len(tests))}
	bins := make([]Bin, 0, n)
	for k := range r.desc.Items {
		i := r.desc.Items[k].Item
		start := len(bins)
		for _, b := range i.Bins {
			at := len(bins)
			b.Hits = hits[at]
			if f := int(first[at]); f > len(tests) {
				return nil, fmt.Errorf("%s.first: bin %d was hit first in test %d of %d", base, at, f, len(tests))
			} else if f > 0 {
				b.First = tests[f-1]
			}
			bins = append(bins, b)
		}
		i.Bins = bins[start:len(bins):len(bins)]
		p.Items = append(p.Items, &i)
	}
	if err := p.readCrowded(base + ".crowded"); err != nil {
		return nil, err
	}
	p.Edges, err = r.readEdges(base + ".edges")
	return p, err
}

// readCrowded reads which items have lost instances: an index a line. Without
// the file none has.
func (p *Profile) readCrowded(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, word := range strings.Fields(string(text)) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n >= len(p.Items) {
			return fmt.Errorf("%s: there is no item %s (it belongs to another program)", path, word)
		}
		p.Items[n].Crowded = true
	}
	return nil
}

func (r *rawReader) describe(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if bytes.Equal(text, r.text) {
		return nil
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("%s: %w (it was cut off, or is no coverage)", path, err)
	}
	if d.Format != header {
		return fmt.Errorf("%s: format %q, and this ijongo reads %q", path, d.Format, header)
	}
	n := 0
	for k := range d.Items {
		i := &d.Items[k]
		if i.First != n {
			return fmt.Errorf("%s: the bins of %s begin at %d, not at %d", path, i.Title(), i.First, n)
		}
		n += len(i.Bins)
		for j := range i.Bins {
			if err := i.check(&i.Bins[j]); err != nil {
				return fmt.Errorf("%s: %s: %w", path, i.Title(), err)
			}
		}
	}
	r.text, r.desc = text, d
	return nil
}

// readEdges reads the counters of the edges, as the manifest names them.
func (r *rawReader) readEdges(path string) ([]*Edge, error) {
	if r.manifest == "" || r.desc.Edges == 0 {
		return nil, nil
	}
	if r.desc.Manifest != r.hash || r.desc.Edges != len(r.edges) {
		return nil, fmt.Errorf("%s is not the manifest of the program that wrote %s (name the one of the copy that it was built from)", r.manifest, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	hits := make([]uint32, r.desc.Edges)
	if from := r.desc.EdgesAt; from < 0 || from > len(data) || len(data)-from < binary.Size(hits) {
		return nil, fmt.Errorf("%s: %d bytes are too few for %d counters (it was cut off)", path, len(data), len(hits))
	}
	if _, err := binary.Decode(data[r.desc.EdgesAt:], binary.LittleEndian, hits); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	all := make([]Edge, len(hits))
	list := make([]*Edge, len(hits))
	for k, n := range hits {
		all[k] = *r.edges[k]
		all[k].Hits = uint64(n)
		list[k] = &all[k]
	}
	return list, nil
}

// readWords reads a file of n little-endian numbers. There may be zeros behind
// them: a process was killed while it made room.
func readWords[T uint32 | uint64](path string, n int) ([]T, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	words := make([]T, n)
	want := binary.Size(words)
	if len(data) < want {
		return nil, fmt.Errorf("%s: %d bytes, not %d (it was cut off)", path, len(data), want)
	}
	if !zero(data[want:]) {
		return nil, fmt.Errorf("%s: %d bytes, not %d (it belongs to another program)", path, len(data), want)
	}
	if _, err := binary.Decode(data, binary.LittleEndian, words); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return words, nil
}

// readTests reads the names of the tests, one a line.
func readTests(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(text), "\n")
	if last := len(lines) - 1; lines[last] != "" {
		return nil, fmt.Errorf("%s: the last line was cut off", path)
	}
	return lines[:len(lines)-1], nil
}
