package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/ijongo/ijongo/cover"
)

// Data is what a report shows. All but Profile may be left out.
type Data struct {
	Title    string // what was run: the name of a target, or package patterns
	Profile  *cover.Profile
	Samples  []Sample  // of the campaign, in order of time
	Failures []Failure // that it found

	// Command is the command that runs again what hit a bin first: the file of
	// an input, or a test. It is empty where there is none.
	Command func(first string) string

	// Source is the text of a file, by the name that positions in the profile
	// have for it. The report says why where there is an error.
	Source func(file string) ([]byte, error)
}

// A Sample is the state of a campaign at one moment.
type Sample struct {
	Elapsed  time.Duration // since the campaign began
	Runs     uint64
	Failures int
	Counts   []Count // of what grows, by channel: corpus, edges, cells, …
	Best     []Best  // of each max-like annotation
	Arms     []Arm
}

// A Count is how much there is of something in a channel.
type Count struct {
	Name string
	N    uint64
}

// Best is the best value of an annotation so far.
type Best struct {
	Verb, Name string
	Value      string // as the campaign shows it: a number, or "gap " and one
}

// An Arm is one way of making inputs and its share of the cost, 0 to 1.
type Arm struct {
	Name  string
	Share float64
}

// A Failure is one way in which the target failed.
type Failure struct {
	Title    string   // one line: the oracle, or the fault and its place
	Key      string   // that tells it from others
	Note     string   // how often it fails again, how long the input is
	Text     string   // what was violated, or the stack
	Command  string   // that replays it
	Timeline []string // what happened, a line for each event
}

// Write writes the report to w.
func Write(w io.Writer, d Data) error {
	p, err := newPage(&d)
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(w, "page.html", p)
}

//go:embed assets/page.html assets/parts.html assets/css/*.css assets/js/*.js assets/uplot/*
var assets embed.FS

var pages = template.Must(template.New("report").Funcs(template.FuncMap{
	"count":    count,
	"hits":     hits,
	"duration": duration,
	"percent":  percent,
}).ParseFS(assets, "assets/*.html"))

// A bundle is the style and the scripts of a page.
type bundle struct {
	Style  template.CSS
	Charts template.JS // the library, empty where there is nothing to draw
	Script template.JS
	Policy string // of the page: no requests, no script but these
}

// newBundle reads the assets; that of charts only if the page has some.
func newBundle(charts bool) (b bundle, err error) {
	read := func(names ...string) string {
		var text strings.Builder
		for _, name := range names {
			part, readErr := assets.ReadFile("assets/" + name)
			if readErr != nil {
				err = readErr
			}
			text.Write(part)
		}
		return text.String()
	}
	style := read("css/base.css", "css/parts.css", "css/charts.css")
	if charts {
		style += read("uplot/uPlot.min.css")
		b.Charts = template.JS("/*!\n" + read("uplot/LICENSE") + "*/\n" + read("uplot/uPlot.iife.min.js"))
	}
	b.Style = template.CSS(style)
	b.Script = template.JS(read("js/dom.js", "js/theme.js", "js/search.js", "js/heat.js", "js/charts.js", "js/keys.js"))
	b.Policy = "default-src 'none'; style-src 'unsafe-inline'; script-src " + hashOf(b.Charts) + " " + hashOf(b.Script)
	return b, err
}

// hashOf is the source expression of a policy that allows this script.
func hashOf(script template.JS) string {
	sum := sha256.Sum256([]byte(script))
	return fmt.Sprintf("'sha256-%s'", base64.StdEncoding.EncodeToString(sum[:]))
}
