package cover

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// rawFiles lists what each process has left in a folder that was its
// IJONGO_COVERDIR, by the path of its description without the extension.
func rawFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var bases []string
	for _, e := range entries {
		if base, ok := strings.CutSuffix(e.Name(), ".bins"); ok {
			bases = append(bases, filepath.Join(dir, base))
		}
	}
	return bases, nil
}

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
		if r.edges, err = manifestEdges(manifest); err != nil {
			return nil, err
		}
	}
	var sides []Side
	for _, base := range bases {
		p, err := r.read(base)
		if err != nil {
			return nil, err
		}
		sides = append(sides, Side{filepath.Base(base), p})
	}
	p, _ := Merge(sides...)
	return p, nil
}

// manifestEdges are the counters of a copy.
func manifestEdges(path string) ([]*Edge, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m struct {
		Format   string
		Counters []*Edge
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !strings.HasPrefix(m.Format, "ijongo ") {
		return nil, fmt.Errorf("%s: no manifest of an instrumented copy (ijongo instrument writes one)", path)
	}
	return m.Counters, nil
}

// A rawReader reads what processes have left. Those of one program describe
// it in the same words, which are taken apart once.
type rawReader struct {
	edges []*Edge
	text  []byte // BASE.json that was read last
	desc  description
}

// A description is BASE.json.
type description struct {
	Format   string
	Manifest string
	Module   string
	Edges    int
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
	p.Edges, err = r.readEdges(base + ".edges")
	return p, err
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

// readEdges reads the counters of the edges, which must be as many as the
// manifest names.
func (r *rawReader) readEdges(path string) ([]*Edge, error) {
	if r.edges == nil {
		return nil, nil
	}
	if r.desc.Edges != len(r.edges) {
		return nil, fmt.Errorf("%s: %d edges, and the manifest has %d (it is that of another copy)", path, r.desc.Edges, len(r.edges))
	}
	hits, err := readWords[uint32](path, r.desc.Edges)
	if err != nil {
		return nil, err
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

// readWords reads a file of n little-endian numbers.
func readWords[T uint32 | uint64](path string, n int) ([]T, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	words := make([]T, n)
	if want := binary.Size(words); len(data) != want {
		return nil, fmt.Errorf("%s: %d bytes, not %d (it was cut off, or belongs to another program)", path, len(data), want)
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
