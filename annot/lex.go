package annot

import (
	"bytes"
	"go/scanner"
	"go/token"
)

// A span is a range of byte offsets in the source.
type span struct{ lo, hi int }

// A tok is a Go token of a directive.
type tok struct {
	off int
	tok token.Token
	lit string
}

// text is how the token is spelled in a message.
func (t tok) text() string {
	if t.lit != "" {
		return t.lit
	}
	return t.tok.String()
}

// scan splits a span into Go tokens. The semicolon that the scanner adds at
// the end of the line is not among them. A scan error or a comment stops it:
// what follows could not be split reliably.
func (p *parser) scan(s span) (toks []tok, ok bool) {
	text := p.src[s.lo:s.hi]
	file := token.NewFileSet().AddFile("", -1, len(text))
	var sc scanner.Scanner
	ok = true
	sc.Init(file, text, func(pos token.Position, msg string) {
		if ok {
			p.errorf(s.lo+pos.Offset, hintFor(text, pos.Offset), "%s", msg)
		}
		ok = false
	}, scanner.ScanComments)
	for ok {
		pos, t, lit := sc.Scan()
		off := s.lo + file.Offset(pos)
		switch {
		case t == token.EOF:
			return toks, ok
		case t == token.COMMENT && ok:
			p.errorf(off, "put the comment on a line of its own", "a directive has no room for a comment")
			ok = false
		case t == token.SEMICOLON && lit != ";":
			// Added by the scanner.
		default:
			toks = append(toks, tok{off, t, lit})
		}
	}
	return toks, ok
}

// hintFor explains the one illegal character that is likely to be meant.
func hintFor(text []byte, off int) string {
	if off < len(text) && text[off] == '#' {
		return "put a comment on a line of its own"
	}
	return ""
}

// split cuts a span at every separator that is not inside brackets.
func split(s span, toks []tok, sep token.Token) []segment {
	var segs []segment
	depth, lo, first := 0, s.lo, 0
	for i, t := range toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case sep:
			if depth == 0 {
				segs = append(segs, segment{span{lo, t.off}, toks[first:i]})
				lo, first = t.off+1, i+1
			}
		}
	}
	return append(segs, segment{span{lo, s.hi}, toks[first:]})
}

// A segment is a part of a directive between two separators.
type segment struct {
	span
	toks []tok
}

// from is the rest of a segment from its i-th token on.
func (s segment) from(i int) segment {
	if i == len(s.toks) {
		return segment{span{s.hi, s.hi}, nil}
	}
	return segment{span{s.toks[i].off, s.hi}, s.toks[i:]}
}

// trim takes white space off both ends of a span. A carriage return is white
// space: it belongs to the end of the line.
func trim(src []byte, s span) span {
	text := src[s.lo:s.hi]
	s.lo += len(text) - len(bytes.TrimLeft(text, blank))
	s.hi = s.lo + len(bytes.TrimRight(src[s.lo:s.hi], blank))
	return s
}

const blank = " \t\r"
