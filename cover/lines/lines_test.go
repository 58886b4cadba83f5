package lines

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/cover"
)

// stack is the edges of two packages, one of which lies in the folder of the
// other.
func stack() *cover.Profile {
	return &cover.Profile{Edges: []*cover.Edge{
		{Package: "m", Func: "(*T).Push", Kind: "func", Pos: "a.go:5:26", Hits: 7},
		{Package: "m", Func: "(*T).Push", Kind: "then", Pos: "a.go:7:13", Hits: 0},
		{Package: "m", Func: "(*T).Push", Kind: "else", Pos: "a.go:7:3", Hits: 7},
		{Package: "m", Func: "(*T).Push.func", Kind: "func", Pos: "a.go:11:14", Hits: 0},
		{Package: "m", Func: "(*T).Push.func", Kind: "loop", Pos: "a.go:12:14", Hits: 0},
		{Package: "m", Func: "(*T).Push.func", Kind: "func", Pos: "a.go:20:14", Hits: 2},
		{Package: "m/b", Func: "F[K, V]", Kind: "func", Pos: "b/b.go:3:10", Hits: 1},
		{Package: "m", Func: "Peek", Kind: "then", Pos: "z.go:8:10", Hits: 3},
		{Package: "m", Func: "Peek", Kind: "else", Pos: "z.go:7:3", Hits: 5},
		{Package: "m", Func: "Pop", Kind: "func", Pos: "z.go:1:10", Hits: 0},
	}}
}

func TestLCOV(t *testing.T) {
	var b strings.Builder
	if err := WriteLCOV(&b, stack(), nil); err != nil {
		t.Fatal(err)
	}
	want := `TN:
SF:a.go
FN:5,(*T).Push
FN:11,(*T).Push.func11
FN:20,(*T).Push.func20
FNDA:7,(*T).Push
FNDA:0,(*T).Push.func11
FNDA:2,(*T).Push.func20
FNF:3
FNH:2
BRDA:7,0,0,0
BRDA:7,0,1,7
BRDA:12,0,0,0
BRF:3
BRH:1
DA:5,7
DA:7,7
DA:11,0
DA:12,0
DA:20,2
LF:5
LH:3
end_of_record
`
	if got, _, _ := strings.Cut(b.String(), "TN:\nSF:z.go"); got != want {
		t.Errorf("got\n%s", got)
	}
	if want := "FN:1,Pop\nFN:7,Peek\nFNDA:0,Pop\nFNDA:5,Peek\n"; !strings.Contains(b.String(), want) {
		t.Errorf("no %s in\n%s", want, b.String())
	}
	if err := checkLCOV(b.String()); err != nil {
		t.Error(err)
	}
}

// checkLCOV reads a tracefile by the grammar of geninfo(1) and checks its sums.
func checkLCOV(text string) error {
	sum := make(map[string]int)
	names := make(map[string]bool)
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		tag, rest, _ := strings.Cut(s.Text(), ":")
		f := strings.Split(rest, ",")
		hit := func(s string) int {
			if s == "0" || s == "-" {
				return 0
			}
			return 1
		}
		switch tag {
		case "TN", "SF":
		case "FN":
			if _, err := strconv.Atoi(f[0]); err != nil || names[rest[len(f[0]):]] {
				return fmt.Errorf("%s: no line, or the name is taken", s.Text())
			}
			names[rest[len(f[0]):]] = true
			sum["FNF"]++
		case "FNDA":
			if !names[rest[len(f[0]):]] {
				return fmt.Errorf("%s: no such function", s.Text())
			}
			sum["FNH"] += hit(f[0])
		case "BRDA":
			if len(f) != 4 {
				return errors.New(s.Text())
			}
			sum["BRF"]++
			sum["BRH"] += hit(f[3])
		case "DA":
			if len(f) != 2 {
				return errors.New(s.Text())
			}
			sum["LF"]++
			sum["LH"] += hit(f[1])
		case "FNF", "FNH", "BRF", "BRH", "LF", "LH":
			if rest != strconv.Itoa(sum[tag]) {
				return fmt.Errorf("%s, counted %d", s.Text(), sum[tag])
			}
		case "end_of_record":
			clear(sum)
			clear(names)
		default:
			return fmt.Errorf("unknown line %s", s.Text())
		}
	}
	if len(sum) > 0 {
		return errors.New("the last record is open")
	}
	return nil
}

