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

// use adds to changes those with operands, and with words that fit into what is
// changed, where there are any.
func (v Vocabulary) use(changes []mutator, fitting [][]byte, operands, token mutator) []mutator {
	if v.Operands {
		changes = append(changes, operands)
	}
	if len(fitting) > 0 {
		changes = append(changes, token)
	}
	return changes
}
