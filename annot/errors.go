package annot

import (
	"go/token"
	"sort"
	"strings"
)

// An Error is one fault in a directive or a sidecar file.
type Error struct {
	Pos     token.Position // physical position: //line directives are not applied; Column counts bytes
	Msg     string         // what is wrong
	Hint    string         // what to write instead; may be empty
	Warning bool           // the program can still be built, without this annotation
}

// Error is "file:line:col: msg (hint)", with "warning: " before the message
// of a warning.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Pos.String())
	b.WriteString(": ")
	if e.Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(e.Text())
	return b.String()
}

// Text is "msg (hint)".
func (e *Error) Text() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + " (" + e.Hint + ")"
}

// Errors are the faults of one or several files. An empty list is not an
// error: test the length before returning one as an error.
type Errors []*Error

// Error has one fault a line, sorted by position.
func (es Errors) Error() string {
	sorted := append(Errors(nil), es...)
	sorted.Sort()
	lines := make([]string, len(sorted))
	for i, e := range sorted {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Fatal reports whether anything in the list forbids writing output: an
// error, or with strict a warning too.
func (es Errors) Fatal(strict bool) bool {
	for _, e := range es {
		if strict || !e.Warning {
			return true
		}
	}
	return false
}

// Sort orders the list by file, line and column, keeping the order of faults
// at one position.
func (es Errors) Sort() {
	sort.SliceStable(es, func(i, j int) bool {
		a, b := es[i].Pos, es[j].Pos
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
}
