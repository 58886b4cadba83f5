package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ijongo/ijongo/cover"
)

// bins compares what the processes that had DIR as their IJONGO_COVERDIR have
// covered with a file: bins DIR FILE. The items of groups have a line each,
// with the hits of every bin; bins of which a hit fails the run have an
// exclamation mark, and those that are only counted are there when they were hit.
// An asterisk in the file stands for any number of hits but 0, a question mark
// for any number.
func bins(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bins DIR FILE")
	}
	p, err := cover.ReadRaw(ts.MkAbs(args[0]), "")
	ts.Check(err)
	var b strings.Builder
	for _, item := range p.Items {
		if item.Property() {
			continue
		}
		fmt.Fprintf(&b, "%s %s:", item.Kind, item.Title())
		for _, bin := range item.Bins {
			mark := ""
			switch {
			case bin.Kind == cover.Info && bin.Hits == 0:
				continue
			case bin.Kind == cover.Never:
				mark = "!"
			}
			fmt.Fprintf(&b, " %s=%d%s", strings.ReplaceAll(bin.Name, " ", ""), bin.Hits, mark)
		}
		b.WriteByte('\n')
	}
	want := ts.ReadFile(args[1])
	pattern := strings.NewReplacer(`=\*`, "=[1-9][0-9]*", `=\?`, "=[0-9]+").Replace(regexp.QuoteMeta(want))
	if got := b.String(); !regexp.MustCompile("^" + pattern + "$").MatchString(got) {
		ts.Fatalf("%s", diff.Diff(args[1], []byte(want), "bins", []byte(got)))
	}
}
