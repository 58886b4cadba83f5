package rewrite

import (
	"github.com/ijongo/ijongo/annot"
)

type annotation struct {
	verb      annot.Verb
	kind      int
	name, key string
	expr      string
	pos       []string
}

func (prog *program) planPlaced(f *file, d *annot.Placed) annot.Errors { return nil }
func (prog *program) planSidecars() annot.Errors                       { return nil }
func (prog *program) readSidecars() error                              { return nil }
func (prog *program) manifestAnnotations() []Annotation {
	list := []Annotation{}
	for _, a := range prog.annotations {
		list = append(list, Annotation{Verb: a.verb, Name: a.name, Key: a.key, Expr: a.expr, Pos: a.pos})
	}
	return list
}
