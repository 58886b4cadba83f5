package annot

import (
	"bytes"
	"go/ast"
	"go/token"
	"sort"
)

// Place tells how an inline directive stands to the statements around it.
type Place int

// The places. The first four are positions in a statement list. At the last
// three nothing is inserted.
const (
	Before  Place = iota // on a line of its own, in front of the statement Placed.Before
	End                  // on a line of its own, last in its statement list
	After                // behind the statement Placed.After, on the same line
	First                // behind the { or the colon that opens the list, on the same line
	Entry                // doc comment: when the function is entered
	Exit                 // doc comment: whenever the function returns; a group and what belongs to it, unless they say entry
	InFunc               // doc comment of a function: about the whole of it
	InFile               // above the package clause: about the whole file
	OnField              // doc comment of a struct field or behind it: a watch
)

func (p Place) String() string {
	return [...]string{"before", "end", "after", "first", "entry", "exit", "function", "file", "field"}[p]
}

// Placed is a directive with the place in the file where it takes effect.
//
// Offset is where the comment begins, so that the comment stands behind an
// insertion: it moves no line and a line comment cannot swallow it. For a doc
// comment it is behind the function's {, and for a comment between a label and
// its loop, switch or select it is before the label. A name in an expression is to be
// looked up as if the statement stood in Block between After and Before. Mind
// that the position of the comment does not give that scope where it stands
// behind the last statement of a clause: a clause ends with that statement.
type Placed struct {
	*Directive
	Place  Place
	Func   ast.Node // enclosing *ast.FuncDecl or *ast.FuncLit
	Block  ast.Node // *ast.BlockStmt, *ast.CaseClause or *ast.CommClause whose list it stands in
	Index  int      // number of statements of that list in front of it
	After  ast.Stmt // the previous statement of the list; nil at its start
	Before ast.Stmt // the next statement of the list; nil at its end
	Offset int      // byte offset in the source where Insertion(stmt) goes
	Watch  *Watched // of OnField; nil elsewhere
}

// Watched is the field that a directive stands on.
type Watched struct {
	Decl   *ast.GenDecl
	Type   *ast.TypeSpec
	Struct *ast.StructType
	Field  *ast.Field
}

// Names are the names of the field, or of several in one line; that of an
// embedded one is the name of its type.
func (w *Watched) Names() []string {
	var names []string
	for _, id := range w.Field.Names {
		names = append(names, id.Name)
	}
	if len(names) > 0 {
		return names
	}
	t := w.Field.Type
	for {
		switch u := t.(type) {
		case *ast.Ident:
			return []string{u.Name}
		case *ast.StarExpr:
			t = u.X
		case *ast.ParenExpr:
			t = u.X
		case *ast.SelectorExpr:
			t = u.Sel
		case *ast.IndexExpr:
			t = u.X
		case *ast.IndexListExpr:
			t = u.X
		default:
			return nil // does not type-check
		}
	}
}

// Insertion is the text to insert at p.Offset so that stmt, a statement on
// one line, runs there. It is valid Go at every place and adds no line.
// Directives may share an offset: keep their order.
func (p *Placed) Insertion(stmt string) string {
	if p.Place == After {
		return "; " + stmt + "; "
	}
	return stmt + "; "
}

// A locator knows where in a file a directive may stand.
type locator struct {
	*parser
	ast       *ast.File
	docs      map[*ast.CommentGroup]*ast.FuncDecl
	fields    map[*ast.CommentGroup]*Watched
	preambles map[*ast.CommentGroup]bool // C code above import "C"
}

func newLocator(p *parser, file *ast.File) *locator {
	l := &locator{p, file, make(map[*ast.CommentGroup]*ast.FuncDecl), make(map[*ast.CommentGroup]*Watched), make(map[*ast.CommentGroup]bool)}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Doc != nil {
				l.docs[decl.Doc] = decl
			}
		case *ast.GenDecl:
			l.notePreambles(decl)
			l.noteFields(decl)
		}
	}
	return l
}

// noteFields notes the comments that belong to fields of a struct type.
func (l *locator) noteFields(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		typ, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		st, ok := typ.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range st.Fields.List {
			w := &Watched{decl, typ, st, f}
			l.fields[f.Doc], l.fields[f.Comment] = w, w
		}
	}
	delete(l.fields, nil)
}

func (l *locator) notePreambles(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		if imp, ok := spec.(*ast.ImportSpec); ok && imp.Path != nil && imp.Path.Value == `"C"` {
			l.preambles[imp.Doc] = true
			if len(decl.Specs) == 1 {
				l.preambles[decl.Doc] = true
			}
		}
	}
	delete(l.preambles, nil)
}

