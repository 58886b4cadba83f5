package annot

import (
	"bytes"
	"errors"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
)

// A Sidecar is a parsed .ijon file: annotations for code that may not be
// edited.
//
//	ijon 1
//	module PATH VERSIONS
//
//	package PATH
//	at FUNC entry|exit : DIRECTIVE
//	after `STMT` in FUNC : DIRECTIVE
//	watch TYPE.FIELD : DIRECTIVE
//	replace PKG.FUNC in FUNC : rand
//	add FILE
//	quiet TYPE.METHOD
//
// The first line says the version of the format. Blank lines and lines that
// begin with # mean nothing; a # further on in a line is no comment. The module
// line may be left out, as may VERSIONS, which is v3.6, v3.6.1 or a range with
// both ends included, v3.6..v3.7: a version lies in v3.6 whatever its patch.
type Sidecar struct {
	File     string
	Module   string // empty when the file has no module line
	Versions string // as written; empty accepts every version
	Packages []*SidecarPackage

	versions versionRange
}

// SidecarPackage holds the lines below one package line.
type SidecarPackage struct {
	Pos      token.Position
	Path     string
	Anchors  []*Anchor
	Behind   []*Behind
	Watches  []*Watch
	Replaces []*Replace
	Adds     []*Add
	Quiets   []*Quiet
}

// Directives are those of all lines.
func (p *SidecarPackage) Directives() (list []*Directive) {
	for _, a := range p.Anchors {
		list = append(list, a.Directive)
	}
	for _, b := range p.Behind {
		list = append(list, b.Directive)
	}
	for _, w := range p.Watches {
		list = append(list, w.Directive)
	}
	return list
}

// An Anchor places a directive at the entry or the exit of a function.
type Anchor struct {
	Pos       token.Position
	Func      string // "F", "(*T).M" or "(T).M", as FuncName spells it
	At        At
	Directive *Directive
}

// A Behind places a directive behind every statement of a function that reads
// as Stmt when both are formatted.
type Behind struct {
	Pos       token.Position
	Stmt      ast.Stmt
	Text      string // of Stmt, as written
	Func      string // as in Anchor
	Directive *Directive
}

// A Watch is a directive on a field.
type Watch struct {
	Pos         token.Position
	Type, Field string
	Directive   *Directive
}

// A Replace redirects the calls of a function inside another one.
type Replace struct {
	Pos    token.Position
	Callee string // package and function, "rand.Int" or "crypto/rand.Int"
	Func   string // as in Anchor
	With   string // "rand"
}

// An Add puts a Go file into the package.
type Add struct {
	Pos  token.Position
	File string // slash-separated, relative to the folder of the sidecar
}

// Path is where the file is.
func (a *Add) Path() string {
	return filepath.Join(filepath.Dir(a.Pos.Filename), filepath.FromSlash(a.File))
}

// A Quiet leaves out the calls of a function that logs, in the runs whose
// timeline nobody wants.
type Quiet struct {
	Pos    token.Position
	Callee string // "TYPE.METHOD" or "PKG.FUNC", PKG being a name or an import path
}

// sidecarLines are the kinds of line that are supported, but for the version.
var sidecarLines = []string{"module", "package", "at", "after", "watch", "replace", "add", "quiet"}

// ParseSidecar parses a sidecar file. Lines that have an error are missing
// from the result.
func ParseSidecar(filename string, src []byte) (*Sidecar, Errors) {
	p := &sidecarParser{parser: newParser(filename, src), sidecar: &Sidecar{File: filename}}
	for lo := skipBOM(src); lo < len(src); {
		hi := len(src)
		if n := bytes.IndexByte(src[lo:], '\n'); n >= 0 {
			hi = lo + n
		}
		if s := trim(src, span{lo, hi}); s.lo < s.hi && src[s.lo] != '#' {
			p.line(s)
		}
		lo = hi + 1
	}
	if !p.header {
		pos := token.Position{Filename: filename, Line: 1, Column: 1} // an empty file has no line
		p.errs = append(p.errs, &Error{Pos: pos, Msg: noVersion, Hint: writeVersion})
	}
	p.errs.Sort()
	return p.sidecar, p.errs
}

const (
	noVersion    = "a sidecar file begins with its version"
	writeVersion = "write ijon 1"
)

func skipBOM(src []byte) int {
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		return 3
	}
	return 0
}

