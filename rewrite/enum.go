package rewrite

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
)

// constants are the constants of a named type that package p can name, in the
// order of the source. The first of those with equal values stands for all.
func (prog *program) constants(p *types.Package, named *types.Named) []*types.Const {
	home := named.Obj().Parent() // the scope of the package, or of a function
	if home == nil {
		return nil
	}
	var found []*types.Const
	collect := func(scope *types.Scope) {
		for _, name := range scope.Names() {
			c, ok := scope.Lookup(name).(*types.Const)
			if ok && name != "_" && (c.Pkg() == p || c.Exported()) && types.Identical(c.Type(), named) {
				found = append(found, c)
			}
		}
	}
	collect(home)
	if p.Scope() != home {
		collect(p.Scope())
	}
	at := func(c *types.Const) token.Position { return prog.fset.PositionFor(c.Pos(), false) }
	slices.SortStableFunc(found, func(a, b *types.Const) int {
		x, y := at(a), at(b)
		return cmp.Or(cmp.Compare(b2i(a.Pkg() == p), b2i(b.Pkg() == p)), cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(found, func(c *types.Const) bool {
		v := c.Val().ExactString()
		again := seen[v]
		seen[v] = true
		return again
	})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sentinel finds the constant that counts or ends an enumeration, or nil: it
// is an integer, one more than the next smaller one, declared last, and its
// name says so. Its first word is num, n, number, max, end, last, count or
// sentinel, or its last word is count, max, end, num, last or sentinel. With
// max, end and last it is a value like others when another constant has the
// opposite word: min, start, begin or first.
func sentinel(list []*types.Const) *types.Const {
	if len(list) < 2 {
		return nil
	}
	last := list[len(list)-1]
	if last.Val().Kind() != constant.Int {
		return nil
	}
	var below constant.Value
	for _, c := range list[:len(list)-1] {
		switch {
		case !less(c.Val(), last.Val()):
			return nil
		case below == nil || less(below, c.Val()):
			below = c.Val()
		}
	}
	next := constant.BinaryOp(below, token.ADD, constant.MakeInt64(1))
	if !equal(next, last.Val()) || !saysEnd(last.Name(), list[:len(list)-1]) {
		return nil
	}
	return last
}

// opposites are the words that make a bound of a word that may end a list.
var opposites = map[string][]string{
	"max":  {"min"},
	"end":  {"start", "begin", "beg"},
	"last": {"first"},
}

func saysEnd(name string, others []*types.Const) bool {
	w := words(name)
	first, last := w[0], w[len(w)-1]
	word := ""
	switch {
	case slices.Contains([]string{"num", "n", "number", "max", "end", "last", "count", "sentinel"}, first) && len(w) > 1:
		word = first
	case slices.Contains([]string{"count", "max", "end", "num", "last", "sentinel"}, last):
		word = last
	default:
		return false
	}
	return !slices.ContainsFunc(others, func(c *types.Const) bool {
		return slices.ContainsFunc(words(c.Name()), func(w string) bool { return slices.Contains(opposites[word], w) })
	})
}

// words splits a name at underscores and where a capital begins a word, and
// makes the words lower case.
func words(name string) []string {
	var list []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' }) {
		runes := []rune(part)
		start := 0
		for i := 1; i < len(runes); i++ {
			begins := unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
			if begins {
				list = append(list, strings.ToLower(string(runes[start:i])))
				start = i
			}
		}
		list = append(list, strings.ToLower(string(runes[start:])))
	}
	if len(list) == 0 {
		return []string{""}
	}
	return list
}
