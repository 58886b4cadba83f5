package annot

import (
	"go/ast"
	"go/token"
)

// Place tells how an inline directive stands to the statements around it.
type Place int

// The places. The first four are positions in a statement list.
const (
	Before Place = iota // in front of the statement Placed.Before
	End                 // last in its statement list, on its own line
	After               // behind the statement Placed.After, on the same line
	First               // behind the { or the colon that opens the list, on the same line
	Entry               // doc comment: when the function is entered
	Exit                // doc comment: whenever the function returns
)

func (p Place) String() string {
	return [...]string{"before", "end", "after", "first", "entry", "exit"}[p]
}

// Placed is a directive with the place in the file where it takes effect.
type Placed struct {
	*Directive
	Place  Place
	Func   ast.Node // enclosing *ast.FuncDecl or *ast.FuncLit
	Block  ast.Node // *ast.BlockStmt, *ast.CaseClause or *ast.CommClause whose list it stands in
	Index  int      // number of statements of that list in front of it
	After  ast.Stmt // the previous statement of the list; nil at its start
	Before ast.Stmt // the next statement of the list; nil at its end
	Offset int      // byte offset in the source where Insertion(stmt) goes
}

// Insertion is the text to insert at p.Offset so that stmt runs there. It is
// valid Go at every place, adds no line, and leaves the comment behind it.
// Directives of one place share an offset or follow each other in source
// order: insert in the order of ParseFile's result.
func (p *Placed) Insertion(stmt string) string {
	if p.Place == After {
		return "; " + stmt + "; "
	}
	return stmt + "; "
}

// ParseFile finds and parses every directive of a file.
//
// The file must have been parsed from src with parser.ParseComments into
// fset. Every directive is either in placed, in source order, or has an error
// or a warning in errs: none is dropped.
func ParseFile(fset *token.FileSet, file *ast.File, src []byte) (placed []*Placed, errs Errors) {
	return nil, nil
}