type sidecarParser struct {
	*parser
	sidecar *Sidecar
	pkg     *SidecarPackage // of the last package line
	header  bool            // the first line was seen
}

// line parses one trimmed line that is not blank.
func (p *sidecarParser) line(s span) {
	words := p.words(s)
	keyword := p.text(words[0])
	rest := trim(p.src, span{words[0].hi, s.hi})
	if !p.header {
		p.version(s, words)
		if keyword == "ijon" {
			return
		}
	}
	switch keyword {
	case "ijon":
		p.errorf(s.lo, "leave it out", "the version is given twice")
	case "module":
		p.module(s, words[1:])
	case "package":
		p.newPackage(s, words[1:])
	case "at":
		p.anchor(s, rest)
	case "replace":
		p.replace(s, rest)
	case "add":
		p.add(s, words[1:])
	case "quiet":
		p.quiet(s, words[1:])
	case "after":
		p.after(s, rest)
	case "watch":
		p.watch(s, rest)
	default:
		p.errorf(s.lo, didYouMean(keyword, "lines", sidecarLines), "unknown line %s", keyword)
	}
}

// words splits a span at white space.
func (p *sidecarParser) words(s span) []span {
	var words []span
	for s = trim(p.src, s); s.lo < s.hi; s = trim(p.src, s) {
		end := s.hi
		if n := bytes.IndexAny(p.src[s.lo:s.hi], blank); n >= 0 {
			end = s.lo + n
		}
		words = append(words, span{s.lo, end})
		s.lo = end
	}
	return words
}

func (p *sidecarParser) text(s span) string { return string(p.src[s.lo:s.hi]) }

// version checks the first line.
func (p *sidecarParser) version(s span, words []span) {
	p.header = true
	switch {
	case p.text(words[0]) != "ijon":
		p.errorf(s.lo, writeVersion, noVersion)
	case len(words) != 2:
		p.errorf(s.lo, writeVersion, "the version of the format is one number")
	case p.text(words[1]) != "1":
		p.errorf(words[1].lo, "this ijongo reads ijon 1", "unknown version %s of the format", p.text(words[1]))
	}
}

func (p *sidecarParser) module(s span, args []span) {
	switch {
	case len(args) == 0 || len(args) > 2:
		p.errorf(s.lo, "write module PATH v3.6..v3.7", "a module line needs a module path, and takes a version range")
		return
	case p.sidecar.Module != "":
		p.errorf(s.lo, "put the other module into a file of its own", "a sidecar file has one module line")
		return
	case p.pkg != nil:
		p.errorf(s.lo, "move it up", "the module line stands above the first package line")
		return
	case !p.path(args[0]):
		return
	}
	p.sidecar.Module = p.text(args[0])
	if len(args) == 1 {
		return
	}
	r, err := parseVersionRange(p.text(args[1]))
	if err != nil {
		p.errorf(args[1].lo, "write v3.6, v3.6.1 or v3.6..v3.7", "%v", err)
		return
	}
	p.sidecar.Versions, p.sidecar.versions = p.text(args[1]), r
}

func (p *sidecarParser) newPackage(s span, args []span) {
	if len(args) != 1 {
		p.errorf(s.lo, "write package PATH", "a package line takes one import path")
		return
	}
	if !p.path(args[0]) {
		return
	}
	path := p.text(args[0])
	for _, pkg := range p.sidecar.Packages {
		if pkg.Path == path {
			p.errorf(s.lo, "join the two", "package %s is given twice", path)
			p.pkg = pkg
			return
		}
	}
	p.pkg = &SidecarPackage{Pos: p.position(s.lo), Path: path}
	p.sidecar.Packages = append(p.sidecar.Packages, p.pkg)
}

// path checks the form of a module or import path.
func (p *sidecarParser) path(s span) bool {
	text := p.text(s)
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, ".") || strings.HasSuffix(text, "/") || strings.ContainsAny(text, "\"'`\\:;,()*@") {
		p.errorf(s.lo, "write it as in an import, without quotes", "%s is not an import path", text)
		return false
	}
	return true
}

