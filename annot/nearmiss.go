package annot

import "strings"

// nearMiss returns the right spelling of a comment that was probably meant as
// a directive but does not have its form, such as // ijon:max x or
// //ijon max x. Other words that begin with ijon (//ijong:) are not ours, nor
// is prose: where a comment reads as either, it is a near miss only if what
// follows the verb parses.
func (c *comment) nearMiss() (right string, ok bool) {
	text := strings.TrimLeft(c.text, blank)
	spaced := text != c.text
	rest := text[len("ijon"):]
	if rest == "" {
		return c.spelled("VERB ARG"), !spaced
	}
	after, colon := cutColon(rest, spaced)
	word := strings.TrimLeft(after, blank)
	tight := colon && word == after
	verb := verbWord(word)
	args := word[len(verb):]
	rule := findVerb(strings.ToLower(verb))
	if rule == nil && tight {
		rule = findVerb(nearest(verb, verbNames()))
	}
	if rule == nil || args != "" && !strings.ContainsRune(blank+";", rune(args[0])) {
		return "", false
	}
	right = c.spelled(string(rule.verb) + args)
	switch {
	case !colon && (spaced || after == rest):
		return "", false // "// ijon max x", "//ijonmax"
	case colon && !spaced:
		return right, true
	default:
		return right, parses(string(rule.verb) + args)
	}
}

// cutColon returns what follows the colon, or the white space that stands in
// for it, behind our name. A word may be tied to the name with a hyphen, as
// in //ijon-go:max x.
func cutColon(rest string, spaced bool) (after string, colon bool) {
	tail := rest
	if tail[0] == '-' && !spaced {
		tail = tail[len(verbWord(tail)):]
	}
	if after, ok := strings.CutPrefix(strings.TrimLeft(tail, blank), ":"); ok {
		return after, true
	}
	if !spaced && strings.ContainsRune(".,;=-/", rune(rest[0])) {
		return rest[1:], false // a slip of the finger
	}
	return strings.TrimLeft(rest, blank), false
}

// parses reports whether text is a complete directive, from VERB on.
func parses(text string) bool {
	p := newParser("", []byte(text))
	return p.directive(span{0, len(text)}) != nil
}