// place returns nil when it reported something.
func (l *locator) place(d *Directive, c *comment) *Placed {
	switch fn := l.docs[c.group]; {
	case d.Verb == Skip:
		return l.skip(d, c, fn)
	case l.fields[c.group] != nil:
		return l.onField(d, c, l.fields[c.group])
	case fn != nil && d.Verb.Control():
		l.errorf(c.off, "write skip to leave out the function", "%s stands in a statement list", d.Verb)
		return nil
	case fn != nil:
		return l.inDoc(d, c, fn)
	}
	if !l.standing(d, false) {
		return nil
	}
	path := l.path(l.file.Pos(c.off))
	block, label := l.statementList(path, c)
	switch {
	case block == nil && !label:
		where, hint := l.where(path, c)
		l.errorf(c.off, hint, "a directive cannot stand %s", where)
		return nil
	case d.At != AtNone:
		l.errorf(d.atOff, "leave it out: the directive runs where it stands", "clause at is for a function's doc comment")
		return nil
	case label:
		return l.atLabel(d, c, path)
	}
	pl := &Placed{Directive: d, Offset: c.off, Func: enclosingFunc(path), Block: block}
	l.index(pl)
	return l.reachable(pl, c, listOf(block))
}

// onField places a watch.
func (l *locator) onField(d *Directive, c *comment, w *Watched) *Placed {
	if msg, hint := d.notWatching(); msg != "" {
		l.errorf(c.off, hint, "%s", msg)
		return nil
	}
	if !l.standing(d, true) {
		return nil
	}
	return &Placed{Directive: d, Place: OnField, Offset: c.off, Watch: w}
}

// notWatching says why a directive cannot be a watch.
func (d *Directive) notWatching() (msg, hint string) {
	switch {
	case d.Verb.Control() || d.Verb == Ctx:
		return string(d.Verb) + " is about a block, and a field has none", "put it into a function"
	case d.Verb == Group:
		return "a field is not where a group is sampled", "put it into a function; a point of a field that names no group is sampled after each write"
	case d.Verb == Cross || d.Verb == Seq:
		return string(d.Verb) + " is about points of a group, and not about a field", "put it below the group"
	case d.At != AtNone:
		return "clause at is for a function's doc comment", "leave it out: a watch runs after each write to the field"
	}
	return "", ""
}

// skip places a skip, which is about a function or the file.
func (l *locator) skip(d *Directive, c *comment, fn *ast.FuncDecl) *Placed {
	switch {
	case fn != nil:
		return &Placed{Directive: d, Place: InFunc, Func: fn, Offset: c.off}
	case l.file.Pos(c.off) < l.ast.Package && !l.preambles[c.group]:
		return &Placed{Directive: d, Place: InFile, Offset: c.off}
	}
	l.errorf(c.off, "for a part of a function, off and on", "skip stands in a function's doc comment, or above the package clause for the whole file")
	return nil
}

// reachable returns nil when it reported that control never reaches pl. Where
// code is, and not when it runs, is all that off and on are about; and what
// belongs to a group runs where that is sampled.
func (l *locator) reachable(pl *Placed, c *comment, list []ast.Stmt) *Placed {
	if pl.Verb.Control() || pl.Verb.Member() || pl.Sample != nil {
		return pl
	}
	if end := endedBy(list[:pl.Index]); end != "" {
		l.warnf(c.off, "put it above", "unreachable: it stands behind %s and is left out", end)
		return nil
	}
	return pl
}

// inDoc places a directive of a function's doc comment.
func (l *locator) inDoc(d *Directive, c *comment, fn *ast.FuncDecl) *Placed {
	if fn.Body == nil {
		l.errorf(c.off, "annotate its callers", "function %s has no body in Go", fn.Name.Name)
		return nil
	}
	if !l.standing(d, false) {
		return nil
	}
	if d.At == AtNone {
		d.At = AtEntry
		if d.Verb == Group || d.Verb.Member() {
			d.At = AtExit
		}
	}
	pl := &Placed{Directive: d, Place: Entry, Func: fn, Block: fn.Body, Offset: l.file.Offset(fn.Body.Lbrace) + 1}
	if d.At == AtExit {
		pl.Place = Exit
	}
	if len(fn.Body.List) > 0 {
		pl.Before = fn.Body.List[0]
	}
	return pl
}

