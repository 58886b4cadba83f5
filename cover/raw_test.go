package cover

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// writeRaw leaves in dir what a process whose coverage is p would leave, and
// the manifest of its program.
func writeRaw(t testing.TB, dir, base string, p *Profile) {
	t.Helper()
	type item struct {
		*Item
		First int
	}
	var items []item
	var bins []uint64
	var first, edges []uint32
	var tests []string
	test := make(map[string]uint32)
	for _, i := range p.Items {
		bare := *i
		bare.Bins = nil
		items = append(items, item{&bare, len(bins)})
		for _, b := range i.Bins {
			if test[b.First] == 0 && b.First != "" {
				tests = append(tests, b.First+"\n")
				test[b.First] = uint32(len(tests))
			}
			bins, first = append(bins, b.Hits), append(first, test[b.First])
			b.Hits, b.First, b.When, b.Only = 0, "", 0, ""
			bare.Bins = append(bare.Bins, b)
		}
	}
	var counters []Edge
	for _, e := range p.Edges {
		counters = append(counters, Edge{e.Package, e.Func, e.Kind, e.Pos, 0})
		edges = append(edges, uint32(e.Hits))
	}
	manifest, err := json.Marshal(map[string]any{"Format": "ijongo 1", "Counters": counters})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(manifest)
	const at = 64
	desc, err := json.Marshal(map[string]any{"Format": header, "Manifest": hex.EncodeToString(sum[:8]), "Module": p.Module, "Edges": len(edges), "EdgesAt": at, "Items": items})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		manifestName:    manifest,
		base + ".json":  desc,
		base + ".bins":  little(t, bins),
		base + ".first": little(t, first),
		base + ".edges": append(make([]byte, at), little(t, edges)...),
		base + ".tests": []byte(strings.Join(tests, "")),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func little(t testing.TB, words any) []byte {
	data, err := binary.Append(nil, binary.LittleEndian, words)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// tested is cluster as the tests of a package leave it: without times.
func tested() *Profile {
	p := cluster()
	p.Time = 0
	for _, i := range p.Items {
		for k := range i.Bins {
			i.Bins[k].When, i.Bins[k].Only = 0, ""
		}
	}
	return p
}

func TestReadRaw(t *testing.T) {
	dir := t.TempDir()
	writeRaw(t, dir, "1-aa", tested())
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := tested()
	want.Manifest, want.Runs = got.Manifest, 3
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got.AppendText(nil), want.AppendText(nil))
	}

	// Another process of the program, whose harness declared one item more;
	// and one that was killed before it began.
	more := tested()
	more.Items = append(more.Items, &Item{Kind: "point", Group: "harness", Name: "p", Key: "harness.point.p", Bins: []Bin{{Name: "0", Hits: 3}}})
	writeRaw(t, dir, "2-bb", more)
	if err := os.WriteFile(filepath.Join(dir, "3-cc.bins"), make([]byte, 80), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err = Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.Items); n != 8 || got.Items[0].Bins[0].Hits != 24 || got.Edges[0].Hits != 24 || got.Items[7].Bins[0].Hits != 3 || got.Items[7].Bins[0].Only != "" {
		t.Errorf("two processes:\n%s", got.AppendText(nil))
	}
}

// TestReadRawDamaged cuts off every file, and removes it.
func TestReadRawDamaged(t *testing.T) {
	for _, suffix := range []string{".json", ".bins", ".first", ".edges", ".tests"} {
		for _, cut := range []bool{true, false} {
			dir := t.TempDir()
			writeRaw(t, dir, "1-aa", tested())
			path := filepath.Join(dir, "1-aa"+suffix)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if cut {
				err = os.Truncate(path, info.Size()-1)
			} else {
				err = os.Remove(path)
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "1-aa"+suffix) {
				t.Errorf("%s, cut off %v: got %v", suffix, cut, err)
			}
		}
	}
}

func TestReadRawForeign(t *testing.T) {
	dir := t.TempDir()
	writeRaw(t, dir, "1-aa", tested())
	for name, c := range map[string]struct{ data, want string }{
		"1-aa.bins":    {string(little(t, make([]uint64, 30))) + "x", "1-aa.bins: 241 bytes, not 160 (it belongs to another program)"},
		"1-aa.first":   {string(little(t, []uint32{99})) + strings.Repeat("\x00", 100), "1-aa.first: bin 0 was hit first in test 99 of 3"},
		"1-aa.json":    {`{"Format": "ijongo coverage 2"}`, `1-aa.json: format "ijongo coverage 2", and this ijongo reads "ijongo coverage 1"`},
		manifestName:   {`{"Format": "ijongo 1"}`, "manifest.json is not the manifest of the program that wrote"},
		"coverage.txt": {"mode: set", "coverage.txt:1: no coverage profile"},
	} {
		path := filepath.Join(dir, name)
		old, readErr := os.ReadFile(path)
		if err := os.WriteFile(path, []byte(c.data), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
		err := os.Remove(path)
		if readErr == nil {
			err = os.WriteFile(path, old, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no coverage in this folder") {
		t.Errorf("empty folder: %v", err)
	}
}

func TestJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.json")
	var b strings.Builder
	if err := cluster().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, cluster()) {
		t.Errorf("got\n%s", got.AppendText(nil))
	}
	for _, c := range []struct{ text, want string }{
		{"{", "x:1: no coverage profile: unexpected EOF"},
		{"{\n\"Colour\": 1}", `x:2: no coverage profile: json: unknown field "Colour"`},
		{"{}", `x:1: no coverage profile (its Format is "", not "ijongo coverage 1")`},
		{`{"Format": "ijongo coverage 1"} {}`, "x: text behind the profile"},
		{`{"Format": "ijongo coverage 1", "Items": [{"Kind": "point", "Name": "p"}]}`, `x: item p: the key "" is empty or taken`},
		{`{"Format": "ijongo coverage 1", "Items": [{"Kind": "point", "Name": "p", "Key": "k", "Bins": [{"Name": "b", "Kind": "goal"}]}]}`, `x: item p: bin b is of kind "goal"`},
		{`{"Format": "ijongo coverage 1", "Edges": [null]}`, "x: an edge has no position"},
	} {
		if _, err := ParseJSON("x", c.text); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
	}
}

// BenchmarkReadAndMerge merges 100 folders of 10,000 bins and 10,000 edges.
func BenchmarkReadAndMerge(b *testing.B) {
	text := b.TempDir()
	raw := b.TempDir()
	p := large(10000)
	for k := range 100 {
		if err := p.WriteFile(filepath.Join(text, fmt.Sprint(k))); err != nil {
			b.Fatal(err)
		}
		writeRaw(b, raw, fmt.Sprintf("%d-ff", k), p)
	}
	b.Run("text", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var names []string
			for k := range 100 {
				names = append(names, filepath.Join(text, fmt.Sprint(k)))
			}
			if _, _, err := ReadAll(names...); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("raw", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Read(raw); err != nil {
				b.Fatal(err)
			}
		}
	})
}
