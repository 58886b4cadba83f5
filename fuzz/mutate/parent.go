package mutate

import ijon "github.com/ijongo/ijongo/runtime"

// A Parent is an input to make mutants from, and what its run has told of it
// that helps to change it.
type Parent struct {
	Data  []byte
	Marks []int // units up to and with those that brought something new, rising

	Operands []ijon.Operands // that annotations have compared
}

// None stands in for a parent where there is none to splice with.
var None = new(Parent)
