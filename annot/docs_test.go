package annot_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/annot"
)

// pageBlocks joins the fenced blocks of a page that are in one language.
func pageBlocks(page []byte, language string) (text string) {
	for _, m := range regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$").FindAllSubmatch(page, -1) {
		if string(m[1]) == language {
			text += string(m[2]) + "\n"
		}
	}
	return text
}

// TestPageOfCoverageLanguage parses the examples of
// docs/coverage-language.md: there is one for every verb, clause and form of
// bins. Whether they can be injected is for package rewrite to test.
func TestPageOfCoverageLanguage(t *testing.T) {
	page, err := os.ReadFile("../docs/coverage-language.md")
	if err != nil {
		t.Fatal(err)
	}
	src := []byte(pageBlocks(page, "go"))
	fset, file := parseGo(t, "page.go", src)
	placed, errs := annot.ParseFile(fset, file, src)
	_, ungrouped := annot.Groups(placed)
	sidecar, faults := annot.ParseSidecar("page.ijon", []byte(pageBlocks(page, "ijon")))
	_, alone := sidecar.Packages[0].Groups()
	for _, list := range []annot.Errors{errs, ungrouped, faults, alone} {
		if len(list) > 0 {
			t.Error(list)
		}
	}
	var all strings.Builder
	for _, p := range placed {
		all.WriteString(p.Text + "\n")
	}
	for _, form := range []string{"^group ", "^point ", "^cross ", "^trans ", "^seq ", "; sample exit ", "; at entry", "; by ", "; if ",
		"; bins enum -", "; bins bool", `; bins log2( ;|$)`, `; bins log2 \d`, `; bins each `, `; bins \.\.\d`, `\d\.\.( |$)`, `"\d\.\."`,
		`; bins '`, `; bins "`, `; bins \w+: .* \| `, "; ignore ", "; never ", "; other", ": all", `\[\*`, `\[->`, `@a\*`, "=>", "~>", "~> !",
		"; atleast ", "; weight ", "; goal ", "; rare", "; doc "} {
		if !regexp.MustCompile("(?m)" + form).MatchString(all.String()) {
			t.Errorf("no example of %s", form)
		}
	}
}

// TestTablesOfCoverageLanguage checks that the tests which the tables of
// docs/coverage-language.md name are there, and that every construct has one
// that is not left out.
func TestTablesOfCoverageLanguage(t *testing.T) {
	page, err := os.ReadFile("../docs/coverage-language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, ok := strings.Cut(string(page), "## In the words of IEEE 1800")
	if !ok {
		t.Fatal("no tables")
	}
	rows := 0
	for _, line := range strings.Split(tables, "\n") {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, ""), "|")
		if len(cells) != 5 || strings.HasPrefix(cells[1], "---") || strings.Contains(cells[3], " test ") {
			continue
		}
		rows++
		scripts := strings.Fields(strings.NewReplacer("`", "", ",", "").Replace(cells[3]))
		none := regexp.MustCompile("left out|not needed|not the running program").MatchString(cells[2])
		if none == (len(scripts) > 0) {
			t.Errorf("%s: %d tests", cells[1], len(scripts))
		}
		for _, script := range scripts {
			if _, err := os.Stat("../testdata/script/" + script + ".txtar"); err != nil {
				t.Errorf("%s: %v", cells[1], err)
			}
		}
	}
	if rows < 40 {
		t.Errorf("only %d rows", rows)
	}
}
