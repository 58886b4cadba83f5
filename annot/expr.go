package annot

import (
	"bytes"
	"errors"
	"go/ast"
	goparser "go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// expr parses a segment that has at least one token, or an empty one between
// two commas, as a Go expression. It returns nil when it reported something.
func (p *parser) expr(seg segment) *Expr {
	s := trim(p.src, seg.span)
	if s.lo == s.hi {
		p.errorf(s.lo, "", "an expression is missing here")
		return nil
	}
	start := p.file.Pos(s.lo)
	node, err := goparser.ParseExprFrom(fileSetFrom(start), "", p.selectors(s, seg.toks), goparser.SkipObjectResolution)
	if err != nil {
		p.exprError(s, seg.toks, err)
		return nil
	}
	e := &Expr{Text: string(p.src[s.lo:s.hi]), Pos: p.position(s.lo), Node: node, start: start}
	if !p.pureSyntax(e) {
		return nil
	}
	return e
}

// selectors is the text of a span with a dot for every @, so that P@a reads as
// an expression.
func (p *parser) selectors(s span, toks []tok) []byte {
	text := p.src[s.lo:s.hi]
	if !slices.ContainsFunc(toks, tok.isAt) {
		return text
	}
	text = bytes.Clone(text)
	for _, t := range toks {
		if t.isAt() {
			text[t.off-s.lo] = '.'
		}
	}
	return text
}

// fileSetFrom returns a file set in which the next file added begins at pos.
// A node parsed into it thus has the positions that its text has in the file
// where it stands.
func fileSetFrom(pos token.Pos) *token.FileSet {
	fset := token.NewFileSet()
	if pos > 1 {
		fset.AddFile("", 1, int(pos)-2)
	}
	return fset
}

// pureSyntax reports what is seen to be no plain reading expression without
// knowing types.
func (p *parser) pureSyntax(e *Expr) bool {
	ok := true
	forbid := func(pos token.Pos, msg, hint string) {
		if ok {
			p.errs = append(p.errs, &Error{Pos: e.Position(pos), Msg: msg, Hint: hint})
		}
		ok = false
	}
	ast.Inspect(e.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			forbid(n.Pos(), "an annotation must not contain a func literal", onlyReads)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				forbid(n.OpPos, "an annotation must not receive from a channel", "len(c) reads how many values wait; "+onlyReads)
			}
		case *ast.TypeAssertExpr:
			if n.Type == nil {
				forbid(n.Lparen, ".(type) stands only in a type switch", "name a type: x.(T)")
			}
		}
		return ok
	})
	return ok
}

const onlyReads = "it only reads"

// exprError reports the first error of go/parser in the words of the
// directive.
func (p *parser) exprError(s span, toks []tok, err error) {
	var list scanner.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		p.errorf(s.lo, "", "not an expression: %v", err)
		return
	}
	off := min(s.lo+list[0].Pos.Offset, s.hi)
	found := tokenAt(toks, off)
	switch {
	case found == nil:
		p.errorf(off, "", "the expression %q ends too early", p.src[s.lo:s.hi])
	case sideEffect(found.tok) != "":
		p.errorf(off, onlyReads, "an annotation must not %s", sideEffect(found.tok))
	case off > s.lo && findClause(found.text()) != nil:
		p.errorf(off, "write ; "+found.text(), "a semicolon is missing before the clause %s", found.text())
	case strings.Contains(list[0].Msg, "expected 'EOF'"):
		p.errorf(off, "arguments are separated by commas, clauses by semicolons", "unexpected %s behind the expression", found.text())
	default:
		p.errorf(off, "", "not a Go expression: %s", list[0].Msg)
	}
}

// tokenAt returns the token that starts at or holds an offset, or nil behind
// the last one.
func tokenAt(toks []tok, off int) *tok {
	for i := range toks {
		if off == toks[i].off || off > toks[i].off && off < toks[i].off+len(toks[i].text()) {
			return &toks[i]
		}
	}
	return nil
}

// sideEffect says what a statement's token would do, or "".
func sideEffect(t token.Token) string {
	switch t {
	case token.INC:
		return "increment"
	case token.DEC:
		return "decrement"
	case token.ARROW:
		return "send to a channel"
	case token.GO:
		return "start a goroutine"
	case token.DEFER:
		return "defer a call"
	case token.ASSIGN, token.DEFINE:
		return "assign"
	}
	if token.ADD_ASSIGN <= t && t <= token.AND_NOT_ASSIGN {
		return "assign"
	}
	return ""
}
