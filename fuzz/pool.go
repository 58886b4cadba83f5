package fuzz

import (
	"fmt"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// maxCellFiles bounds the corpus files that are kept for cells of the archive
// alone.
const maxCellFiles = 4096

// maxKept bounds the bytes of the corpus that are held in memory to mutate.
// What is over it stays on disk, and is run again at the next start.
const maxKept = 256 << 20

// A pool is the corpus in memory, its own queue on disk, and what it reads
// from the queues of others.
type pool struct {
	queue  *corpus.Queue // nil if the corpus is in memory alone
	reader *corpus.Reader
	others bool            // read also what did not come from a campaign
	known  map[string]bool // names of entries that have been run, or are not to be; true if a queue has them

	all       []*entry
	kept      int // bytes of all
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
func (f *shelf) pick(r *mutate.RNG) *entry {
	best := -1
	for n := 0; n < 4; n++ {
		i := r.Intn(len(f.entries))
		if best < 0 || f.picks[i] < f.picks[best] || f.picks[i] == f.picks[best] && i > best {
			best = i
		}
	}
	f.picks[best]++
	return f.entries[best]
}

// newPool opens the corpus of a worker. The first worker of a campaign reads
// also what others than campaigns have found; those after it get that from its
// queue.
func newPool(config wire.Config) (pool, error) {
	p := pool{known: make(map[string]bool), others: config.Worker == 0}
	if config.Corpus == "" {
		return p, nil
	}
	var err error
	if p.queue, err = corpus.OpenQueue(config.Corpus, config.Queue); err != nil {
		return p, err
	}
	p.reader = corpus.NewReader(config.Corpus)
	return p, nil
}

// load lists the entries that are there when the search starts.
func (p *pool) load(config wire.Config) ([]corpus.File, error) {
	if p.queue == nil {
		return nil, nil
	}
	files, err := p.fresh()
	p.reader.Skip(config.Queue) // from now on that is what this worker writes
	return files, err
}

// fresh lists the entries that have been added to the queues.
func (p *pool) fresh() ([]corpus.File, error) {
	files, err := p.reader.Next()
	if err != nil {
		return nil, fmt.Errorf("corpus: %v", err)
	}
	for _, f := range files {
		if f.Dead {
			p.known[f.Name] = true
		}
	}
	list := files[:0]
	for _, f := range files {
		if p.known[f.Name] || f.Name == "" && !p.others {
			continue
		}
		if f.Name != "" {
			p.known[f.Name] = true
		}
		list = append(list, f)
	}
	return list, nil
}

// read reads an entry. There is none if it is known by its content, or if its
// file is gone or damaged; the campaign reports that at its start.
func (p *pool) read(f corpus.File) (data []byte, ok bool) {
	data, err := f.Read()
	if err != nil {
		return nil, false
	}
	if f.Name == "" {
		name := corpus.Name(data)
		if _, known := p.known[name]; known {
			return nil, false
		}
		p.known[name] = false
	}
	return data, true
}

// add writes a find to the queue and keeps it.
func (p *pool) add(e *entry, n news) (name string, err error) {
	name = corpus.Name(e.Data)
	if p.queue != nil && !p.known[name] {
		if _, err := p.queue.Add(e.Data); err != nil {
			return "", fmt.Errorf("corpus: %v", err)
		}
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
	if p.kept += len(e.Data); p.kept > maxKept {
		return
	}
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
func (p *pool) any(r *mutate.RNG) *mutate.Parent {
	if len(p.all) == 0 {
		return mutate.None
	}
	return &p.all[r.Intn(len(p.all))].Parent
}
