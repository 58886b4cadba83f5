package main

import (
	"context"
	"flag"
	"io"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/ijongo/ijongo"
	"github.com/ijongo/ijongo/rewrite"
)

// runVet checks what instrument would, strictly, and writes nothing.
func runVet(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c := rewrite.Config{Dir: ".", Target: ijongo.Target, Strict: true}
	fs := flag.NewFlagSet("vet", flag.ContinueOnError)
	selectionFlags(fs, &c)
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
	return p.Err()
}

// isVetTool tells whether go vet runs this program as its tool: it asks for
// the version and the flags, and then names a file for each package.
func isVetTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	if args[0] == "-V=full" || args[0] == "-flags" {
		return true
	}
	isCommand := len(args) > 1 && !strings.HasPrefix(args[0], "-")
	return !isCommand && strings.HasSuffix(args[len(args)-1], ".cfg")
}

// vetTool is the program as go vet runs it. It does not return.
func vetTool() { unitchecker.Main(rewrite.Analyzer) }
