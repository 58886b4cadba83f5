package annot

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
)

// Strip removes comments from a file's source, which [Comments] found in it,
// and keeps every other byte. A line on which nothing else stands goes as a
// whole; otherwise the blanks before a comment go with it, or those behind it
// when it begins the line. The tokens of the program stay what they were: Strip
// fails before it would change one.
func Strip(src []byte, comments []Comment) ([]byte, error) {
	var out []byte
	at := 0
	for i := 0; i < len(comments); {
		s := span{comments[i].From, comments[i].To}
		for i++; i < len(comments) && len(bytes.TrimLeft(src[s.hi:comments[i].From], blank)) == 0; i++ {
			s.hi = comments[i].To
		}
		s, instead := widen(src, s)
		out = append(append(out, src[at:s.lo]...), instead...)
		at = s.hi
	}
	out = append(out, src[at:]...)
	if err := sameTokens(src, out); err != nil {
		return nil, err
	}
	return out, nil
}

// widen adds to a run of comments what is removed with it. It gives the text
// that takes their place where two tokens would grow together.
func widen(src []byte, s span) (_ span, instead string) {
	line := bytes.LastIndexByte(src[:s.lo], '\n') + 1
	before := src[line:s.lo]
	after := src[s.hi:]
	behind := len(after) - len(bytes.TrimLeft(after, blank))
	lead := len(bytes.TrimRight(before, " \t"))
	first := len(bytes.TrimPrefix(before[:lead], []byte("\xef\xbb\xbf"))) == 0
	last := behind == len(after) || after[behind] == '\n'
	switch {
	case first && last && behind == len(after):
		return span{line + lead, len(src)}, ""
	case first && last:
		return span{line + lead, s.hi + behind + 1}, ""
	case first:
		return span{s.lo, s.hi + behind}, ""
	case behind > 0 || last:
		return span{line + lead, s.hi}, ""
	case lead < len(before):
		return s, ""
	}
	return s, " "
}

// sameTokens compares two sources without their comments.
func sameTokens(a, b []byte) error {
	x, y := newScanner(a), newScanner(b)
	for {
		_, tok, lit := x.Scan()
		pos, tok2, lit2 := y.Scan()
		if tok != tok2 || lit != lit2 {
			return fmt.Errorf("without its directives the file would mean something else, from %q at byte %d on", lit2, pos-1)
		}
		if tok == token.EOF {
			return nil
		}
	}
}

func newScanner(src []byte) *scanner.Scanner {
	s := new(scanner.Scanner)
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, 0)
	return s
}
