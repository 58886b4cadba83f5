package annot

import (
	"bytes"
	"go/scanner"
	"go/token"
	"slices"
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

// isRange reports whether the token is the .. between the ends of a range.
func (t tok) isRange() bool { return t.tok == token.ELLIPSIS && t.lit != "" }

// isAt reports whether the token is the @ before an instance letter.
func (t tok) isAt() bool { return t.tok == token.ILLEGAL }

// scan splits a span into Go tokens, and the .. and the @ of the language. The
// semicolon that the scanner adds at the end of the line is not among them. A
// scan error or a comment stops it: what follows could not be split reliably.
func (p *parser) scan(s span, instances bool) (toks []tok, ok bool) {
	text, ours := p.hide(s, instances)
	toks, ok = p.goTokens(s, text)
	if len(ours) > 0 {
		toks = append(toks, ours...)
		slices.SortFunc(toks, func(a, b tok) int { return a.off - b.off })
	}
	return toks, ok
}

// hide returns the text of a span with blanks for the tokens that are not
// Go's, and these tokens. go/scanner would read 1..2 as 1. and .2, and 0x1.. as
// a float without an exponent.
func (p *parser) hide(s span, instances bool) (text []byte, ours []tok) {
	text = p.src[s.lo:s.hi]
	for i := 0; i < len(text); i++ {
		t := tok{off: s.lo + i}
		switch {
		case text[i] == '"' || text[i] == '`' || text[i] == '\'':
			i = literalEnd(text, i)
			continue
		case text[i] == '@' && instances:
			t.tok, t.lit = token.ILLEGAL, "@"
		case text[i] == '.':
			dots := len(text[i:]) - len(bytes.TrimLeft(text[i:], "."))
			if dots != 2 {
				i += dots - 1
				continue
			}
			t.tok, t.lit = token.ELLIPSIS, ".."
		default:
			continue
		}
		if ours == nil {
			text = bytes.Clone(text)
		}
		ours = append(ours, t)
		i += copy(text[i:], "  "[:len(t.lit)]) - 1
	}
	return text, ours
}

// literalEnd returns the offset of the quote that ends the string or rune
// which begins at an offset, or of the last byte when none does.
func literalEnd(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] == text[at]:
			return i
		case text[i] == '\\' && text[at] != '`':
			i++
		}
	}
	return len(text) - 1
}

// goTokens splits the text of a span into Go tokens.
func (p *parser) goTokens(s span, text []byte) (toks []tok, ok bool) {
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
