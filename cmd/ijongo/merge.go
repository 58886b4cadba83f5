package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ijongo/ijongo/fuzz/campaign"
)

func runMerge(_ context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("merge", flag.ContinueOnError)
	out := fs.String("o", "", "merge into the campaign folder `DIR` (default the first one named)")
	if err := parseFlags(fs, args, "[-o DIR] DIR…", stdout); err != nil {
		return err
	}
	from := fs.Args()
	if *out == "" && len(from) > 1 {
		*out, from = from[0], from[1:]
	}
	if *out == "" || len(from) == 0 {
		return fmt.Errorf("ijongo merge: %d campaign folders (name several, or one and -o DIR)", fs.NArg())
	}
	for _, dir := range from {
		if same(dir, *out) {
			continue
		}
		m, err := campaign.Merge(*out, dir)
		for _, bad := range m.Bad {
			fmt.Fprintf(stderr, "ijongo: %v; left out\n", bad)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %s and %s are new in %s\n", near(dir), count(m.Inputs, "input"), count(m.Failures, "failure"), near(*out))
	}
	return nil
}

// same tells whether two paths are of the same folder.
func same(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return errX == nil && errY == nil && x == y
}
