package mutant

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/annot"
)

func TestParse(t *testing.T) {
	const rules = `# Two faults.
mutant one
# lacks: a clock
file a.go
find "x\ty"
replace ` + "`z`" + `

mutant two
file a.go
# A comment anywhere.
# lacks: nothing, because it is not behind the name
find "a"
replace "b"
	file sub/b.go
find "c"
replace ""
`
	ms, err := Parse("rules", strings.NewReader(rules))
	if err != nil {
		t.Fatal(err)
	}
	if len(ms) != 2 || ms[0].Name != "one" || ms[0].Lacks != "a clock" || ms[1].Lacks != "" || len(ms[1].Edits) != 2 {
		t.Fatalf("parsed %+v", ms)
	}
	if e := ms[0].Edits[0]; e.File != "a.go" || e.Find != "x\ty" || e.Replace != "z" {
		t.Errorf("parsed %+v", e)
	}
	if e := ms[1].Edits[1]; e.File != "sub/b.go" || e.findPos.String() != "rules:15:6" {
		t.Errorf("parsed %+v", e)
	}
	if got := ms[1].Pos.String(); got != "rules:8:8" {
		t.Errorf("two is at %s", got)
	}
}

func TestParseFaults(t *testing.T) {
	tests := []struct{ name, rules, want string }{
		{"no name", "mutant\nfile a\nfind `a`\nreplace `b`", `r:1:7: "" is no name`},
		{"two words", "mutant a b\nfile a\nfind `a`\nreplace `b`", `r:1:8: "a b" is no name`},
		{"name taken", "mutant a\nfile a\nfind `a`\nreplace `b`\nmutant a\nfile a\nfind `a`\nreplace `b`", "r:5:8: the name a is taken at line 1"},
		{"no edit", "mutant a\n\nmutant b\nfile a\nfind `a`\nreplace `b`", "r:1:8: mutant a has no edit"},
		{"no edit at the end", "mutant a", "r:1:8: mutant a has no edit"},
		{"half an edit", "mutant a\nfile a\nfind `a`", "r:3:1: an edit ends with find"},
		{"out of order", "mutant a\nfind `a`\nfile a\nreplace `b`", "r:2:1: find behind mutant"},
		{"find twice", "mutant a\nfile a\nfind `a`\n  find `b`", "r:4:3: find behind find"},
		{"nothing before", "file a", "r:1:1: file without a mutant"},
		{"word", "mutant a\nchange b", `r:2:1: unknown word "change"`},
		{"quotes", "mutant a\nfile a\nfind a\nreplace `b`", "r:3:6: find needs one Go string"},
		{"rune", "mutant a\nfile a\nfind `a`\nreplace 'b'", "r:4:9: replace needs one Go string"},
		{"more behind", "mutant a\nfile a\nfind `a` b\nreplace `b`", "r:3:6: find needs one Go string"},
		{"nothing to find", "mutant a\nfile a\nfind \"\"\nreplace `b`", "r:3:6: nothing to find"},
		{"outside", "mutant a\nfile ../a\nfind `a`\nreplace `b`", `r:2:6: "../a" is no path`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("r", strings.NewReader(test.rules))
			var errs annot.Errors
			if !errors.As(err, &errs) || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if len(errs) != 1 {
				t.Errorf("%d faults are reported: %v", len(errs), errs)
			}
		})
	}
}

func TestApply(t *testing.T) {
	edits := func(lines ...string) string { return "mutant a\n" + strings.Join(lines, "\n") }
	tests := []struct{ name, rules, want, err string }{
		{"one", edits("file sub/x", "find `b`", "replace `B`"), "aBca", ""},
		{"two, the second in what the first wrote", edits("file sub/x", "find `b`", "replace `d`", "file sub/x", "find `dc`", "replace ``"), "aa", ""},
		{"missing", edits("file sub/x", "find `b`", "replace `B`", "file sub/x", "find `b`", "replace `B`"), "abca", "r:6:6: found 0 times in sub/x (write a string that is there exactly once)"},
		{"twice", edits("file sub/x", "find `a`", "replace `B`"), "abca", "r:3:6: found 2 times in sub/x (write a string that is there exactly once)"},
		{"twice, overlapping", edits("file sub/x", "find `c`", "replace `xyx`", "file sub/x", "find `b`", "replace `xy`", "file sub/x", "find `xyx`", "replace ``"), "abca", "r:9:6: found 2 times in sub/x (write a string that is there exactly once)"},
		{"no file", edits("file sub/x", "find `b`", "replace `B`", "file y", "find `a`", "replace `B`"), "abca", "r:5:6: the module has no file y (write a path relative to its root)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ms, err := Parse("r", strings.NewReader(test.rules))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "sub", "x")
			if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("abca"), 0o444)); err != nil {
				t.Fatal(err)
			}
			if err := ms[0].Apply(dir); err == nil && test.err != "" || err != nil && err.Error() != test.err {
				t.Errorf("got %v, want %q", err, test.err)
			}
			if got, _ := os.ReadFile(path); string(got) != test.want {
				t.Errorf("the file is %q, want %q", got, test.want)
			}
		})
	}
}
