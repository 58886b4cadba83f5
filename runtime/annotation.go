package ijon

import (
	"fmt"
	"sync"
)

// ID identifies an annotation in one program. Injected annotations come
// first, declared ones behind them in the order of declaration.
type ID int32

// A Verb is the kind of an annotation, spelled as in a directive.
type Verb string

// The verbs that the runtime knows.
const (
	VerbMax         Verb = "max"
	VerbMin         Verb = "min"
	VerbSet         Verb = "set"
	VerbInc         Verb = "inc"
	VerbState       Verb = "state"
	VerbAction      Verb = "action"
	VerbCtx         Verb = "ctx"
	VerbXor         Verb = "xor"
	VerbDist        Verb = "dist"
	VerbCmp         Verb = "cmp"
	VerbBits        Verb = "bits"
	VerbStrDist     Verb = "strdist"
	VerbStackMax    Verb = "stackmax"
	VerbStackMin    Verb = "stackmin"
	VerbCover       Verb = "cover"
	VerbAlways      Verb = "always"
	VerbSometimes   Verb = "sometimes"
	VerbMaybe       Verb = "maybe"
	VerbReachable   Verb = "reachable"
	VerbUnreachable Verb = "unreachable"
)

// A NumKind tells how to decode the slots of an annotation.
type NumKind byte

// The kinds of number. Uint is the zero value: dist, cmp, bits and strdist
// are counts.
const (
	KindUint NumKind = iota
	KindInt
	KindFloat
)

// Annotation describes one annotation of the program.
type Annotation struct {
	Verb Verb
	Kind NumKind
	Name string // as shown: the NAME, or the expression
	Key  string // stable identity: import path, function and ordinal, or import path and NAME
	Pos  string // file:line:col; empty for a declared one

	Package string // import path; empty for a declared one
	Expr    string // as written; empty if the name says it all
	Observe bool   // it reports and never guides
	Rare    bool   // it may stay cold
	Cap     int    // distinct values before a set only observes; 0 is the default
	AtLeast int    // hits for a bin to count; 0 is 1
	Weight  int    // of a bin; 0 is 1
	Goal    string // objective that it belongs to
	Doc     string
}

// maxDeclared bounds the annotations a harness may declare: the maps are
// allocated before the first run, so that an annotation call never allocates.
const maxDeclared = 1024

var declared struct {
	sync.Mutex
	all []Annotation
	ids map[string]ID
}

// Declare gives the annotation verb NAME of a harness its ID. The same verb
// and name give the same ID. Call it from a package-level variable, so that
// the annotation is known before the first run and its hole is visible:
//
//	var elected = ijon.Declare(ijon.VerbCover, "elected")
//
// It panics when more than 1024 names are declared.
func Declare(verb Verb, name string) ID { return DeclareNumber(verb, KindUint, name) }

// DeclareNumber is Declare for a max, min or dist of signed or floating-point
// values.
func DeclareNumber(verb Verb, kind NumKind, name string) ID {
	declared.Lock()
	defer declared.Unlock()
	key := string(verb) + " " + name
	if id, ok := declared.ids[key]; ok {
		return id
	}
	if len(declared.all) == maxDeclared {
		panic(fmt.Sprintf("ijon: Declare(%q, %q): more than %d declared annotations (declare per name, not per value)", verb, name, maxDeclared))
	}
	if declared.ids == nil {
		declared.ids = make(map[string]ID)
	}
	id := ID(len(injected) + len(declared.all))
	a := Annotation{Verb: verb, Kind: kind, Name: name, Key: key}
	declared.all = append(declared.all, a)
	declared.ids[key] = id
	program.declareProperty(id, a)
	return id
}

// Annotations lists every annotation of the program, indexed by ID.
func Annotations() []Annotation {
	declared.Lock()
	defer declared.Unlock()
	all := make([]Annotation, 0, len(injected)+len(declared.all))
	return append(append(all, injected...), declared.all...)
}

func describe(id ID) Annotation {
	if int(id) < len(injected) {
		return injected[id]
	}
	declared.Lock()
	defer declared.Unlock()
	return declared.all[int(id)-len(injected)]
}
