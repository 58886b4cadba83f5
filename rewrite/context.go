package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/ijongo/ijongo/annot"
)

// contexts are the ctx directives of a file. The runtime keeps a frame for
// each call of a function that has some: it is closed by a deferred call, so
// that return, panic and Goexit need nothing. Where control leaves a block
// otherwise, at its end and by a branch, inserted text goes back to the level
// of the place it leads to. Levels are known from the syntax, so that no
// variable is added and a goto may jump over all of it.
type contexts struct {
	file *file
	list []scope
}

// scope is one ctx directive: what it holds for, from the directive to the
// end of its block.
type scope struct {
	*annot.Placed
	end   int // offset of the end of the block
	level int // how many contexts of the function are open behind it
}

func (prog *program) contexts(f *file, placed []*annot.Placed) *contexts {
	c := &contexts{file: f}
	for _, d := range placed {
		if d.Verb != annot.Ctx || f.regionAt(d.Offset) != nil {
			continue
		}
		level := c.around(d.Func, d.Offset) + 1
		c.list = append(c.list, scope{d, f.tok.Offset(annot.BlockEnd(f.ast, d.Block)), level})
	}
	return c
}

// around is how many contexts of a function are open at an offset.
func (c *contexts) around(fn ast.Node, offset int) int {
	n := 0
	for _, ctx := range c.list {
		if ctx.Func == fn && ctx.Offset <= offset && offset < ctx.end {
			n++
		}
	}
	return n
}

// level is that of a ctx directive, and 0 for others.
func (c *contexts) level(d *annot.Placed) int {
	for _, ctx := range c.list {
		if ctx.Placed == d {
			return ctx.level
		}
	}
	return 0
}

// plan inserts all but the directives themselves. The end of a function's
// body needs nothing.
func (c *contexts) plan() {
	functions := map[ast.Node]bool{}
	blocks := map[ast.Node]bool{}
	for _, ctx := range c.list {
		if !functions[ctx.Func] {
			functions[ctx.Func] = true
			c.function(ctx.Func)
		}
		if whole := ctx.Block == bodyOf(ctx.Func); !whole && !blocks[ctx.Block] && !ends(listOf(ctx.Block)) {
			blocks[ctx.Block] = true
			// In front of a default that is added at the same brace.
			c.file.insertFirst(ctx.end, ";"+c.leave(ctx.level-1))
		}
	}
}

// ends tells whether control never reaches the end of a list.
func ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1]
	branch, ok := last.(*ast.BranchStmt)
	return terminates(last) || ok && branch.Tok == token.FALLTHROUGH
}

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

func (c *contexts) leave(level int) string {
	return fmt.Sprintf("%s(%d);", c.file.pkg.use("ctxleave"), level)
}

// enterContext opens a frame that is closed when the function returns.
func (p *pkg) enterContext() string {
	return "defer " + p.use("ctxexit") + "(" + p.use("ctxenter") + "());"
}

// function opens the frame, and leaves contexts at the branches.
func (c *contexts) function(fn ast.Node) {
	body := bodyOf(fn)
	c.file.insertFirst(c.file.tok.Offset(body.Lbrace)+1, c.file.pkg.enterContext())
	b := branches{labels: map[string]ast.Stmt{}}
	b.walk(body)
	for _, br := range b.list {
		from, to := c.around(fn, c.file.tok.Offset(br.Pos())), c.around(fn, c.file.tok.Offset(br.target().Pos()))
		if to < from {
			c.file.insert(c.file.tok.Offset(br.Pos()), c.leave(to))
		}
	}
}

func bodyOf(fn ast.Node) *ast.BlockStmt {
	if lit, ok := fn.(*ast.FuncLit); ok {
		return lit.Body
	}
	return fn.(*ast.FuncDecl).Body
}

// branches are the branch statements of a function, with where they lead.
type branches struct {
	list   []branch
	labels map[string]ast.Stmt // labelled statements
}

type branch struct {
	*ast.BranchStmt
	inner  ast.Node // the statement that it leaves or goes on with; nil with a label
	labels map[string]ast.Stmt
}

// target is a node that has the contexts of the place the branch leads to:
// behind a statement, and before the next turn of a loop, they are those in
// front of it.
func (b branch) target() ast.Node {
	if b.Label != nil {
		return b.labels[b.Label.Name]
	}
	return b.inner
}

func (b *branches) walk(body *ast.BlockStmt) { b.node(body, nil, nil) }

// node collects the branches in n, of which loop and breakable are the
// statements that continue and break are about.
func (b *branches) node(n ast.Node, loop, breakable ast.Node) {
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			b.labels[m.Label.Name] = m
		case *ast.ForStmt, *ast.RangeStmt:
			if m != n {
				b.node(m, m, m)
				return false
			}
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if m != n {
				b.node(m, loop, m)
				return false
			}
		case *ast.BranchStmt:
			inner := breakable
			if m.Tok == token.CONTINUE {
				inner = loop
			}
			b.list = append(b.list, branch{m, inner, b.labels})
		}
		return true
	})
}
