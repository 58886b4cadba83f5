package report

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/cover"
)

// A file is the source of one file, with what is known of its lines.
type file struct {
	N       int // the anchor of line L of the n-th is sN-L
	Name    string
	Edges   int
	Covered int
	Lines   int
	Notes   []note    // items that stand in the file
	Missing string    // why there is no text
	Places  []*placed // then: its edges
	Numbers template.HTML
	Counts  template.HTML
	Margin  template.HTML // empty if no item stands in the file
	Text    template.HTML
	marks   map[int]*mark
}

// A note is an item in the margin.
type note struct {
	Line int
	Item *item
}

// A placed is an edge and where it begins.
type placed struct {
	*cover.Edge
	Line, Column int
}

// A mark is what is known of one line.
type mark struct {
	edges []*placed
	notes []*item
}

// maxSource is how many bytes of source a page has at most. What has no more
// room is named.
const maxSource = 3 << 20

// files is the source of all files in which edges or items stand, those with
// items first.
func (b *builder) files() (shown []*file, leftOut []string) {
	b.lines = make(map[string]string)
	if b.data.Source == nil {
		return nil, nil
	}
	size := 0
	for _, f := range b.marked() {
		text, err := b.data.Source(f.Name)
		if err == nil && size+len(text) > maxSource {
			leftOut = append(leftOut, f.Name)
			continue
		}
		f.N = len(shown)
		shown = append(shown, f)
		if err != nil {
			f.Missing = err.Error()
			f.list()
			continue
		}
		size += len(text)
		f.show(text, b.lines)
	}
	return shown, leftOut
}

// marked is the files and the marks of their lines.
func (b *builder) marked() []*file {
	var list []*file
	byName := make(map[string]*file)
	at := func(pos string) (*file, int, int) {
		name, line, column := split(pos)
		f := byName[name]
		if f == nil {
			f = &file{Name: name, marks: make(map[int]*mark)}
			byName[name] = f
			list = append(list, f)
		}
		return f, line, column
	}
	for _, i := range b.data.Profile.Items {
		if i.Pos == "" {
			continue
		}
		f, line, _ := at(i.Pos)
		f.mark(line).notes = append(f.mark(line).notes, b.items[i])
		f.Notes = append(f.Notes, note{line, b.items[i]})
	}
	for _, e := range b.data.Profile.Edges {
		f, line, column := at(e.Pos)
		f.mark(line).edges = append(f.mark(line).edges, &placed{e, line, column})
		f.Edges++
		if e.Hits > 0 {
			f.Covered++
		}
	}
	slices.SortStableFunc(list, func(x, y *file) int {
		if (len(x.Notes) > 0) != (len(y.Notes) > 0) {
			return len(y.Notes) - len(x.Notes)
		}
		return strings.Compare(x.Name, y.Name)
	})
	return list
}

// split takes file:line:col apart. What is not there is 0.
func split(pos string) (file string, line, column int) {
	file = fileOf(pos)
	line, _ = strconv.Atoi(strings.TrimPrefix(lineOf(pos), file+":")) // 0 for a position without
	column, _ = strconv.Atoi(strings.TrimPrefix(pos, lineOf(pos)+":"))
	return file, line, column
}

func (f *file) mark(line int) *mark {
	m := f.marks[line]
	if m == nil {
		m = new(mark)
		f.marks[line] = m
	}
	return m
}

// list is the edges of a file whose text is not there, by position.
func (f *file) list() {
	for _, m := range f.marks {
		f.Places = append(f.Places, m.edges...)
	}
	slices.SortFunc(f.Places, func(x, y *placed) int {
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return x.Column - y.Column
	})
}

// show sets the columns of the file and adds the anchors of its lines.
func (f *file) show(text []byte, anchors map[string]string) {
	lines := strings.Split(strings.TrimSuffix(strings.ToValidUTF8(string(text), "\uFFFD"), "\n"), "\n")
	f.Lines = len(lines)
	cold := f.cold(text)
	var numbers, counts, margin, code strings.Builder
	for k, line := range lines {
		n := k + 1
		m := f.marks[n]
		if m == nil {
			numbers.WriteString(strconv.Itoa(n))
		} else {
			anchor := fmt.Sprintf("s%d-%d", f.N, n)
			anchors[f.Name+":"+strconv.Itoa(n)] = anchor
			fmt.Fprintf(&numbers, `<i id="%s">%d</i>`, anchor, n)
			m.counts(&counts)
			m.names(&margin)
		}
		writeLine(&code, line, cold[n])
		for _, b := range []*strings.Builder{&numbers, &counts, &margin, &code} {
			b.WriteByte('\n')
		}
	}
	f.Numbers, f.Counts, f.Text = template.HTML(numbers.String()), template.HTML(counts.String()), template.HTML(code.String())
	if len(f.Notes) > 0 {
		f.Margin = template.HTML(margin.String())
	}
}

// writeLine writes a line of source, escaped.
func writeLine(b *strings.Builder, line string, cold bool) {
	line = strings.TrimSuffix(line, "\r")
	body := strings.TrimLeft(line, " \t")
	class := ""
	switch {
	case cold:
		class = "cold"
	case strings.HasPrefix(body, "//ijon:") || strings.HasPrefix(body, "/*ijon:"):
		class = "ijon"
	case strings.HasPrefix(body, "//") || strings.HasPrefix(body, "#"):
		class = "note"
	}
	if class == "" || body == "" {
		b.WriteString(template.HTMLEscapeString(line))
		return
	}
	fmt.Fprintf(b, `%s<i class="%s">%s</i>`, line[:len(line)-len(body)], class, template.HTMLEscapeString(body))
}

// counts writes the hits of the edges that begin in the line: of the first
// two, all of them in the title.
func (m *mark) counts(b *strings.Builder) {
	if len(m.edges) == 0 {
		return
	}
	slices.SortStableFunc(m.edges, func(x, y *placed) int { return x.Column - y.Column })
	var parts, title []string
	cold := 0
	for _, e := range m.edges {
		if e.Hits == 0 {
			cold++
		}
		parts = append(parts, short(e.Hits))
		title = append(title, e.Kind+" at column "+strconv.Itoa(e.Column)+": "+hits(e.Hits))
	}
	class := "warm"
	switch {
	case cold == len(m.edges):
		class = "cold"
	case cold > 0:
		class = "part"
	}
	const most = 2
	if len(parts) > most {
		parts = append(parts[:most-1], short(least(m.edges)), "…")
	}
	fmt.Fprintf(b, `<i class="%s" title="%s">%s</i>`, class,
		template.HTMLEscapeString(strings.Join(title, ", ")), template.HTMLEscapeString(strings.Join(parts, "|")))
}

// least is the fewest hits of the edges behind the first.
func least(edges []*placed) uint64 {
	n := edges[1].Hits
	for _, e := range edges[2:] {
		n = min(n, e.Hits)
	}
	return n
}

// names writes the items that stand in the line, as links.
func (m *mark) names(b *strings.Builder) {
	const longest = 24
	for k, i := range m.notes {
		if k > 0 {
			b.WriteString(" ")
		}
		title := []rune(i.Title())
		if len(title) > longest {
			title = append(title[:longest-1], '…')
		}
		class := "warm"
		if i.Uncovered() > 0 {
			class = "part"
		}
		fmt.Fprintf(b, `<a class="%s" href="#i%d" title="%s">%s %d/%d</a>`, class, i.N,
			template.HTMLEscapeString(i.Kind+" "+i.Title()), template.HTMLEscapeString(string(title)), i.Covered, i.Goals)
	}
}