// path returns the nodes that pos lies in, from the declaration inwards.
func (l *locator) path(pos token.Pos) (longest []ast.Node) {
	decls := l.ast.Decls
	i := sort.Search(len(decls), func(i int) bool { return decls[i].End() > pos })
	if i == len(decls) {
		return nil
	}
	var path []ast.Node
	ast.Inspect(decls[i], func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return false
		}
		if _, doc := n.(*ast.CommentGroup); doc || pos < n.Pos() || n.End() <= pos {
			return false
		}
		path = append(path, n)
		if len(path) > len(longest) {
			longest = append(longest[:0], path...)
		}
		return true
	})
	return longest
}

func enclosingFunc(path []ast.Node) ast.Node {
	for i := len(path) - 1; i >= 0; i-- {
		switch path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return path[i]
		}
	}
	return nil
}

// statementList returns the node whose statement list a comment stands in, or
// that it stands between a label and its statement, which belongs to the
// statement. It returns neither where no statement may stand.
func (l *locator) statementList(path []ast.Node, c *comment) (block ast.Node, label bool) {
	if len(path) == 0 {
		return nil, false
	}
	pos := l.file.Pos(c.off)
	switch n := path[len(path)-1].(type) {
	case *ast.BlockStmt:
		if isClauses(path) {
			return l.clauseAbove(n, pos), false
		}
		return n, false
	case *ast.CaseClause, *ast.CommClause:
		if opening(n) <= pos {
			return n, false
		}
	case *ast.LabeledStmt:
		return nil, n.Colon < pos
	}
	return nil, false
}

// isClauses reports whether the last node of a path is the body of a switch or
// select.
func isClauses(path []ast.Node) bool {
	if len(path) < 2 {
		return false
	}
	switch path[len(path)-2].(type) {
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

// clauseAbove returns the clause of a switch or select whose statements a
// comment between the clauses follows: the last one, or any one on whose last
// line the comment stands. On a line of its own before another clause a comment
// belongs to the one above if it is indented deeper than the case below, a
// difference that gofmt keeps, and to none otherwise.
func (l *locator) clauseAbove(body *ast.BlockStmt, pos token.Pos) ast.Node {
	next := firstAt(body.List, pos)
	if next == 0 {
		return nil
	}
	clause := body.List[next-1]
	if next == len(body.List) || l.sameLine(clause.End(), pos) {
		return clause
	}
	if below := body.List[next].Pos(); len(l.indent(pos)) > len(l.indent(below)) && bytes.HasPrefix(l.indent(pos), l.indent(below)) {
		return clause
	}
	return nil
}

// indent is the white space that the line of pos begins with.
func (l *locator) indent(pos token.Pos) []byte {
	line := l.src[bytes.LastIndexByte(l.src[:l.file.Offset(pos)], '\n')+1:]
	return line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
}

// listOf returns the statements of a block or clause.
func listOf(block ast.Node) []ast.Stmt {
	switch b := block.(type) {
	case *ast.BlockStmt:
		return b.List
	case *ast.CaseClause:
		return b.Body
	case *ast.CommClause:
		return b.Body
	}
	return nil
}

// opening is where the statements of a block or clause may begin.
func opening(block ast.Node) token.Pos {
	switch b := block.(type) {
	case *ast.BlockStmt:
		return b.Lbrace + 1
	case *ast.CaseClause:
		return b.Colon + 1
	case *ast.CommClause:
		return b.Colon + 1
	}
	return token.NoPos
}

// firstAt is the index of the first statement that begins at pos or behind it.
func firstAt(list []ast.Stmt, pos token.Pos) int {
	return sort.Search(len(list), func(i int) bool { return list[i].Pos() >= pos })
}

// index finds the neighbours of a directive in its statement list.
func (l *locator) index(pl *Placed) {
	list, pos := listOf(pl.Block), l.file.Pos(pl.Offset)
	pl.Index = firstAt(list, pos)
	if pl.Index < len(list) {
		pl.Before = list[pl.Index]
	}
	end := opening(pl.Block)
	if pl.Index > 0 {
		pl.After = list[pl.Index-1]
		end = pl.After.End()
	}
	switch same := l.sameLine(end, pos); {
	case same && pl.After != nil:
		pl.Place = After
	case same:
		pl.Place = First
	case pl.Before != nil:
		pl.Place = Before
	default:
		pl.Place = End
	}
}

// sameLine reports whether no line ends between two positions.
func (l *locator) sameLine(from, to token.Pos) bool {
	lo, hi := l.file.Offset(from), l.file.Offset(to)
	return lo > hi || bytes.IndexByte(l.src[lo:hi], '\n') < 0
}