// anchor parses FUNC entry|exit : DIRECTIVE.
func (p *sidecarParser) anchor(s, rest span) {
	const usage = "write at FUNC entry|exit : DIRECTIVE, or after `STMT` in FUNC : DIRECTIVE"
	head, directive, ok := p.cutColon(rest)
	if !ok || len(head) == 0 {
		p.errorf(s.lo, usage, "an at line needs a function, a colon and a directive")
		return
	}
	fn, ok := p.function(head[0])
	if !ok {
		return
	}
	at := AtNone
	if len(head) > 1 {
		at = atNames[p.text(head[1])]
	}
	if at == AtNone || len(head) > 2 {
		p.errorf(head[min(len(head)-1, 1)].lo, usage, "say entry or exit behind the function, and nothing else")
		return
	}
	d := p.sidecarDirective(s, directive)
	if d == nil {
		return
	}
	if d.Verb.Control() {
		p.errorf(directive.lo, "leave out packages and files by flags", "%s stands in the source itself", d.Verb)
		return
	}
	if d.Verb == Ctx && at == AtExit {
		p.errorf(directive.lo, "write entry", "ctx at exit would end as it begins")
		return
	}
	if d.At != AtNone {
		p.errorf(d.atOff, "leave it out", "the line says at %s already", at)
		return
	}
	if !p.fits(d, directive) {
		return
	}
	p.pkg.Anchors = append(p.pkg.Anchors, &Anchor{p.position(s.lo), fn, at, d})
}

// sidecarDirective parses the directive of a line. It returns nil when it
// reported something.
func (p *sidecarParser) sidecarDirective(line, s span) *Directive {
	if text := p.text(s); strings.HasPrefix(text, "//"+prefix) || strings.HasPrefix(text, "/*"+prefix) {
		p.errorf(s.lo, "leave out "+text[:2+len(prefix)], "a directive of a sidecar file begins with its verb")
		return nil
	}
	d := p.directive(s)
	if d == nil || !p.inPackage(line) {
		return nil
	}
	return d
}

// fits checks a directive of an at or after line.
func (p *sidecarParser) fits(d *Directive, s span) bool {
	if d.Sample != nil {
		p.fault(d.Sample.Pos, "leave out the clause", "the line says already where the group is sampled")
		return false
	}
	return p.standing(d, false)
}

// after parses `STMT` in FUNC : DIRECTIVE. A statement may hold a colon.
func (p *sidecarParser) after(s, rest span) {
	const usage = "write after `STMT` in FUNC : DIRECTIVE"
	text := p.text(rest)
	end := strings.IndexByte(strings.TrimPrefix(text, "`"), '`')
	if !strings.HasPrefix(text, "`") || end < 0 {
		p.errorf(s.lo, usage, "an after line needs a statement between backquotes")
		return
	}
	pattern := span{rest.lo + 1, rest.lo + 1 + end}
	head, directive, ok := p.cutColon(span{pattern.hi + 1, rest.hi})
	if !ok || len(head) != 2 || p.text(head[0]) != "in" {
		p.errorf(s.lo, usage, "an after line needs a function, a colon and a directive behind the statement")
		return
	}
	fn, ok := p.function(head[1])
	if !ok {
		return
	}
	stmt, err := parseStmt(p.text(pattern))
	if err != nil {
		p.errorf(pattern.lo, "write one Go statement", "%q is not a statement", p.text(pattern))
		return
	}
	d := p.sidecarDirective(s, directive)
	switch {
	case d == nil:
	case d.Verb.Control() || d.Verb == Ctx:
		p.errorf(directive.lo, "leave it out", "%s stands in the source itself", d.Verb)
	case d.At != AtNone:
		p.errorf(d.atOff, "leave it out: the directive runs behind the statement", "clause at is for a function")
	case p.fits(d, directive):
		p.pkg.Behind = append(p.pkg.Behind, &Behind{p.position(s.lo), stmt, p.text(pattern), fn, d})
	}
}

