package fuzz

import ijon "github.com/ijongo/ijongo/runtime"

// A vocabulary is what the code under test compares its input with.
type vocabulary struct {
	words    [][]byte // constants of the code, and those of the user's dictionary
	operands bool     // there are annotations that tell what they compare
}

func newVocabulary() vocabulary {
	v := vocabulary{operands: compares(ijon.Annotations())}
	for _, w := range ijon.Dictionary() {
		v.words = append(v.words, []byte(w))
	}
	return v
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
