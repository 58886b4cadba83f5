package rewrite

import (
	"bytes"
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strconv"
)

// edits collects changes of one file by byte offset. Insertions at the same
// offset keep the order in which they were made.
type edits struct {
	list []edit
}

type edit struct {
	from, to int
	text     string
	deferred bool // text is a defer statement
}

func (e *edits) insert(at int, text string) {
	e.list = append(e.list, edit{from: at, to: at, text: text})
}

// insertDeferred inserts a defer statement at the start of a function.
func (e *edits) insertDeferred(at int, stmt string) {
	e.list = append(e.list, edit{at, at, stmt + "; ", true})
}

// insertFirst inserts in front of what was inserted there before.
func (e *edits) insertFirst(at int, text string) {
	e.list = append([]edit{{from: at, to: at, text: text}}, e.list...)
}

func (e *edits) replace(from, to int, text string) {
	e.list = append(e.list, edit{from: from, to: to, text: text})
}

func (e *edits) grow(n int) { e.list = slices.Grow(e.list, n) }

func (e *edits) empty() bool { return len(e.list) == 0 }

// apply returns src with the edits made. Behind each run of edits that is not
// at the end of a line, restore gives the text that brings back the position
// of the original byte that follows.
func (e *edits) apply(src []byte, restore func(offset int) string) []byte {
	slices.SortStableFunc(e.list, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	e.list = joinDeferred(e.list)
	const restored = len("/*line :1234:56*/")
	size := len(src)
	for _, ed := range e.list {
		size += len(ed.text) + restored
	}
	out := bytes.NewBuffer(make([]byte, 0, size))
	at := 0
	for i, ed := range e.list {
		out.Write(src[at:ed.from])
		out.WriteString(ed.text)
		at = ed.to
		if next := i + 1; next < len(e.list) && e.list[next].from <= at {
			continue
		}
		if !endsLine(src[at:]) {
			out.WriteString(restore(at))
		}
	}
	out.Write(src[at:])
	return out.Bytes()
}

// joinDeferred makes one defer statement of several at one place, a function
// that defers them. They run in the same order, and each whatever another one
// does. In a function with many returns the compiler keeps a list of what is
// deferred, for several; in one that has a single return it needs none.
func joinDeferred(list []edit) []edit {
	out := list[:0]
	for i := 0; i < len(list); {
		ed := list[i]
		n := 1
		for i+n < len(list) && ed.deferred && list[i+n].deferred && list[i+n].from == ed.from {
			ed.text += list[i+n].text
			n++
		}
		if n > 1 {
			ed.text = "defer func() { " + ed.text + "}(); "
		}
		out = append(out, ed)
		i += n
	}
	return out
}

// endsLine tells whether nothing follows on the line that has a position.
func endsLine(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r")
	return len(rest) == 0 || rest[0] == '\n' || bytes.HasPrefix(rest, []byte("//"))
}

// A lineMap restores positions in a file that may have line directives of its
// own.
type lineMap struct {
	file *token.File
	src  []byte
}

// restore is the directive that gives the byte at offset its position back.
func (m lineMap) restore(offset int) string {
	p := m.file.PositionFor(m.file.Pos(offset), true)
	if p.Column != 0 {
		return "/*line :" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column) + "*/"
	}
	return fmt.Sprintf("/*line %s:%d*/", m.spelled(offset), p.Line)
}

// spelled is the file name of the line directive that governs the offset, as
// the user wrote it: a directive without a column needs the name again, and
// without a name it takes away the one before.
func (m lineMap) spelled(offset int) string {
	for at := offset; at > 0; {
		i := max(bytes.LastIndex(m.src[:at], []byte("//line ")), bytes.LastIndex(m.src[:at], []byte("/*line ")))
		if i < 0 {
			break
		}
		text := m.src[i+len("//line "):]
		if end := bytes.IndexAny(text, "\r\n*"); end >= 0 {
			text = text[:end]
		}
		if colon := bytes.LastIndexByte(text, ':'); colon >= 0 {
			return string(text[:colon])
		}
		at = i
	}
	return m.file.Name()
}
