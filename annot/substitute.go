package annot

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"strings"
)

// A replacement is a name for which something else was put.
type replacement struct {
	at      int // offset of what was put in
	was, is int // lengths
}

// Qualify returns the expression with recv and a dot before every identifier
// that is selected from nothing and for which is reports true.
func (e *Expr) Qualify(recv string, is func(name string) bool) (*Expr, error) {
	return e.Substitute(func(name string) (string, bool) { return recv + "." + name, name != recv && is(name) })
}

// Substitute returns the expression with other text for the identifiers that
// are selected from nothing, where by says so. Position keeps telling
// positions in the original.
func (e *Expr) Substitute(by func(name string) (text string, ok bool)) (*Expr, error) {
	q := *e
	q.under, q.replaced = e, nil
	var text strings.Builder
	last := 0
	for _, id := range e.free() {
		put, ok := by(id.Name)
		if !ok {
			continue
		}
		off := int(id.Pos() - e.start)
		text.WriteString(e.Text[last:off])
		q.replaced = append(q.replaced, replacement{text.Len(), len(id.Name), len(put)})
		text.WriteString(put)
		last = off + len(id.Name)
	}
	text.WriteString(e.Text[last:])
	q.Text = text.String()
	node, err := goparser.ParseExprFrom(fileSetFrom(e.start), "", q.Text, goparser.SkipObjectResolution)
	q.Node = node
	return &q, err
}

// free are the identifiers that are selected from nothing, in their order.
func (e *Expr) free() (list []*ast.Ident) {
	selected := map[*ast.Ident]bool{}
	ast.Inspect(e.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				selected[key] = true
			}
		case *ast.Ident:
			if !selected[n] {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

// original is the position in e.under that pos in e comes from.
func (e *Expr) original(pos token.Pos) token.Pos {
	d := int(pos - e.start)
	if !pos.IsValid() || d <= 0 {
		return pos
	}
	shift := 0
	for _, r := range e.replaced {
		switch {
		case d < r.at:
			return pos - token.Pos(shift)
		case d < r.at+r.is:
			return e.start + token.Pos(r.at-shift)
		}
		shift += r.is - r.was
	}
	return pos - token.Pos(shift)
}

// NewExpr parses an expression that nobody wrote. All of it has the position
// of what it is made for.
func NewExpr(text string, at token.Position) (*Expr, error) {
	blank := &Expr{Text: "_", Pos: at, Node: &ast.Ident{NamePos: 1, Name: "_"}, start: 1}
	return blank.Substitute(func(string) (string, bool) { return text, true })
}
