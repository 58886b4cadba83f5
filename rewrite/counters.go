package rewrite

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// A Kind says which edge a counter counts.
type Kind string

// The kinds of edge.
const (
	KindFunc    Kind = "func"    // a function or a function literal is entered
	KindThen    Kind = "then"    // the condition of an if holds
	KindElse    Kind = "else"    // the condition of an if does not hold
	KindLoop    Kind = "loop"    // a loop body is entered
	KindCase    Kind = "case"    // a clause of a switch or select is entered
	KindDefault Kind = "default" // no clause of a switch is entered
	KindAfter   Kind = "after"   // a loop that returns from inside is left in another way
	KindLabel   Kind = "label"   // a labelled statement is reached
	KindRight   Kind = "right"   // the right side of && or || is evaluated
)

// A site is where a counter goes. The text is before+increment+after.
type site struct {
	kind          Kind // empty for text without a counter
	fn            string
	at            int       // offset of the insertion
	pos           token.Pos // what the counter stands for
	before, after string
}

// sites plans the counters of a file, by syntax alone, for all statements but
// those that leaveOut, which may be nil, tells of.
func sites(tok *token.File, f *ast.File, leaveOut func(token.Pos) bool) []site {
	const bytesPerSite = 64 // or somewhat more
	p := planner{tok: tok, leaveOut: leaveOut, sites: make([]site, 0, tok.Size()/bytesPerSite)}
	barred := pragmas(f)
	end := f.Name.End()
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !barred.between(end, d.Name.Pos()) {
				p.function(annot.FuncName(d), d.Body)
			}
		case *ast.GenDecl:
			p.literals("init", d)
		}
		end = d.End()
	}
	return p.sites
}

// pragmaList holds the compiler directives of a file that forbid counters in
// the function that follows: a stack that must not grow, code that must not
// be instrumented.
type pragmaList []token.Pos

func pragmas(f *ast.File) pragmaList {
	var list pragmaList
	for _, g := range f.Comments {
		for _, c := range g.List {
			switch verb, _, _ := strings.Cut(c.Text, " "); verb {
			case "//go:nosplit", "//go:norace", "//go:nowritebarrier", "//go:nowritebarrierrec", "//go:yeswritebarrierrec",
				"//go:systemstack", "//go:cgo_unsafe_args":
				list = append(list, c.Pos())
			}
		}
	}
	return list
}

// between tells whether one of them stands there. A directive applies to the
// declaration that follows, be there blank lines or not.
func (l pragmaList) between(from, to token.Pos) bool {
	for _, pos := range l {
		if from <= pos && pos < to {
			return true
		}
	}
	return false
}

// planner walks the statements of one file.
type planner struct {
	tok      *token.File
	leaveOut func(token.Pos) bool
	fn       string
	body     *ast.BlockStmt // of the function
	labels   *labels        // of the function; nil until one is met
	sites    []site
}

func (p *planner) add(kind Kind, at, pos token.Pos, before, after string) {
	if p.leaveOut != nil && p.leaveOut(pos) {
		return
	}
	p.sites = append(p.sites, site{kind, p.fn, p.tok.Offset(at), pos, before, after})
}

// function plans a body, and apart from it the literals inside.
func (p *planner) function(name string, body *ast.BlockStmt) {
	fn, outer, labels := p.fn, p.body, p.labels
	p.fn, p.body, p.labels = name, body, nil
	p.block(KindFunc, body)
	p.fn, p.body, p.labels = fn, outer, labels
}

// labels tells how the labels of a function are used.
type labels struct {
	loops map[string]bool // break or continue names them
	gotos map[string]bool // goto names them
}

func labelsOf(body *ast.BlockStmt) *labels {
	l := &labels{map[string]bool{}, map[string]bool{}}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Label == nil {
				break
			}
			if n.Tok == token.GOTO {
				l.gotos[n.Label.Name] = true
			} else {
				l.loops[n.Label.Name] = true
			}
		}
		return true
	})
	return l
}

// literals plans the function literals in n.
func (p *planner) literals(name string, n ast.Node) {
	if n == nil {
		return
	}
	outer := p.fn
	p.fn = name
	ast.Walk((*literals)(p), n)
	p.fn = outer
}

// literals is a planner as a visitor that stops at function literals.
type literals planner

func (v *literals) Visit(n ast.Node) ast.Visitor {
	if lit, ok := n.(*ast.FuncLit); ok {
		(*planner)(v).function(v.fn+".func", lit.Body)
		return nil
	}
	return v
}

