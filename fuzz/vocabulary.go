package fuzz

import (
	"github.com/ijongo/ijongo/fuzz/mutate"
	ijon "github.com/ijongo/ijongo/runtime"
)

// vocabulary is what the code compares with, and whether annotations tell what
// they compare.
func vocabulary() mutate.Vocabulary {
	v := mutate.Vocabulary{Operands: compares(ijon.Annotations())}
	for _, w := range ijon.Dictionary() {
		v.Words = append(v.Words, []byte(w))
	}
	return v
}

// compares tells whether there are annotations with operands.
func compares(all []ijon.Annotation) bool {
	for _, a := range all {
		switch a.Verb {
		case ijon.VerbCmp, ijon.VerbDist, ijon.VerbStrDist, ijon.VerbSometimes:
			return true
		}
	}
	return false
}

// maxComparisons bounds the pairs that an entry keeps.
const maxComparisons = 16

// compared is what the run in hand has compared, if that was noted. Where it is
// too much a part is kept that reaches over all of it.
func compared() []ijon.Operands {
	all := ijon.Run{}.Operands(nil)
	step := (len(all) + maxComparisons - 1) / maxComparisons
	if step < 2 {
		return all
	}
	var some []ijon.Operands
	for i := 0; i < len(all); i += step {
		some = append(some, all[i])
	}
	return some
}
