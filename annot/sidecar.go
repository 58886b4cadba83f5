package annot

import "go/token"

// A Sidecar is a parsed .ijon file: annotations for code that may not be
// edited.
type Sidecar struct {
	File     string
	Module   string // empty when the file has no module line
	Versions string // as written; empty accepts every version
	Packages []*SidecarPackage
}

// SidecarPackage holds the lines below one package line.
type SidecarPackage struct {
	Pos      token.Position
	Path     string
	Anchors  []*Anchor
	Replaces []*Replace
}

// An Anchor places a directive at the entry or the exit of a function.
type Anchor struct {
	Pos       token.Position
	Func      string // "F", "(*T).M" or "(T).M", as FuncName spells it
	At        At
	Directive *Directive
}

// A Replace redirects the calls of a function inside another one.
type Replace struct {
	Pos    token.Position
	Callee string // package and function, "rand.Int" or "crypto/rand.Int"
	Func   string // as in Anchor
	With   string // "rand"
}

// ParseSidecar parses a sidecar file.
func ParseSidecar(filename string, src []byte) (*Sidecar, Errors) {
	return nil, nil
}

// Accepts reports whether the module version lies in the range of the module
// line.
func (s *Sidecar) Accepts(version string) bool { return true }
