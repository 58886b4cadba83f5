package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/ijongo/ijongo/fuzz/campaign"
)

func runMerge(_ context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("merge", flag.ContinueOnError)
	out := flags.String("o", "", "merge into the campaign folder `DIR`, which may be new (default the first one named)")
	if err := parseFlags(flags, args, "[-o DIR] DIR…", stdout); err != nil {
		return err
	}
	from := flags.Args()
	if *out == "" && len(from) > 1 {
		if _, err := campaign.ReadInfo(from[0]); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("ijongo merge: %s: no campaign folder to merge into (write -o %s to make one)", from[0], from[0])
		}
		*out, from = from[0], from[1:]
	}
	if *out == "" || len(from) == 0 {
		return fmt.Errorf("ijongo merge: %d campaign folders (name several, or one and -o DIR)", flags.NArg())
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
			return fmt.Errorf("ijongo merge: %w", err)
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
