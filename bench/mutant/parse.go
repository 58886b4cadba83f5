package mutant

import (
	"bufio"
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// A Mutant is a fault: edits of a module that bring it back.
type Mutant struct {
	Name  string
	Edits []Edit
	Lacks string         // what the harness lacks to kill it; empty if it can
	Pos   token.Position // of the name
}

// An Edit replaces the only occurrence of a string in a file.
type Edit struct {
	File, Find, Replace string
	filePos, findPos    token.Position
}

// Parse reads rules. Its error is an annot.Errors with every fault of the file; name is
// the file's name in them.
func Parse(name string, r io.Reader) ([]Mutant, error) {
	p := parser{at: map[string]token.Position{}}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		p.pos = token.Position{Filename: name, Line: n, Column: 1}
		p.line(in.Text())
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, p.pos.Line+1, err)
	}
	p.end()
	if len(p.errs) > 0 {
		return nil, p.errs
	}
	return p.mutants, nil
}

// words are the lines of a mutant; behind replace comes another file.
var words = [...]string{"mutant", "file", "find", "replace"}

type parser struct {
	mutants []Mutant
	at      map[string]token.Position // where names are declared
	pos     token.Position            // of the line
	last    string                    // word of the last line that is no comment; "" before the first
	named   bool                      // the last line is the name of a mutant
	bad     bool                      // the mutant has a fault: report no further ones of its order
	errs    annot.Errors
}

func (p *parser) line(s string) {
	named := p.named
	p.named = false
	text := strings.TrimSpace(s)
	if text == "" {
		return
	}
	if text[0] == '#' {
		if what, ok := strings.CutPrefix(strings.TrimSpace(text[1:]), "lacks:"); ok && named {
			p.current().Lacks = strings.TrimSpace(what)
		}
		return
	}
	p.pos.Column += len(s) - len(strings.TrimLeft(s, " \t"))
	word, rest, _ := strings.Cut(text, " ")
	arg := p.pos
	arg.Column += len(text) - len(strings.TrimLeft(rest, " \t"))
	rest = strings.TrimLeft(rest, " \t")
	if !slices.Contains(words[:], word) {
		p.fail(p.pos, fmt.Sprintf("unknown word %q", word), "a line is mutant, file, find, replace or a comment")
		p.bad = true
		return
	}
	if word == "mutant" {
		p.end()
		p.begin(rest, arg)
	} else if p.inOrder(word) {
		p.edit(word, rest, arg)
	}
	p.last = word
}

func (p *parser) begin(name string, pos token.Position) {
	p.bad, p.named = false, true
	switch at, ok := p.at[name]; {
	case name == "" || strings.ContainsAny(name, " \t\"`"):
		p.fail(pos, fmt.Sprintf("%q is no name", name), "write mutant and one word")
	case ok:
		p.fail(pos, fmt.Sprintf("the name %s is taken at line %d", name, at.Line), "give each mutant a name of its own")
	}
	p.at[name] = pos
	p.mutants = append(p.mutants, Mutant{Name: name, Pos: pos})
}

// end checks that the mutant so far is whole.
func (p *parser) end() {
	switch {
	case p.last == "" || p.bad:
	case p.last == "mutant":
		p.fail(p.current().Pos, "mutant "+p.current().Name+" has no edit", "write file, find and replace below it")
	case p.last != "replace":
		p.fail(p.pos, "an edit ends with "+p.last, "a triple is file, find, replace")
	}
}

// inOrder tells whether the word may follow the last one.
func (p *parser) inOrder(word string) bool {
	if p.bad {
		return false
	}
	next := ""
	switch p.last {
	case "":
		p.fail(p.pos, word+" without a mutant", "begin with mutant NAME")
		p.bad = true
		return false
	case "mutant", "replace":
		next = "file"
	case "file":
		next = "find"
	case "find":
		next = "replace"
	}
	if word != next {
		p.fail(p.pos, fmt.Sprintf("%s behind %s", word, p.last), "here comes "+next+"; a triple is file, find, replace")
		p.bad = true
	}
	return !p.bad
}

func (p *parser) edit(word, arg string, pos token.Position) {
	m := p.current()
	if word == "file" {
		if !filepath.IsLocal(filepath.FromSlash(arg)) {
			p.fail(pos, fmt.Sprintf("%q is no path inside the module", arg), "write it relative to the module's root, such as tracker/progress.go")
		}
		m.Edits = append(m.Edits, Edit{File: arg, filePos: pos})
		return
	}
	s, err := strconv.Unquote(arg)
	if err != nil || arg[0] == '\'' {
		p.fail(pos, word+" needs one Go string", "quote it as \"...\" or `...`")
	}
	e := &m.Edits[len(m.Edits)-1]
	if word == "find" {
		e.Find, e.findPos = s, pos
		if s == "" && err == nil {
			p.fail(pos, "nothing to find", "write a string that is in the file once")
		}
		return
	}
	e.Replace = s
}

func (p *parser) current() *Mutant { return &p.mutants[len(p.mutants)-1] }

func (p *parser) fail(pos token.Position, msg, hint string) {
	p.errs = append(p.errs, &annot.Error{Pos: pos, Msg: msg, Hint: hint})
}