// block puts a counter behind the opening brace and plans the statements.
func (p *planner) block(kind Kind, b *ast.BlockStmt) {
	if !p.implied(b.List) {
		p.add(kind, b.Lbrace+1, b.Lbrace, "", ";")
	}
	p.list(b.List)
}

func (p *planner) list(list []ast.Stmt) {
	for i, s := range list {
		if i > 0 && splits(list[i-1], "") && !p.labelCounted(s) && !p.implied(list[i:]) {
			p.add(KindAfter, s.Pos(), s.Pos(), "", ";")
		}
		p.stmt(s)
	}
}

// splits tells whether s is left by an edge whose count does not follow from
// the other counters: by the condition of a loop that is left in other ways
// too. All ways out of a switch, a select and an endless loop are counted.
func splits(s ast.Stmt, label string) bool {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return splits(s.Stmt, s.Label.Name)
	case *ast.ForStmt:
		return s.Cond != nil && escapes(s.Body, label)
	case *ast.RangeStmt:
		return escapes(s.Body, label)
	}
	return false
}

// labelCounted tells whether stmt puts a counter behind the label of s: not
// between the label and a statement that needs it.
func (p *planner) labelCounted(s ast.Stmt) bool {
	l, ok := s.(*ast.LabeledStmt)
	if !ok {
		return false
	}
	if p.labels == nil {
		p.labels = labelsOf(p.body)
	}
	return p.labels.gotos[l.Label.Name] && !p.labels.loops[l.Label.Name]
}

func (p *planner) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		p.list(s.List)
	case *ast.LabeledStmt:
		if p.labelCounted(s) {
			p.add(KindLabel, s.Colon+1, s.Pos(), "", ";")
		}
		p.stmt(s.Stmt)
	case *ast.IfStmt:
		p.ifStmt(s)
	case *ast.ForStmt:
		p.literals(p.fn, s.Init)
		p.literals(p.fn, s.Cond)
		p.literals(p.fn, s.Post)
		p.block(KindLoop, s.Body)
	case *ast.RangeStmt:
		p.literals(p.fn, s.Key)
		p.literals(p.fn, s.Value)
		p.literals(p.fn, s.X)
		p.block(KindLoop, s.Body)
	case *ast.SwitchStmt:
		p.literals(p.fn, s.Init)
		p.literals(p.fn, s.Tag)
		p.clauses(s.Body, true)
	case *ast.TypeSwitchStmt:
		p.literals(p.fn, s.Init)
		p.literals(p.fn, s.Assign)
		p.clauses(s.Body, true)
	case *ast.SelectStmt:
		p.clauses(s.Body, false)
	default:
		p.literals(p.fn, s)
	}
}

func (p *planner) ifStmt(s *ast.IfStmt) {
	p.literals(p.fn, s.Init)
	p.literals(p.fn, s.Cond)
	p.block(KindThen, s.Body)
	switch e := s.Else.(type) {
	case nil:
		p.add(KindElse, s.Body.Rbrace+1, s.Pos(), " else {", "}")
	case *ast.BlockStmt:
		p.block(KindElse, e)
	case *ast.IfStmt:
		if p.implied([]ast.Stmt{e}) || !p.counted(e) {
			p.ifStmt(e)
			break
		}
		p.add(KindElse, e.Pos(), e.Pos(), "{", ";")
		p.ifStmt(e)
		p.sites = append(p.sites, site{at: p.tok.Offset(e.End()), pos: e.Pos(), before: "}"})
	}
}

// clauses plans the clauses of a switch or select. Only a switch gets a
// default: in a select it would turn waiting into going on.
func (p *planner) clauses(body *ast.BlockStmt, isSwitch bool) {
	hasDefault := false
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			hasDefault = hasDefault || c.List == nil
			for _, e := range c.List {
				p.literals(p.fn, e)
			}
			p.clause(c, c.Colon, c.Body)
		case *ast.CommClause:
			p.literals(p.fn, c.Comm)
			p.clause(c, c.Colon, c.Body)
		}
	}
	if !isSwitch || hasDefault {
		return
	}
	before := "default:"
	if len(body.List) > 0 {
		before = ";default:"
	}
	p.add(KindDefault, body.Rbrace, body.Pos(), before, ";")
}

func (p *planner) clause(c ast.Stmt, colon token.Pos, body []ast.Stmt) {
	if !p.implied(body) {
		p.add(KindCase, colon+1, c.Pos(), "", ";")
	}
	p.list(body)
}
