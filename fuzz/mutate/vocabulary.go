package mutate

// A Vocabulary is what the code under test compares its input with.
type Vocabulary struct {
	Words    [][]byte // constants of the code, and those of the user's dictionary
	Operands bool     // there are annotations that tell what they compare
}

// upTo is the words of at most n bytes.
func (v Vocabulary) upTo(n int) (list [][]byte) {
	for _, w := range v.Words {
		if len(w) > 0 && len(w) <= n {
			list = append(list, w)
		}
	}
	return list
}
