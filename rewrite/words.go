package rewrite

import (
	"fmt"
	"go/token"
	"os"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// readWords reads a dictionary in the format of AFL and libFuzzer: a word a
// line, in double quotes, with a name in front of it or none; \xNN, \\ and \"
// are a byte, and a line that begins with # is a comment.
func readWords(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var words []string
	var errs annot.Errors
	for i, line := range strings.Split(string(text), "\n") {
		body := strings.TrimSpace(line)
		if body == "" || body[0] == '#' {
			continue
		}
		word, at, problem := parseWord(body)
		if problem != nil {
			problem.Pos = token.Position{Filename: path, Line: i + 1, Column: 1 + strings.Index(line, body) + at}
			errs = append(errs, problem)
			continue
		}
		words = append(words, word)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return words, nil
}

// parseWord is the word of a line, or what is wrong with it and at which byte.
func parseWord(line string) (word string, at int, problem *annot.Error) {
	open := strings.IndexByte(line, '"')
	if open < 0 || len(line) < open+2 || line[len(line)-1] != '"' {
		return "", 0, &annot.Error{Msg: "no word in double quotes", Hint: `write "text" or name="text"`}
	}
	if open > 0 && line[open-1] != '=' {
		return "", 0, &annot.Error{Msg: fmt.Sprintf("%q in front of the word", line[:open]), Hint: `write name="text"`}
	}
	var b strings.Builder
	end := len(line) - 1
	for i := open + 1; i < end; i++ {
		if line[i] == '"' {
			return "", i, &annot.Error{Msg: "a quote in the word", Hint: `write \"`}
		}
		if line[i] != '\\' {
			b.WriteByte(line[i])
			continue
		}
		c, size := unescape(line[i:end])
		if size == 0 {
			return "", i, &annot.Error{Msg: "an unknown escape", Hint: `write \xNN, \\ or \"`}
		}
		b.WriteByte(c)
		i += size - 1
	}
	switch {
	case b.Len() == 0:
		return "", open, &annot.Error{Msg: "an empty word", Hint: "leave the line out"}
	case b.Len() > maxWord:
		return "", open, &annot.Error{Msg: fmt.Sprintf("a word of %d bytes", b.Len()), Hint: fmt.Sprintf("%d are the most", maxWord)}
	}
	return b.String(), 0, nil
}

// unescape is the byte that an escape stands for, and the bytes of it; 0 if it
// is none.
func unescape(s string) (c byte, size int) {
	switch {
	case len(s) >= 2 && (s[1] == '\\' || s[1] == '"'):
		return s[1], 2
	case len(s) >= 4 && s[1] == 'x':
		if v, err := strconv.ParseUint(s[2:4], 16, 8); err == nil {
			return byte(v), 4
		}
	}
	return 0, 0
}
