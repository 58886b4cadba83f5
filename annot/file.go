package annot

import (
	"go/ast"
	"go/token"
)

// newParser returns a parser of a text that belongs to no file set.
func newParser(filename string, src []byte) *parser {
	file := token.NewFileSet().AddFile(filename, -1, len(src))
	file.SetLinesForContent(src)
	return &parser{file: file, src: src}
}

// ParseFile finds and parses every directive of a file.
//
// The file must have been parsed from src with parser.ParseComments into
// fset. Every directive is either in placed, in source order, or has an error
// or a warning in errs: none is dropped. A directive that does not parse is
// not placed, so its place is not judged.
func ParseFile(fset *token.FileSet, file *ast.File, src []byte) (placed []*Placed, errs Errors) {
	p := &parser{file: fset.File(file.FileStart), src: src}
	comments := p.find(file)
	if len(comments) == 0 {
		return nil, nil
	}
	l := newLocator(p, file)
	for i := range comments {
		if pl := l.comment(&comments[i]); pl != nil {
			placed = append(placed, pl)
		}
	}
	p.errs.Sort()
	return placed, p.errs
}

// comment parses and places one comment. It returns nil when it reported
// something, or when the comment is not ours.
func (l *locator) comment(c *comment) *Placed {
	s, ok := c.directive()
	if !ok {
		if right, ok := c.nearMiss(); ok && !l.preambles[c.group] {
			l.warnf(c.off, "write "+right, "this comment is not a directive, but looks like one")
		}
		return nil
	}
	d := l.directive(s)
	if d == nil {
		return nil
	}
	d.Pos = l.position(c.off)
	return l.place(d, c)
}

func (p *parser) warnf(off int, hint, format string, args ...any) {
	p.errorf(off, hint, format, args...)
	p.errs[len(p.errs)-1].Warning = true
}
