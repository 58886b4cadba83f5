package cover

import (
	"math"
	"strconv"
	"strings"
)

// bare takes the next word that needs no quotes; it may be empty.
func (r *reader) bare() (word string) {
	word, r.line, _ = strings.Cut(r.line, " ")
	return word
}

// word takes the next word.
func (r *reader) word() (string, error) {
	if r.line == "" {
		return "", r.errorf("the line ends too early")
	}
	if r.line[0] != '"' {
		return r.bare(), nil
	}
	return r.quoted()
}

// quoted takes the word in quotes at the start of the line.
func (r *reader) quoted() (string, error) {
	quote, err := strconv.QuotedPrefix(r.line)
	if err != nil {
		return "", r.errorf("the quotes of %s are not closed", r.line)
	}
	rest := r.line[len(quote):]
	if rest != "" {
		var ok bool
		if rest, ok = strings.CutPrefix(rest, " "); !ok {
			return "", r.errorf("no blank behind %s", quote)
		}
	}
	r.line = rest
	if body := quote[1 : len(quote)-1]; !strings.Contains(body, `\`) {
		return body, nil
	}
	s, err := strconv.Unquote(quote)
	if err != nil {
		return "", r.errorf("%s is no string", quote)
	}
	return s, nil
}

// field takes the next NAME=WORD, or NAME alone.
func (r *reader) field() (name, value string, err error) {
	end := 0
	for end < len(r.line) && r.line[end] != '=' && r.line[end] != ' ' {
		end++
	}
	if end == len(r.line) || r.line[end] == ' ' {
		return r.bare(), "", nil
	}
	name, r.line = r.line[:end], r.line[end+1:]
	value, err = r.word()
	return name, value, err
}

// number takes the next word, a number without a sign.
func (r *reader) number() (uint64, error) {
	digits := r.bare()
	var n uint64
	for k := 0; k < len(digits); k++ {
		d := digits[k] - '0'
		if d > 9 || n > (math.MaxUint64-uint64(d))/10 {
			return 0, r.errorf("%q is no number of hits", digits)
		}
		n = 10*n + uint64(d)
	}
	if digits == "" {
		return 0, r.errorf("no number of hits")
	}
	return n, nil
}

// noMore is an error if there is more on the line.
func (r *reader) noMore() error {
	if r.line != "" {
		return r.errorf("unexpected %q", r.line)
	}
	return nil
}
