package annot

// A Verb is the kind of an annotation.
type Verb string

// The supported verbs.
const (
	Max       Verb = "max"
	Min       Verb = "min"
	Set       Verb = "set"
	Inc       Verb = "inc"
	Dist      Verb = "dist"
	Cmp       Verb = "cmp"
	Bits      Verb = "bits"
	StrDist   Verb = "strdist"
	Cover     Verb = "cover"
	Always    Verb = "always"
	Sometimes Verb = "sometimes"
)
