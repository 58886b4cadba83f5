package annot

import (
	"slices"
	"strings"
)

// Nearest returns the candidate that word was probably meant to be, or "".
// Case does not count.
func Nearest(word string, candidates []string) string { return nearest(word, candidates) }

// nearest is Nearest. Short words must be closer: every three-letter word is
// two edits from max and min.
func nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	limit := 2
	if len(word) <= 4 {
		limit = 1
	}
	best, bestDist := "", limit+1
	for _, c := range candidates {
		if d := editDistance(word, strings.ToLower(c), limit); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
}

// hardware is what verbs and clauses are called in SystemVerilog.
var hardware = map[string]string{
	"covergroup": "group", "coverpoint": "point", "sequence": "seq", "transition": "trans",
	"iff": "if", "ignore_bins": "ignore", "illegal_bins": "never", "default": "other", "at_least": "atleast",
}

// didYouMean is the hint for an unknown word out of a list.
func didYouMean(word, kind string, candidates []string) string {
	list := kind + ": " + strings.Join(candidates, ", ")
	n := hardware[word]
	if !slices.Contains(candidates, n) {
		n = nearest(word, candidates)
	}
	if n != "" {
		return "did you mean " + n + "? " + list
	}
	return list
}

// editDistance counts insertions, deletions, substitutions and swaps of
// neighbours between two words; anything above limit is limit+1.
func editDistance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
