package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/ijongo/ijongo"
	"github.com/ijongo/ijongo/rewrite"
)

func runExpand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c := rewrite.Config{Dir: ".", Target: ijongo.Target}
	fs := flag.NewFlagSet("expand", flag.ContinueOnError)
	annotationsFlag(fs, &c)
	hookFlag(fs, &c)
	fs.BoolVar(&c.Race, "race", false, "show the counters of a build with the race detector")
	fs.BoolVar(&c.Generated, "generated", false, "count in generated files too")
	if err := parseFlags(fs, args, "[flags] FILE.go", stdout); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return errors.New("ijongo expand: name one file, such as ./raft.go, or go.etcd.io/raft/v3/raft.go for one of a dependency (flags go before it)")
	}
	src, err := rewrite.Expand(ctx, c, fs.Arg(0))
	if err != nil {
		return err
	}
	if _, err := stdout.Write(src); err != nil {
		return fmt.Errorf("ijongo expand: %w", err)
	}
	return nil
}