// parseStmt parses one statement.
func parseStmt(text string) (ast.Stmt, error) {
	const head, tail = "package p; func _() { ", "\n}"
	f, err := goparser.ParseFile(token.NewFileSet(), "", head+text+tail, goparser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	body := f.Decls[0].(*ast.FuncDecl).Body
	if len(f.Decls) != 1 || len(body.List) != 1 {
		return nil, errors.New("not one statement")
	}
	return body.List[0], nil
}

// watch parses TYPE.FIELD : DIRECTIVE.
func (p *sidecarParser) watch(s, rest span) {
	const usage = "write watch TYPE.FIELD : DIRECTIVE"
	head, directive, ok := p.cutColon(rest)
	if !ok || len(head) != 1 {
		p.errorf(s.lo, usage, "a watch line needs a field, a colon and a directive")
		return
	}
	typ, field, ok := strings.Cut(p.text(head[0]), ".")
	if !ok || !token.IsIdentifier(typ) || !token.IsIdentifier(field) {
		p.errorf(head[0].lo, usage, "%s is not a type and its field", p.text(head[0]))
		return
	}
	d := p.sidecarDirective(s, directive)
	if d == nil {
		return
	}
	if msg, hint := d.notWatching(); msg != "" {
		p.errorf(directive.lo, hint, "%s", msg)
		return
	}
	if !p.standing(d, true) {
		return
	}
	p.pkg.Watches = append(p.pkg.Watches, &Watch{p.position(s.lo), typ, field, d})
}

// cutColon splits a line at its first colon into the words before it and the
// text behind it.
func (p *sidecarParser) cutColon(s span) (head []span, rest span, ok bool) {
	n := bytes.IndexByte(p.src[s.lo:s.hi], ':')
	if n < 0 {
		return nil, span{}, false
	}
	return p.words(span{s.lo, s.lo + n}), trim(p.src, span{s.lo + n + 1, s.hi}), true
}

// replace parses PKG.FUNC in FUNC : rand.
func (p *sidecarParser) replace(s, rest span) {
	const usage = "write replace PKG.FUNC in FUNC : rand"
	head, with, ok := p.cutColon(rest)
	if !ok || len(head) != 3 || p.text(head[1]) != "in" {
		p.errorf(s.lo, usage, "a replace line needs a function, where it is called, and a replacement")
		return
	}
	callee, ok := p.dotted(head[0], usage, "a package and its function")
	if !ok {
		return
	}
	fn, ok := p.function(head[2])
	if !ok {
		return
	}
	if text := p.text(with); text != "rand" {
		p.errorf(with.lo, "write rand, the random numbers of the run", "unknown replacement %q", text)
		return
	}
	if p.inPackage(s) {
		p.pkg.Replaces = append(p.pkg.Replaces, &Replace{p.position(s.lo), callee, fn, "rand"})
	}
}

// dotted parses PATH.NAME, which is to be what is asked for.
func (p *sidecarParser) dotted(s span, usage, what string) (name string, ok bool) {
	name = p.text(s)
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || !token.IsIdentifier(name[dot+1:]) {
		p.errorf(s.lo, usage, "%s is not %s", name, what)
		return "", false
	}
	return name, p.path(span{s.lo, s.lo + dot})
}

// add parses FILE.
func (p *sidecarParser) add(s span, args []span) {
	const usage = "write add FILE.go"
	if len(args) != 1 {
		p.errorf(s.lo, usage, "an add line names one file")
		return
	}
	file := p.text(args[0])
	switch {
	case strings.HasPrefix(file, "/") || strings.Contains(file, `\`):
		p.errorf(args[0].lo, "write it relative to the folder of this file, with slashes", "%s is not a relative path", file)
	case path.Ext(file) != ".go":
		p.errorf(args[0].lo, usage, "%s is not a Go file", file)
	case strings.HasSuffix(file, "_test.go"):
		p.errorf(args[0].lo, "name it otherwise", "%s would be a test file", path.Base(file))
	case p.inPackage(s):
		p.pkg.Adds = append(p.pkg.Adds, &Add{p.position(s.lo), file})
	}
}

// quiet parses TYPE.METHOD, or PKG.FUNC.
func (p *sidecarParser) quiet(s span, args []span) {
	const usage = "write quiet TYPE.METHOD or quiet PKG.FUNC"
	if len(args) != 1 {
		p.errorf(s.lo, usage, "a quiet line takes one method, or one function")
		return
	}
	callee, ok := p.dotted(args[0], usage, "a method or a function of a package")
	if ok && p.inPackage(s) {
		p.pkg.Quiets = append(p.pkg.Quiets, &Quiet{p.position(s.lo), callee})
	}
}

// inPackage reports a line that stands below no package line.
func (p *sidecarParser) inPackage(s span) bool {
	if p.pkg == nil {
		p.errorf(s.lo, "write package PATH above it", "this line belongs to no package")
	}
	return p.pkg != nil
}

// Accepts reports whether the module version lies in the range of the module
// line. What is not a version, such as that of a module replaced by a
// directory, lies only in the empty range.
func (s *Sidecar) Accepts(version string) bool {
	return s.Versions == "" || s.versions.contains(version)
}
