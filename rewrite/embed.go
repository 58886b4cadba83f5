package rewrite

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// planEmbeds keeps the files that are added to the copy out of go:embed: a
// pattern that would take one of them becomes the list of the files that it
// takes in the original.
func (prog *program) planEmbeds() (errs annot.Errors) {
	for _, p := range prog.pkgs {
		if len(p.EmbedPatterns) == 0 && len(p.foreign) == 0 {
			continue
		}
		added := prog.addedBelow(p)
		for _, f := range p.edited() {
			if f.ast == nil {
				continue
			}
			for _, g := range f.ast.Comments {
				for _, c := range g.List {
					if rest, ok := strings.CutPrefix(c.Text, "//go:embed"); ok && strings.TrimLeft(rest, " \t") != rest {
						errs = append(errs, prog.planEmbed(f, f.tok.Offset(c.Pos()), added)...)
					}
				}
			}
		}
	}
	return errs
}

// addedBelow are the paths of what will be added in and below the folder of p.
func (prog *program) addedBelow(p *pkg) []string {
	var list []string
	if p.dir == prog.main.dir {
		list = append(list, manifestName, prog.topFolder())
	}
	below := func(q *pkg, name string) {
		rel, err := filepath.Rel(p.dir, q.dir)
		if err == nil && q.mod == p.mod && inside(p.dir, q.dir) {
			list = append(list, path.Join(filepath.ToSlash(rel), name))
		}
	}
	for _, q := range prog.pkgs {
		below(q, q.added("rt.go"))
		for _, a := range q.adds {
			below(q, q.addName(a))
		}
	}
	for _, q := range prog.tests {
		if prog.cfg.TestFiles {
			below(q, q.glueName())
		}
		if q.starts {
			below(q, q.startName())
		}
	}
	return list
}

// planEmbed edits the directive at an offset of f.
func (prog *program) planEmbed(f *file, at int, added []string) annot.Errors {
	line, _, _ := strings.Cut(string(f.src[at:]), "\n")
	line = strings.TrimRight(line, " \t\r")
	var words []string
	var errs annot.Errors
	changed := false
	for _, pattern := range embedPatterns(line[len("//go:embed"):]) {
		takes := slices.ContainsFunc(added, func(name string) bool { return embeds(pattern, name) })
		var files []string
		for _, name := range f.pkg.EmbedFiles {
			rel, err := filepath.Rel(f.pkg.dir, name)
			if rel = filepath.ToSlash(rel); err != nil || !embeds(pattern, rel) {
				continue
			}
			files = append(files, embedWord(rel))
			if prog.edits(name) {
				errs = append(errs, f.embedWarning(at, rel+" is embedded with what was inserted into it", ""))
			}
		}
		switch {
		case !takes:
			words = append(words, embedWord(pattern))
		case f.pkg.isForeign(f):
			errs = append(errs, f.embedWarning(at, "in its build, go:embed "+pattern+" takes files that are added to the copy", "name the files"))
			words = append(words, embedWord(pattern))
		default:
			changed = true
			words = append(words, files...)
		}
	}
	if changed {
		f.replace(at, at+len(line), "//go:embed "+strings.Join(words, " "))
	}
	return errs
}

func (f *file) embedWarning(at int, msg, hint string) *annot.Error {
	return &annot.Error{Pos: f.tok.PositionFor(f.tok.Pos(at), false), Msg: msg, Hint: hint, Warning: true}
}

func (p *pkg) isForeign(f *file) bool { return slices.Contains(p.foreign, f) }

// edits tells whether text is inserted into a file.
func (prog *program) edits(name string) bool {
	for _, p := range prog.pkgs {
		for _, f := range p.files {
			if f.name == name {
				return !f.empty()
			}
		}
	}
	return false
}

// embedPatterns splits the arguments of go:embed, which may be quoted.
func embedPatterns(args string) []string {
	var list []string
	for args = strings.TrimSpace(args); args != ""; args = strings.TrimSpace(args) {
		if quoted, err := strconv.QuotedPrefix(args); err == nil {
			word, err := strconv.Unquote(quoted)
			if err != nil {
				return list // the compiler will say so
			}
			list, args = append(list, word), args[len(quoted):]
			continue
		}
		word := args
		if i := strings.IndexAny(args, " \t"); i >= 0 {
			word = args[:i]
		}
		list, args = append(list, word), args[len(word):]
	}
	return list
}

// embedWord spells a pattern, or the name of a file, as an argument.
func embedWord(name string) string {
	if strings.ContainsAny(name, " \t\"`'\\") || strings.ContainsFunc(name, func(r rune) bool { return r > 126 }) {
		return strconv.Quote(name)
	}
	return name
}

// embeds tells whether a pattern takes a file: by its own name, or with a
// folder above it, of which hidden files are left out.
func embeds(pattern, name string) bool {
	pattern, all := strings.CutPrefix(pattern, "all:")
	for head := name; ; head = path.Dir(head) {
		ok, err := path.Match(path.Clean(pattern), head)
		if err == nil && ok {
			return all || head == name || !hidden(below(head, name))
		}
		if head == "." {
			return false
		}
	}
}

// below is the rest of a path below a folder.
func below(dir, name string) string {
	if dir == "." {
		return name
	}
	return name[len(dir)+1:]
}

// hidden tells whether an element of a path begins with a dot or an
// underscore.
func hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return e[0] == '.' || e[0] == '_' })
}