func TestCobertura(t *testing.T) {
	var b strings.Builder
	if err := WriteCobertura(&b, stack(), ".", nil); err != nil {
		t.Fatal(err)
	}
	if err := checkDTD(b.String()); err != nil {
		t.Errorf("%v in\n%s", err, b.String())
	}
	for _, want := range []string{
		`<coverage line-rate="0.6667" branch-rate="0.6" lines-covered="6" lines-valid="9" branches-covered="3" branches-valid="5" `,
		`<package name="m" line-rate="0.625" branch-rate="0.6" complexity="0">`,
		`<class name="a.go" filename="a.go" line-rate="0.6" branch-rate="0.3333" complexity="0">`,
		`<method name="(*T).Push" signature="()" line-rate="1" branch-rate="0.5" complexity="0">`,
		`<line number="7" hits="7" branch="true" condition-coverage="50% (1/2)"></line>`,
		`<method name="F[K, V]" `,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	if n := strings.Count(b.String(), "<package "); n != 2 {
		t.Errorf("%d packages", n)
	}
}

// element is a declaration of coverage-04.dtd: its children in order, each of
// which may be repeated where it ends in *, and the attributes it requires.
type element struct{ children, attributes []string }

var dtd = map[string]element{
	"coverage":   {[]string{"sources", "packages"}, []string{"line-rate", "branch-rate", "lines-covered", "lines-valid", "branches-covered", "branches-valid", "complexity", "version", "timestamp"}},
	"sources":    {[]string{"source*"}, nil},
	"source":     {},
	"packages":   {[]string{"package*"}, nil},
	"package":    {[]string{"classes"}, []string{"name", "line-rate", "branch-rate", "complexity"}},
	"classes":    {[]string{"class*"}, nil},
	"class":      {[]string{"methods", "lines"}, []string{"name", "filename", "line-rate", "branch-rate", "complexity"}},
	"methods":    {[]string{"method*"}, nil},
	"method":     {[]string{"lines"}, []string{"name", "signature", "line-rate", "branch-rate", "complexity"}},
	"lines":      {[]string{"line*"}, nil},
	"line":       {nil, []string{"number", "hits"}},
	"conditions": {[]string{"condition*"}, nil},
}

// optional attributes of the DTD.
var optional = []string{"branch", "condition-coverage"}

// checkDTD checks a document against the declarations above.
func checkDTD(text string) error {
	type open struct {
		name string
		seen []string
	}
	stack := []open{{name: ""}}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			decl, ok := dtd[name]
			if !ok {
				return fmt.Errorf("no element %s", name)
			}
			var names []string
			for _, a := range token.Attr {
				names = append(names, a.Name.Local)
				if !slices.Contains(decl.attributes, a.Name.Local) && !(name == "line" && slices.Contains(optional, a.Name.Local)) {
					return fmt.Errorf("no attribute %s of %s", a.Name.Local, name)
				}
			}
			for _, a := range decl.attributes {
				if !slices.Contains(names, a) {
					return fmt.Errorf("%s lacks %s", name, a)
				}
			}
			top := &stack[len(stack)-1]
			top.seen = append(top.seen, name)
			stack = append(stack, open{name: name})
		case xml.EndElement:
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if err := checkChildren(top.name, top.seen, dtd[top.name].children); err != nil {
				return err
			}
		}
	}
}

func checkChildren(name string, seen, want []string) error {
	for _, w := range want {
		if each, many := strings.CutSuffix(w, "*"); many {
			for len(seen) > 0 && seen[0] == each {
				seen = seen[1:]
			}
		} else if len(seen) == 0 || seen[0] != w {
			return fmt.Errorf("%s has %v where %s belongs", name, seen, w)
		} else {
			seen = seen[1:]
		}
	}
	if len(seen) > 0 {
		return fmt.Errorf("%s has %v too many", name, seen)
	}
	return nil
}

func TestPaths(t *testing.T) {
	where := func(name string) string { return "/src/" + name }
	var lcov, cobertura strings.Builder
	if err := WriteLCOV(&lcov, stack(), where); err != nil {
		t.Fatal(err)
	}
	if err := WriteCobertura(&cobertura, stack(), ".", where); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(lcov.String(), "SF:/src/b/b.go\n") || !strings.Contains(cobertura.String(), `name="b.go" filename="/src/b/b.go"`) {
		t.Errorf("got\n%s\n%s", lcov.String(), cobertura.String())
	}
}

func TestBadPosition(t *testing.T) {
	p := &cover.Profile{Edges: []*cover.Edge{{Kind: "func", Pos: "a.go"}}}
	if err := WriteLCOV(io.Discard, p, nil); err == nil || !strings.Contains(err.Error(), `an edge is at "a.go", which is no file:line:col`) {
		t.Errorf("LCOV: %v", err)
	}
	if err := WriteCobertura(io.Discard, p, ".", nil); err == nil {
		t.Error("Cobertura accepts it")
	}
}
