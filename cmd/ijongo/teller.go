package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/wire"
	"github.com/ijongo/ijongo/rewrite"
)

// A teller tells the user of a campaign: lines on stderr, or JSON on stdout.
type teller struct {
	target         *target
	stdout, stderr io.Writer
	json           bool
	why            bool // print at the end what the annotations have brought
	atOnce         bool // print failures when they are found, not at the end
	warned         bool
	err            error // of writing
}

// start says in JSON what begins; the lines on stderr have said it already.
func (o *teller) start(c *campaign.Config, m *rewrite.Manifest) {
	if !o.json {
		return
	}
	o.line("start", struct {
		Target, Package, Dir  string
		Engine                string `json:",omitempty"`
		Seed                  uint64
		Workers               int
		Feedback              []string
		Goal                  string `json:",omitempty"`
		Counters, Annotations int
	}{o.target.name, o.target.pkg.ImportPath, o.target.dir, c.AFL.Name(), c.Seed, c.Workers, c.Feedback, c.Goal, len(m.Counters), m.Annotated()})
}

func (o *teller) progress(p campaign.Progress) {
	if o.json {
		o.line("progress", p)
	} else {
		fmt.Fprintln(o.stderr, p)
	}
	const enough = 200 // second runs
	if !o.warned && p.Checked >= enough && p.Steady() < steadyShare {
		o.warned = true
		o.target.logf("only %.0f %% of second runs give the same feedback as the first: the target draws on something besides its input; what differs: %s",
			100*p.Steady(), strings.Join(p.Wobbling, ", "))
	}
}

func (o *teller) line(kind string, v any) {
	text, err := json.Marshal(struct {
		Type string
		Data any
	}{kind, v})
	if err == nil {
		_, err = fmt.Fprintf(o.stdout, "%s\n", text)
	}
	if o.err == nil {
		o.err = err
	}
}

func (o *teller) failed(f *campaign.Failure) {
	if o.json {
		o.failure("found", f)
	}
	what := "failure"
	if f.Fault == wire.Violated {
		what = "violated"
	}
	then := ""
	if f.Shrinks() {
		then = fmt.Sprintf("; minimising %d %s", f.Size, f.Unit())
	}
	o.target.logf("%s: %s (again in %s runs)%s", what, f.Key, f.Rate(), then)
}

func (o *teller) minimized(f *campaign.Failure) {
	if o.json || o.atOnce {
		o.show(f)
	}
}

// failure tells in JSON of a failure: "found" as it was found, "failure" when it
// has been minimised.
func (o *teller) failure(kind string, f *campaign.Failure) {
	o.line(kind, struct {
		*campaign.Failure
		Text, File, GoFile string
	}{f, f.Text, filepath.Join(f.Dir, "input"), f.GoFile})
}

// show prints all that is to know about a failure.
func (o *teller) show(f *campaign.Failure) {
	file := filepath.Join(f.Dir, "input")
	if o.json {
		o.failure("failure", f)
		return
	}
	fmt.Fprintf(o.stdout, "--- FAIL: %s: %s\n%s\n\n", o.target.name, f.Key, indent(f.Text))
	what := "input:   "
	if f.Events {
		what = "schedule:"
	}
	fmt.Fprintf(o.stdout, "    %s %s, %d before it was minimised\n", what, plural(f.Size, strings.TrimSuffix(f.Unit(), "s"), f.Unit()), f.Found)
	if f.Flaky() {
		fmt.Fprintf(o.stdout, "    flaky:    fails in %s runs\n", f.Rate())
	}
	fmt.Fprintf(o.stdout, "    file:     %s\n", near(file))
	if f.GoFile != "" && !f.InCopy {
		fmt.Fprintf(o.stdout, "    go test:  %s -run=%s/%s\n", goTest(o.target.pkg.Dir), o.target.name, f.Name)
	}
	fmt.Fprintf(o.stdout, "    replay:   %s replay %s\n", self(), near(file))
}

// goTest is the command that tests the package in dir, from here.
func goTest(dir string) string {
	if wd, err := os.Getwd(); err == nil && wd == dir {
		return "go test"
	}
	return "go -C " + near(dir) + " test"
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}

// doubts names the annotations that do not say what they should.
func (o *teller) doubts(p campaign.Progress) {
	for _, d := range []struct {
		what string
		list []string
	}{
		{"visits skipped because the annotation panicked", campaign.Strings(p.Skipped)},
		{"muted, because they call too much new (coarsen them; -why says more)", p.Muted},
		{"groups with over 256 instances at once, some of which were forgotten (transitions, sequences and crosses of two may lack hits)", p.Crowded},
		{"not the same in a second run, whose inputs are not kept", p.Wobbling},
	} {
		if len(d.list) > 0 {
			o.target.logf("%s: %s", d.what, strings.Join(d.list, ", "))
		}
	}
}

func (o *teller) end(r *campaign.Result) error {
	if o.json {
		if r.Why != nil {
			o.line("why", r.Why)
		}
		o.line("end", struct {
			campaign.Progress
			Interrupted bool
		}{r.Progress, r.Interrupted})
	} else if !o.atOnce {
		for _, f := range r.Found {
			o.show(f)
		}
	}
	if !o.json {
		o.doubts(r.Progress)
	}
	if o.why && !o.json && o.err == nil {
		o.err = printWhy(o.stdout, r.Why)
	}
	switch {
	case o.err != nil:
		return o.err
	case len(r.Found) > 0:
		return errFound
	case r.Interrupted:
		o.target.logf("interrupted; the corpus is saved, the same command resumes")
	default:
		o.target.logf("no failures")
	}
	return nil
}
