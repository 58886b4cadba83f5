package lines

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"

	"github.com/ijongo/ijongo/cover"
)

// doctype is what Cobertura's own reports begin with.
const doctype = `<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">` + "\n"

// The elements of coverage-04.dtd. A class is a file, as Go has none.
type (
	xmlCoverage struct {
		XMLName xml.Name `xml:"coverage"`
		xmlRates
		LinesCovered    int          `xml:"lines-covered,attr"`
		LinesValid      int          `xml:"lines-valid,attr"`
		BranchesCovered int          `xml:"branches-covered,attr"`
		BranchesValid   int          `xml:"branches-valid,attr"`
		Complexity      int          `xml:"complexity,attr"`
		Version         string       `xml:"version,attr"`
		Timestamp       int64        `xml:"timestamp,attr"`
		Sources         []string     `xml:"sources>source"`
		Packages        []xmlPackage `xml:"packages>package"`
	}
	xmlPackage struct {
		Name string `xml:"name,attr"`
		xmlRates
		Complexity int        `xml:"complexity,attr"`
		Classes    []xmlClass `xml:"classes>class"`
	}
	xmlClass struct {
		Name     string `xml:"name,attr"`
		Filename string `xml:"filename,attr"`
		xmlRates
		Complexity int        `xml:"complexity,attr"`
		Methods    xmlMethods `xml:"methods"`
		Lines      xmlLines   `xml:"lines"`
	}
	xmlMethods struct {
		Method []xmlMethod `xml:"method"`
	}
	xmlMethod struct {
		Name      string `xml:"name,attr"`
		Signature string `xml:"signature,attr"`
		xmlRates
		Complexity int      `xml:"complexity,attr"`
		Lines      xmlLines `xml:"lines"`
	}
	xmlLines struct {
		Line []xmlLine `xml:"line"`
	}
	xmlLine struct {
		Number    int    `xml:"number,attr"`
		Hits      uint64 `xml:"hits,attr"`
		Branch    bool   `xml:"branch,attr"`
		Condition string `xml:"condition-coverage,attr,omitempty"`
	}
	xmlRates struct {
		LineRate   string `xml:"line-rate,attr"`
		BranchRate string `xml:"branch-rate,attr"`
	}
)

// WriteCobertura writes the edges of a profile as Cobertura's XML, of the
// structure of its coverage-04.dtd. The function where tells the path of a file
// that the profile names; nil leaves the names as they are. root is the folder
// that the paths are relative to. The time stamp is 0, so that equal profiles
// are written alike.
func WriteCobertura(w io.Writer, p *cover.Profile, root string, where func(name string) string) error {
	list, err := files(p, where)
	if err != nil {
		return err
	}
	var all tally
	c := xmlCoverage{Version: "ijongo", Sources: []string{root}}
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].pkg == list[0].pkg {
			n++
		}
		for _, f := range list[:n] {
			all.add(f.lines)
		}
		c.Packages = append(c.Packages, packageOf(list[:n]))
		list = list[n:]
	}
	c.xmlRates = all.rates()
	c.LinesCovered, c.LinesValid, c.BranchesCovered, c.BranchesValid = all.linesHit, all.lines, all.branchesHit, all.branches
	if _, err := io.WriteString(w, xml.Header+doctype); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "\t")
	if err := e.Encode(&c); err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n")
	return err
}

func packageOf(list []*file) xmlPackage {
	var t tally
	pkg := xmlPackage{Name: list[0].pkg}
	for _, f := range list {
		t.add(f.lines)
		var own tally
		own.add(f.lines)
		class := xmlClass{Name: path.Base(f.path), Filename: f.path, xmlRates: own.rates(), Lines: linesOf(f.lines)}
		for _, fn := range f.funcs {
			var t tally
			t.add(fn.lines)
			class.Methods.Method = append(class.Methods.Method, xmlMethod{Name: fn.name, Signature: "()", xmlRates: t.rates(), Lines: linesOf(fn.lines)})
		}
		pkg.Classes = append(pkg.Classes, class)
	}
	pkg.xmlRates = t.rates()
	return pkg
}

func linesOf(list []*line) (x xmlLines) {
	for _, l := range list {
		out := xmlLine{Number: l.number, Hits: l.hits}
		if n := len(l.branches); n > 0 {
			hit := l.branchesHit()
			out.Branch, out.Condition = true, fmt.Sprintf("%d%% (%d/%d)", 100*hit/n, hit, n)
		}
		x.Line = append(x.Line, out)
	}
	return x
}

func (t *tally) rates() xmlRates {
	return xmlRates{rate(t.linesHit, t.lines), rate(t.branchesHit, t.branches)}
}

// rate is 1 for none, as in Cobertura's own reports.
func rate(part, of int) string {
	if of == 0 {
		return "1"
	}
	return fmt.Sprintf("%.4g", float64(part)/float64(of))
}
