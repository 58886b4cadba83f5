package fuzz

import (
	"math"
	"strings"

	"github.com/ijongo/ijongo/fuzz/mutate"
	ijon "github.com/ijongo/ijongo/runtime"
)

// An item is the bins of a cross, of transitions or of a sequence, as a search
// towards those that are still cold needs them. Bins count from 0 in it.
type item struct {
	id      ijon.ID // of the notes about it
	kind    string
	first   int // number of its first bin in the program
	weight  int
	atLeast uint64

	places [][]uint16 // of a cross: the coordinates of each bin; of transitions: the steps
	holes  []int32    // bins that are goals and not covered
	cells  []int32    // bins to which the archive knows the way
}

func newItem(n int, declared *ijon.Item) item {
	i := item{
		id: itemIDs + ijon.ID(n), kind: declared.Kind, first: declared.First, weight: 1, atLeast: 1,
	}
	if declared.Weight > 1 {
		i.weight = declared.Weight
	}
	if declared.AtLeast > 1 {
		i.atLeast = uint64(declared.AtLeast)
	}
	switch i.kind {
	case "cross":
		for _, b := range declared.Bins {
			i.places = append(i.places, narrow(b.At))
		}
	case "trans":
		i.places = steps(declared.Bins)
	}
	return i
}

// situations tells whether the bins of the item are cells of the archive.
func (i *item) situations() bool { return i.kind == "cross" || i.kind == "trans" || i.kind == "seq" }

func narrow(at []int) []uint16 {
	out := make([]uint16, len(at))
	for k, n := range at {
		out[k] = uint16(n)
	}
	return out
}

// steps numbers the states of transitions by their names: those of paths are
// told by nothing else.
func steps(bins []ijon.BinInfo) [][]uint16 {
	number := make(map[string]uint16)
	out := make([][]uint16, len(bins))
	for k, b := range bins {
		for _, name := range strings.Split(b.Name, "=>") {
			name = strings.TrimSpace(name)
			if at := strings.IndexByte(name, '['); at > 0 {
				name = name[:at] // a repetition
			}
			if _, ok := number[name]; !ok {
				number[name] = uint16(len(number))
			}
			out[k] = append(out[k], number[name])
		}
	}
	return out
}

// apart is a distance between bins that have nothing in common.
const apart = 1 << 16

// distance is how far a search that is at one bin is from another one: less is
// closer.
//   - cross: the number of coordinates that differ;
//   - transitions: the number of steps to make, once what has been done is the
//     beginning of what is to be done; twice that, so that one that only came
//     by its first state is worse than one that ends there;
//   - sequence: the number of events that are to come.
func (i *item) distance(to, from int32) int {
	switch i.kind {
	case "cross":
		return unlike(i.places[to], i.places[from])
	case "trans":
		return remaining(i.places[to], i.places[from])
	}
	if from > to {
		return apart
	}
	return int(to - from)
}

func unlike(to, from []uint16) (n int) {
	for k := range to {
		if to[k] != from[k] {
			n++
		}
	}
	if n == len(to) {
		return apart
	}
	return n
}

func remaining(to, from []uint16) int {
	for n := least(len(to), len(from)); n > 0; n-- {
		if equal(to[:n], from[len(from)-n:]) {
			return 2 * (len(to) - n)
		}
	}
	for _, state := range from {
		if state == to[0] {
			return 2*len(to) - 1
		}
	}
	return apart
}

func equal(a, b []uint16) bool {
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return true
}

const (
	holeDraws = 4    // holes drawn before a search goes somewhere else
	nearCells = 1024 // cells that are looked at for the one nearest to a hole
)

// towards is a cell that is near to a hole drawn at random; nil if there are no
// holes, or nothing that is near to those that were drawn.
func (a *archive) towards(r *mutate.RNG) *cell {
	for n := 0; n < holeDraws; n++ {
		i := a.goals.drawItem(r)
		if i == nil {
			return nil
		}
		if c := a.nearest(r, i, i.holes[r.Intn(len(i.holes))]); c != nil {
			c.picks++
			return c
		}
	}
	return nil
}

// drawItem draws the item of a hole: each hole counts as its item's weight.
func (g *goals) drawItem(r *mutate.RNG) *item {
	total := 0
	for n := range g.items {
		total += g.draws(&g.items[n])
	}
	if total == 0 {
		return nil
	}
	at := r.Intn(total)
	for n := range g.items {
		if at -= g.draws(&g.items[n]); at < 0 {
			return &g.items[n]
		}
	}
	return nil
}

func (g *goals) draws(i *item) int {
	if len(i.cells) == 0 || g.notes.muted(i.id) {
		return 0
	}
	return i.weight * len(i.holes)
}

// nearest is the cell of the item that is first in rank times the square of its
// distance to a hole. Of very many it looks at a window.
func (a *archive) nearest(r *mutate.RNG, i *item, hole int32) (best *cell) {
	least := math.Inf(1)
	at := r.Intn(len(i.cells))
	for n := 0; n < len(i.cells) && n < nearCells; n++ {
		bin := i.cells[(at+n)%len(i.cells)]
		d := i.distance(hole, bin)
		at := a.index[binElements+i.first+int(bin)]
		if d == apart || at == barred || a.cells[at-1].events > a.limit {
			continue
		}
		c := &a.cells[at-1]
		if worth := a.rank(c) * float64((d+1)*(d+1)); worth < least {
			best, least = c, worth
		}
	}
	return best
}
