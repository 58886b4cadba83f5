package cover

import (
	"container/heap"
	"slices"
)

// A Pick is one set of a ranking.
type Pick struct {
	Set     int // index of the set
	New     int // elements that those before it lack
	Covered int // elements that it and those before it have
}

// Rank picks a small number of sets that have all elements of all sets
// together, which are numbers from 0. It takes the set with the most new
// elements first, and so on, and then drops what the later ones have made
// redundant. The result is not always the smallest, which would take forever
// to find, but at most 1 + ln(largest set) times as large (Chvatal 1979), and
// no set of it can be left out. Of equally good sets the first is taken.
func Rank(sets [][]int) []Pick {
	size := 0
	for _, s := range sets {
		for _, e := range s {
			size = max(size, e+1)
		}
	}
	chosen := thin(sets, greedy(sets, size), size)
	return count(sets, chosen, size)
}

// greedy picks by the number of new elements. That number only gets smaller
// while sets are picked, so it is counted anew only for the one that seems
// best (Minoux 1978).
func greedy(sets [][]int, size int) (chosen []int) {
	have := make([]bool, size)
	var q queue
	for k, s := range sets {
		q = append(q, candidate{k, fresh(s, have)})
	}
	heap.Init(&q)
	for len(q) > 0 && q[0].gain > 0 {
		best := &q[0]
		if gain := fresh(sets[best.set], have); gain < best.gain {
			best.gain = gain
			heap.Fix(&q, 0)
			continue
		}
		for _, e := range sets[best.set] {
			have[e] = true
		}
		chosen = append(chosen, best.set)
		heap.Pop(&q)
	}
	return chosen
}

// fresh is how many elements of set are not in have.
func fresh(set []int, have []bool) (n int) {
	for _, e := range set {
		if !have[e] {
			n++
		}
	}
	return n
}

// thin drops the sets that the others make redundant, those with the fewest
// elements first.
func thin(sets [][]int, chosen []int, size int) []int {
	times := make([]int, size)
	for _, k := range chosen {
		for _, e := range sets[k] {
			times[e]++
		}
	}
	bySize := slices.Clone(chosen)
	slices.SortStableFunc(bySize, func(a, b int) int { return len(sets[a]) - len(sets[b]) })
	dropped := make(map[int]bool)
	for _, k := range bySize {
		if slices.ContainsFunc(sets[k], func(e int) bool { return times[e] == 1 }) {
			continue
		}
		dropped[k] = true
		for _, e := range sets[k] {
			times[e]--
		}
	}
	return slices.DeleteFunc(chosen, func(k int) bool { return dropped[k] })
}

// count ranks what was chosen, the most new elements first.
func count(sets [][]int, chosen []int, size int) (picks []Pick) {
	slices.Sort(chosen)
	part := make([][]int, len(chosen))
	for n, k := range chosen {
		part[n] = sets[k]
	}
	covered := 0
	have := make([]bool, size)
	for _, n := range greedy(part, size) {
		gain := fresh(part[n], have)
		for _, e := range part[n] {
			have[e] = true
		}
		covered += gain
		picks = append(picks, Pick{chosen[n], gain, covered})
	}
	return picks
}

// A candidate is a set with the number of new elements that it had last.
type candidate struct{ set, gain int }

type queue []candidate

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(candidate)) }

func (q queue) Less(i, j int) bool {
	if q[i].gain != q[j].gain {
		return q[i].gain > q[j].gain
	}
	return q[i].set < q[j].set
}

func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

// Sets numbers the goals that the sides cover together, and with edges the
// edges that they take, and lists which of them each side has hit. A goal that
// takes several hits is an element like any other: one hit has it.
func Sets(edges bool, sides ...Side) (sets [][]int, all *Profile) {
	all, _ = Merge(sides...)
	f := newFinder(all)
	number := make([]int, len(all.Items)) // of the first bin of each item
	n := 0
	for k, i := range all.Items {
		number[k] = n
		n += len(i.Bins)
	}
	sets = make([][]int, len(sides))
	for side, s := range sides {
		for at, i := range s.Items {
			k, _ := f.item(at, i)
			for j := range i.Bins {
				to := f.bin(k, j, i.Bins[j].Name)
				if i.Bins[j].Hits > 0 && all.Items[k].Covered(&all.Items[k].Bins[to]) {
					sets[side] = append(sets[side], number[k]+to)
				}
			}
		}
		if edges {
			sets[side] = append(sets[side], takenEdges(s, all, n)...)
		}
	}
	return sets, all
}

// takenEdges numbers the edges that s has taken, from n on, as they are in all.
func takenEdges(s Side, all *Profile, n int) (taken []int) {
	number := make(map[*Edge]int, len(all.Edges))
	for k, e := range all.Edges {
		number[e] = n + k
	}
	known, own := byFunction(all.Edges), byFunction(s.Edges)
	for name, edges := range own {
		for k, e := range edges {
			if e.Hits > 0 && k < len(known[name]) {
				taken = append(taken, number[known[name][k]])
			}
		}
	}
	return taken
}
