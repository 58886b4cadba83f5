package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/ijongo/ijongo"
	"github.com/ijongo/ijongo/annot"
	"github.com/ijongo/ijongo/rewrite"
)

// A listing is what ijongo list prints, and the form of its JSON.
type listing struct {
	Module     string
	Directives []listedDirective
	Groups     []listedGroup
	Packages   []listedPackage
	Skipped    []rewrite.Skipped
	Faults     []string // those that belong to no directive
}

type listedDirective struct {
	Pos    string
	Verb   string
	Name   string
	Expr   string
	From   string
	Status rewrite.Status
	Reason string `json:",omitempty"`
}

type listedGroup struct {
	Package string
	Name    string
	Items   []rewrite.GroupItem
}

type listedPackage struct {
	Path     string
	Counters int
}

func runList(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c := rewrite.Config{Dir: ".", Target: ijongo.Target}
	fs := flag.NewFlagSet("list", flag.ContinueOnError)
	selectionFlags(fs, &c)
	fs.BoolVar(&c.Strict, "strict", false, "take warnings for errors")
	asJSON := fs.Bool("json", false, "print a JSON object")
	if err := parseFlags(fs, args, "[flags] PACKAGES", stdout); err != nil {
		return err
	}
	if err := packageArgs(fs, &c); err != nil {
		return err
	}
	p, err := rewrite.NewPlan(ctx, c)
	if err != nil {
		return err
	}
	l, faults := makeListing(p)
	if *asJSON {
		err = l.json(stdout)
	} else {
		err = l.table(stdout)
		for _, e := range faults {
			fmt.Fprintln(stderr, shortPaths(e.Error()))
		}
	}
	if err != nil {
		return err
	}
	return faulty(p)
}

// faulty is the error of a plan that cannot be written; what is wrong has been
// said.
func faulty(p *rewrite.Plan) error {
	if p.Err() == nil {
		return nil
	}
	return &exitError{Code: 2}
}

func makeListing(p *rewrite.Plan) (*listing, annot.Errors) {
	directives, faults := p.Directives()
	l := &listing{Module: p.Module, Directives: []listedDirective{}, Groups: []listedGroup{}, Packages: []listedPackage{}, Skipped: p.Skipped, Faults: []string{}}
	for _, d := range directives {
		l.Directives = append(l.Directives, listedDirective{shortPaths(d.Pos.String()), d.Verb, d.Name, d.Expr, d.From, d.Status, shortPaths(d.Reason)})
	}
	for _, g := range p.Groups {
		l.Groups = append(l.Groups, listedGroup{g.Package, g.Name, g.Items})
	}
	counters := map[string]int{}
	for _, c := range p.Counters {
		counters[c.Package]++
	}
	for _, path := range p.Packages {
		l.Packages = append(l.Packages, listedPackage{path, counters[path]})
	}
	for _, e := range faults {
		l.Faults = append(l.Faults, shortPaths(e.Error()))
	}
	return l, faults
}

func (l *listing) json(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	e.SetEscapeHTML(false)
	return e.Encode(l)
}

// table prints four tables; one without rows is left out.
func (l *listing) table(w io.Writer) error {
	var b strings.Builder
	rows := [][]string{}
	for _, d := range l.Directives {
		status := string(d.Status)
		if d.Reason != "" {
			status += ": " + d.Reason
		}
		rows = append(rows, []string{d.Pos, d.Verb, dash(d.Name), dash(d.Expr), d.From, status})
	}
	columns(&b, []string{"POSITION", "VERB", "NAME", "EXPRESSION", "FROM", "STATUS"}, rows)
	rows = nil
	for _, g := range l.Groups {
		for _, item := range g.Items {
			rows = append(rows, []string{g.Name, string(item.Kind), item.Name, fmt.Sprint(item.Bins), dash(item.LeftOut), g.Package})
		}
	}
	columns(&b, []string{"GROUP", "KIND", "NAME", "BINS", "LEFT OUT", "PACKAGE"}, rows)
	rows = nil
	for _, p := range l.Packages {
		rows = append(rows, []string{p.Path, fmt.Sprint(p.Counters)})
	}
	columns(&b, []string{"PACKAGE", "COUNTERS"}, rows)
	rows = nil
	for _, s := range l.Skipped {
		rows = append(rows, []string{skippedPart(s), s.Reason})
	}
	columns(&b, []string{"SKIPPED", "REASON"}, rows)
	_, err := io.WriteString(w, b.String())
	return err
}

// skippedPart names a file, or a part of one.
func skippedPart(s rewrite.Skipped) string {
	if s.Pos == "" {
		return s.File
	}
	return strings.TrimSpace(s.Pos + " " + s.Func)
}

// dash keeps an empty cell from looking like a shift of the row.
func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// columns prints a table, with an empty line before it if it is not the first.
func columns(b *strings.Builder, head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.StripEscape)
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			row[i] = "\xff" + strings.ReplaceAll(cell, "\xff", "\uFFFD") + "\xff" // an expression may hold a tab
		}
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush() // a strings.Builder takes all
}
