package fuzz

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// maxCellFiles bounds the corpus files that are kept for cells of the archive
// alone.
const maxCellFiles = 4096

// A pool is the corpus in memory and its folder on disk.
type pool struct {
	dir       string
	known     map[string]bool // names of files
	all       []*entry
	byEdges   shelf
	bySet     shelf
	cellFiles int
}

// A shelf is the entries that one arm mutates.
type shelf struct {
	entries []*entry
	picks   []int
}

func (f *shelf) add(e *entry) {
	f.entries, f.picks = append(f.entries, e), append(f.picks, 0)
}

// pick is the entry picked least of four drawn ones; of equals the newest.
func (f *shelf) pick(r *rng) *entry {
	best := -1
	for n := 0; n < 4; n++ {
		i := r.intn(len(f.entries))
		if best < 0 || f.picks[i] < f.picks[best] || f.picks[i] == f.picks[best] && i > best {
			best = i
		}
	}
	f.picks[best]++
	return f.entries[best]
}

func newPool(config wire.Config) pool {
	return pool{dir: config.Corpus, known: make(map[string]bool)}
}

// load reads the entries that are there when the search starts.
func (p *pool) load() (inputs [][]byte, err error) {
	if p.dir == "" {
		return nil, nil
	}
	entries, _, err := corpus.Load(p.dir) // the campaign reports bad files
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		p.known[e.Name] = true
		inputs = append(inputs, e.Data)
	}
	return inputs, nil
}

// fresh reads the entries that others have added. A file that cannot be read
// or is not what its name says is left for the next start, which reports it.
func (p *pool) fresh() (inputs [][]byte, err error) {
	files, err := os.ReadDir(p.dir)
	if err != nil {
		return nil, err
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Name() < files[j].Name() })
	for _, f := range files {
		name := f.Name()
		if p.known[name] || !f.Type().IsRegular() || name[0] == '.' {
			continue
		}
		data, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil || corpus.Name(data) != name {
			continue
		}
		p.known[name] = true
		inputs = append(inputs, data)
	}
	return inputs, nil
}

// add writes a find to the folder and keeps it.
func (p *pool) add(e *entry, n news) (name string, err error) {
	if p.dir == "" {
		name = corpus.Name(e.data)
	} else if name, _, err = corpus.Add(p.dir, e.data); err != nil {
		return "", fmt.Errorf("corpus: %v", err)
	}
	p.known[name] = true
	if onlyCells(n) {
		p.cellFiles++
	}
	p.keep(e, n)
	return name, nil
}

// keep puts an entry on the shelves of the arms that it is for.
func (p *pool) keep(e *entry, n news) {
	p.all = append(p.all, e)
	if n[edges] > 0 {
		p.byEdges.add(e)
	}
	if n[set] > 0 || n[bins] > 0 {
		p.bySet.add(e)
	}
}

func onlyCells(n news) bool { return n == news{cells: n[cells]} }

func (p *pool) roomForCells() bool { return p.cellFiles < maxCellFiles }

// any is an entry to splice with.
func (p *pool) any(r *rng) *entry {
	if len(p.all) == 0 {
		return none
	}
	return p.all[r.intn(len(p.all))]
}
