package annot

import (
	"bytes"
	"go/ast"
	"go/token"
)

// A Comment is a comment that has the form of a directive, whether what it says
// can be parsed and placed or not.
type Comment struct {
	Pos       token.Position
	From, To  int        // byte offsets; the end of the line does not belong to it
	Text      string     // from VERB on
	Directive *Directive // what it says, wherever it stands; nil when that is in error
}

// Comments finds every directive of a file, as [ParseFile] does, and leaves
// alone what only looks like one.
func Comments(fset *token.FileSet, file *ast.File, src []byte) []Comment {
	p := &parser{file: fset.File(file.FileStart), src: src}
	var list []Comment
	for _, c := range p.find(file) {
		if s, ok := c.directive(); ok {
			s = trim(src, s)
			list = append(list, Comment{p.position(c.off), c.off, p.end(&c), string(src[s.lo:s.hi]), p.directive(s)})
		}
	}
	return list
}

// end is the offset behind a comment.
func (p *parser) end(c *comment) int {
	if c.block {
		return c.body.hi + bytes.Index(p.src[c.body.hi:], []byte("*/")) + 2
	}
	end := len(p.src)
	if n := bytes.IndexByte(p.src[c.off:], '\n'); n >= 0 {
		end = c.off + n
	}
	return c.off + len(bytes.TrimRight(p.src[c.off:end], "\r"))
}
