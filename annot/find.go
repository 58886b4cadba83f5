package annot

import (
	"bytes"
	"go/ast"
	"strings"
)

// prefix is what a directive begins with, behind // or /*.
const prefix = "ijon:"

// A comment is one that mentions us at its start.
type comment struct {
	group *ast.CommentGroup
	off   int    // of the // or /*
	body  span   // between the comment marks, without the end of the line
	block bool   // a /* */ comment
	text  string // of the body, from the source
}

// find returns the comments that are directives or may be near misses. It
// looks at the first letters of every comment and nothing else, so that a
// file without directives costs next to nothing.
func (p *parser) find(file *ast.File) []comment {
	var found []comment
	for _, group := range file.Comments {
		for _, c := range group.List {
			if mentionsUs(c.Text) {
				if c, ok := p.read(group, c); ok {
					found = append(found, c)
				}
			}
		}
	}
	return found
}

// mentionsUs reports whether a comment starts with our name, in any case and
// behind any white space.
func mentionsUs(text string) bool {
	i := 2
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i+4 <= len(text) && text[i]|0x20 == 'i' && strings.EqualFold(text[i:i+4], "ijon")
}

// read takes a comment's text from the source, where carriage returns are
// still in place. A block comment over several lines is not ours.
func (p *parser) read(group *ast.CommentGroup, c *ast.Comment) (comment, bool) {
	off := p.file.Offset(c.Slash)
	rest := p.src[off+2:]
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		end = len(rest)
	}
	block := p.src[off+1] == '*'
	if block {
		end = bytes.Index(rest[:end], []byte("*/"))
		if end < 0 {
			return comment{}, false
		}
	}
	body := span{off + 2, off + 2 + end}
	body.hi = body.lo + len(bytes.TrimRight(p.src[body.lo:body.hi], blank))
	return comment{group, off, body, block, string(p.src[body.lo:body.hi])}, true
}

// directive returns the span from VERB on if the comment has the form of a
// directive. //ijon: max x, which has it but for one space, is a near miss.
func (c *comment) directive() (s span, ok bool) {
	if !strings.HasPrefix(c.text, prefix) {
		return span{}, false
	}
	rest := c.text[len(prefix):]
	if verb := strings.TrimLeft(rest, blank); verb != rest && findVerb(verbWord(verb)) != nil {
		return span{}, false
	}
	return span{c.body.lo + len(prefix), c.body.hi}, true
}

// spelled is the comment with the right marks round a directive's text.
func (c *comment) spelled(directive string) string {
	if c.block {
		return "/*" + prefix + directive + "*/"
	}
	return "//" + prefix + directive
}
