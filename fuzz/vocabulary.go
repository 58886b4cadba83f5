package fuzz

// A vocabulary is what the code under test compares its input with.
type vocabulary struct {
	words    [][]byte // constants of the code, and those of the user's dictionary
	operands bool     // there are annotations that tell what they compare
}

// upTo is the words of at most n bytes.
func (v vocabulary) upTo(n int) (list [][]byte) {
	for _, w := range v.words {
		if len(w) > 0 && len(w) <= n {
			list = append(list, w)
		}
	}
	return list
}
