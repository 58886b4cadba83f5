package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// cold tells, by number, which lines of Go source belong to an edge that was
// never taken: those inside the block that begins where the edge does. Text
// that does not parse has none.
func (f *file) cold(text []byte) map[int]bool {
	if f.Edges == f.Covered || !strings.HasSuffix(f.Name, ".go") {
		return nil
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil // it has changed; the counts are still shown
	}
	lines := make(map[int]bool)
	for at, to := range extents(fset, tree) {
		if f.taken(at) {
			continue
		}
		for n := to.from; n <= to.to; n++ {
			lines[n] = true
		}
	}
	return lines
}

// A place is a line and a column.
type place struct{ line, column int }

// An extent is the lines of a block, without those of its braces.
type extent struct{ from, to int }

// taken tells whether the edges that begin at p were taken; where there are
// none nothing is said against it.
func (f *file) taken(p place) bool {
	m := f.marks[p.line]
	if m == nil {
		return true
	}
	known := false
	for _, e := range m.edges {
		if e.Column != p.column {
			continue
		}
		if e.Hits > 0 {
			return true
		}
		known = true
	}
	return !known
}

// extents is the lines of all blocks and clauses by where an edge into them
// stands: at the brace, or at the word case or default.
func extents(fset *token.FileSet, tree *ast.File) map[place]extent {
	all := make(map[place]extent)
	line := func(pos token.Pos) int { return fset.PositionFor(pos, false).Line }
	add := func(pos token.Pos, from, to int) {
		p := fset.PositionFor(pos, false)
		all[place{p.Line, p.Column}] = extent{from, to}
	}
	block := func(b *ast.BlockStmt) {
		if b != nil {
			add(b.Lbrace, line(b.Lbrace)+1, line(b.Rbrace)-1)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) { // no switch or select: the edge at its brace is that of no case
		case *ast.FuncDecl:
			block(n.Body)
		case *ast.FuncLit:
			block(n.Body)
		case *ast.ForStmt:
			block(n.Body)
		case *ast.RangeStmt:
			block(n.Body)
		case *ast.IfStmt:
			block(n.Body)
			if e, ok := n.Else.(*ast.BlockStmt); ok {
				block(e)
			}
		case *ast.CaseClause:
			add(n.Case, line(n.Case), line(n.End()))
		case *ast.CommClause:
			add(n.Case, line(n.Case), line(n.End()))
		}
		return true
	})
	return all
}
