package lines

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/cover"
)

// A file is the edges of one source file.
type file struct {
	path     string
	pkg      string
	funcs    []*function // in the order of their lines
	lines    []*line
	byNumber map[int]*line
}

// A function is entered hits times: as often as the edge of its entry is taken,
// or where others stand for that, at least as often as any of its edges.
type function struct {
	name  string
	line  int // of the entry, or of the first edge
	hits  uint64
	exact bool // the entry has an edge
	lines []*line
}

// add adds an edge of the function, which is on line l.
func (fn *function) add(e *cover.Edge, l *line) {
	switch {
	case e.Kind == "func":
		fn.line, fn.hits, fn.exact = l.number, e.Hits, true
	case !fn.exact:
		fn.line, fn.hits = min(fn.line, l.number), max(fn.hits, e.Hits)
	}
	if !slices.Contains(fn.lines, l) {
		fn.lines = append(fn.lines, l)
	}
}

// A line is reached hits times.
type line struct {
	number   int
	hits     uint64
	branches []uint64 // hits of each
}

// files sorts the edges of a profile by file, whose paths are where.
func files(p *cover.Profile, where func(name string) string) ([]*file, error) {
	var list []*file
	byPath := make(map[string]*file)
	funcs := make(map[string]*function)
	for _, e := range p.Edges {
		path, number, err := place(e.Pos)
		if err != nil {
			return nil, err
		}
		f := byPath[path]
		if f == nil {
			f = &file{path: path, pkg: e.Package, byNumber: make(map[int]*line)}
			byPath[path] = f
			list = append(list, f)
		}
		l := f.line(number)
		if e.Kind != "func" {
			l.branches = append(l.branches, e.Hits)
		}
		l.hits = max(l.hits, e.Hits)
		key := path + "\x00" + e.Func
		fn := funcs[key]
		if fn == nil || e.Kind == "func" && fn.exact { // another literal of the same function
			fn = &function{name: e.Func, line: number}
			funcs[key] = fn
			f.funcs = append(f.funcs, fn)
		}
		fn.add(e, l)
	}
	for _, f := range list {
		f.sort()
		if where != nil {
			f.path = where(f.path)
		}
	}
	slices.SortFunc(list, func(a, b *file) int {
		return cmp.Or(strings.Compare(a.pkg, b.pkg), strings.Compare(a.path, b.path))
	})
	return list, nil
}

// place takes file:line:col apart.
func place(pos string) (path string, line int, err error) {
	rest, _, ok := cutLast(pos)
	path, number, ok2 := cutLast(rest)
	if line, err = strconv.Atoi(number); !ok || !ok2 || err != nil || line < 1 {
		return "", 0, fmt.Errorf("an edge is at %q, which is no file:line:col", pos)
	}
	return path, line, nil
}

func cutLast(s string) (before, after string, ok bool) {
	k := strings.LastIndexByte(s, ':')
	if k < 0 {
		return s, "", false
	}
	return s[:k], s[k+1:], true
}

func (f *file) line(number int) *line {
	l := f.byNumber[number]
	if l == nil {
		l = &line{number: number}
		f.byNumber[number] = l
		f.lines = append(f.lines, l)
	}
	return l
}

// sort puts lines and functions in order, and gives each function a name of
// its own: that of a literal is its line's.
func (f *file) sort() {
	byNumber := func(a, b *line) int { return a.number - b.number }
	slices.SortFunc(f.lines, byNumber)
	slices.SortStableFunc(f.funcs, func(a, b *function) int { return a.line - b.line })
	taken := make(map[string]int)
	for _, fn := range f.funcs {
		slices.SortFunc(fn.lines, byNumber)
		if strings.HasSuffix(fn.name, ".func") {
			fn.name += strconv.Itoa(fn.line)
		}
		if taken[fn.name]++; taken[fn.name] > 1 {
			fn.name += "." + strconv.Itoa(taken[fn.name])
		}
	}
}

// A tally counts lines, branches and functions, and those that were reached.
type tally struct {
	lines, linesHit, branches, branchesHit, funcs, funcsHit int
}

func (t *tally) add(lines []*line) {
	for _, l := range lines {
		t.lines++
		if l.hits > 0 {
			t.linesHit++
		}
		t.branches += len(l.branches)
		t.branchesHit += l.branchesHit()
	}
}

func (t *tally) addFuncs(funcs []*function) {
	for _, fn := range funcs {
		t.funcs++
		if fn.hits > 0 {
			t.funcsHit++
		}
	}
}

func (l *line) branchesHit() (n int) {
	for _, hits := range l.branches {
		if hits > 0 {
			n++
		}
	}
	return n
}
