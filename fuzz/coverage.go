package fuzz

import (
	"os"
	"sort"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// coverage counts what all runs of a worker have hit, in memory that it shares
// with its campaign. It is a record and guides nothing.
type coverage struct {
	shared *wire.Coverage // nil if nobody asks
	worker int
	bins   []uint64 // hits of each
	edges  []uint64 // runs that took each
	hit    []uint32 // bins that the run in hand has hit
	first  []uint32 // and those of them that it is the first to hit
}

// openCoverage maps the file that the campaign has handed over. Without one
// nothing is counted.
func openCoverage(config wire.Config) (*coverage, error) {
	if config.Cover == nil {
		return new(coverage), nil
	}
	f := os.NewFile(wire.CovFD, "coverage")
	defer f.Close() // the mapping stays
	shared, err := wire.MapCoverage(f, *config.Cover)
	if err != nil {
		return nil, err
	}
	return newCoverage(shared, config.Worker), nil
}

func newCoverage(shared *wire.Coverage, worker int) *coverage {
	return &coverage{shared: shared, worker: worker, bins: shared.Bins(worker), edges: shared.Edges(worker)}
}

// add adds a run, and tells whether it has hit bins that have never been hit
// before.
func (c *coverage) add(counters []byte, f *feedback) (first bool) {
	c.take(counters)
	return c.count(f)
}

// count adds the bins of a run, and tells whether some of them have never been
// hit before. What was declared since the campaign began is left out.
func (c *coverage) count(f *feedback) (first bool) {
	c.hit, c.first = c.hit[:0], c.first[:0]
	for k, t := range f.bins {
		if int(t.Element) >= len(c.bins) {
			continue
		}
		c.bins[t.Element] += f.binHits[k]
		c.hit = append(c.hit, t.Element)
		if c.shared.Claim(t.Element, c.worker) {
			c.first = append(c.first, t.Element)
		}
	}
	return len(c.first) > 0
}

// take adds the edges of a run.
func (c *coverage) take(counters []byte) {
	if len(c.edges) < len(counters) {
		return
	}
	for i := 0; i < len(counters); i += 8 {
		word := counterWord(counters, i)
		for at := i; word != 0; at, word = at+1, word>>8 {
			if byte(word) != 0 {
				c.edges[at]++
			}
		}
	}
}

// until leaves the bins that the run in hand had hit after its first n units.
func (c *coverage) until(f *feedback, n int) {
	c.hit, c.first = c.hit[:0], c.first[:0]
	for _, t := range f.bins {
		if int(t.Element) < len(c.bins) && int(t.Event) < n {
			c.hit = append(c.hit, t.Element)
		}
	}
}

// covered is what the run in hand, of input and after so many, covers.
func (c *coverage) covered(input []byte, runs uint64) *wire.Covered {
	sort.Slice(c.hit, func(i, j int) bool { return c.hit[i] < c.hit[j] })
	all := &wire.Covered{Name: corpus.Name(input), Bins: c.hit, First: c.first, Runs: runs}
	if len(c.first) > 0 {
		all.Input = input
	}
	return all
}
