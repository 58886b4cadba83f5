package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/ijongo/ijongo/rewrite"
)

func runStrip(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c := rewrite.Config{Dir: "."}
	fs := flag.NewFlagSet("strip", flag.ContinueOnError)
	write := fs.Bool("w", false, "write the files, instead of printing a diff")
	dry := fs.Bool("n", false, "print how many directives each file would lose, and write nothing")
	if err := parseFlags(fs, args, "[flags] PACKAGES", stdout); err != nil {
		return err
	}
	if err := packageArgs(fs, &c); err != nil {
		return err
	}
	files, warnings, err := rewrite.Strip(ctx, c.Dir, c.Patterns)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintln(stderr, shortPaths(w.Error()))
	}
	for _, f := range files {
		if err := stripOne(ctx, f, *write, *dry, stdout); err != nil {
			return err
		}
	}
	return nil
}

// stripOne shows or writes one file.
func stripOne(ctx context.Context, f *rewrite.Stripped, write, dry bool, stdout io.Writer) error {
	name := near(f.Name)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case dry:
		_, err := fmt.Fprintf(stdout, "%s: %s\n", name, count(f.Removed, "directive"))
		return err
	case write:
		return f.Write()
	}
	_, err := stdout.Write(diff.Diff("a/"+name, f.Old, "b/"+name, f.New))
	return err
}
