package campaign

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A campaign that goes on from another begins at zero again in stats.jsonl,
// and one that was killed leaves half a line.
func TestLoadProgress(t *testing.T) {
	dir := t.TempDir()
	text := `{"Type":"progress","Progress":{"Elapsed":1000000000,"Runs":10,"Corpus":3}}
{"Type":"progress","Progress":{"Elapsed":2000000000,"Runs":25,"Corpus":4}}
{"Type":"failure","Failure":{"Name":"x"}}
{"Type":"progress","Progress":{"Elapsed":3000
{"Type":"progress","Progress":{"Elapsed":500000000,"Runs":4,"Corpus":4}}
{"Type":"progress","Progress":{"Elapsed":1500000000,"Runs":9,"Corpus":6}}
`
	if err := os.WriteFile(filepath.Join(dir, "stats.jsonl"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := LoadProgress(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Progress{
		{Elapsed: time.Second, Runs: 10, Corpus: 3},
		{Elapsed: 2 * time.Second, Runs: 25, Corpus: 4},
		{Elapsed: 2500 * time.Millisecond, Runs: 29, Corpus: 4},
		{Elapsed: 3500 * time.Millisecond, Runs: 34, Corpus: 6},
	}
	if len(all) != len(want) {
		t.Fatalf("%d lines, want %d", len(all), len(want))
	}
	for k, p := range all {
		if p.Elapsed != want[k].Elapsed || p.Runs != want[k].Runs || p.Corpus != want[k].Corpus {
			t.Errorf("line %d is %+v, want %+v", k, p, want[k])
		}
	}
	if _, err := LoadProgress(t.TempDir()); !os.IsNotExist(err) {
		t.Errorf("without the file: %v", err)
	}
}
