package rewrite

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// TestAnalyzer runs the analyzer as a driver of one's own would.
func TestAnalyzer(t *testing.T) {
	dir, cleanup, err := analysistest.WriteFiles(map[string]string{
		"p/p.go": `package p

import "q.test/q"

func F(c *q.Counter, n int) int {
	//ijon:max n ; by c.Value()
	/* want "undefined: nosuch" */ //ijon:max nosuch
	/* want "looks like one .write //ijon:max n." */ // ijon:max n
	/* want "next is called, which may do more than read" */ //ijon:max next()
	/* want "unknown verb mux" */ //ijon:mux n
	//ijon:min n = n
	if n > 0 { /* want "n is another annotation already: min n = n at .*p.go:11:2" */ //ijon:max n = n
		return 1
		/* want "unreachable" */ //ijon:max n
	}
	return 0
}

type T struct {
	n int //ijon:max n
	/* want "undefined: nosuch" */ m int //ijon:max nosuch
}

func (t *T) set() *int {
	t.n = 1
	return /* want "the address of a watched field of T is taken" */ &t.n
}

/* want "cannot stand at package scope" */ //ijon:max n

var last int

func next() int { last++; return last }
`,
		"p/p_test.go": `package p

/* want "test files are not instrumented" */ //ijon:cover tested
func f() {}
`,
		"q.test/q/q.go": `package q

type Counter struct{ n int }

func (c *Counter) Value() int { c.n++; return c.n }
`,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	analysistest.Run(t, dir, Analyzer, "p")
}
