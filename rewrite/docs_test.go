package rewrite

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ijongo/ijongo"
)

// block finds a fenced block of a page, with its language.
var block = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// blocks joins the blocks of each language of a page.
func blocks(t *testing.T, page string) (text map[string]string) {
	t.Helper()
	src, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text = map[string]string{}
	for _, m := range block.FindAllStringSubmatch(string(src), -1) {
		text[m[1]] += m[2] + "\n"
	}
	return text
}

// TestPageOfAnnotations instruments the examples of docs/annotations.md: there
// is one for every verb and clause, and nothing to complain of.
func TestPageOfAnnotations(t *testing.T) {
	text := instrumentPage(t, "../docs/annotations.md")
	all := text["go"] + text["ijon"]
	for _, verb := range strings.Fields("max min set inc state action ctx xor dist cmp bits strdist stackmax stackmin cover always sometimes maybe reachable unreachable off on skip") {
		if !regexp.MustCompile("(//ijon:| : )" + verb + `\b`).MatchString(all) {
			t.Errorf("no example of %s", verb)
		}
	}
	for _, clause := range strings.Fields("if by at until cap observe rare atleast weight goal pure doc") {
		if !regexp.MustCompile("; ?" + clause + `\b`).MatchString(all) {
			t.Errorf("no example of the clause %s", clause)
		}
	}
}

// TestPageOfCoverage instruments the examples of docs/coverage-language.md.
// That there is one of everything is tested in package annot.
func TestPageOfCoverage(t *testing.T) { instrumentPage(t, "../docs/coverage-language.md") }

// instrumentPage instruments the examples of a page, which must give no cause
// for complaint, and returns them by language.
func instrumentPage(t *testing.T, page string) (text map[string]string) {
	t.Helper()
	text = blocks(t, page)
	dir := t.TempDir()
	for name, data := range map[string]string{
		"go.mod":    "module example.com/raft\n\ngo 1.21\n",
		"raft.go":   text["go"],
		"raft.ijon": text["ijon"],
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := NewPlan(context.Background(), Config{Dir: dir, Patterns: []string{"."}, Sidecars: []string{"raft.ijon"}, Target: ijongo.Target})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Faults) > 0 {
		t.Error(plan.Faults)
	}
	return text
}
