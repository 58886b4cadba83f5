package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/cover/table"
)

// gates are what coverage must not fall short of.
type gates struct {
	under float64 // percent; 0 is no gate
	lost  string  // path of a profile; empty is no gate
}

func (g *gates) flags(fs *flag.FlagSet) {
	fs.Float64Var(&g.under, "fail-under", 0, "exit with 1 if less than `PERCENT` is covered; rare items are excused")
	fs.StringVar(&g.lost, "fail-lost", "", "exit with 1 if a bin that `BASE`, a profile or folder, covers is not covered any more; rare items are excused")
}

func (g *gates) check() error {
	if g.under < 0 || g.under > 100 {
		return fmt.Errorf("ijongo cover: -fail-under %v (a percentage, 0 to 100)", g.under)
	}
	return nil
}

// pass says which gates the profile does not pass, and returns errFound then.
func (g *gates) pass(p *cover.Profile, stderr io.Writer) error {
	failed := false
	s := p.Score()
	if demand := s.Demand(); demand < g.under {
		failed = true
		fmt.Fprintf(stderr, "ijongo: %s covered, less than -fail-under %v\n", table.Percent(demand), g.under)
	}
	if g.lost != "" {
		base, err := cover.Read(g.lost)
		if err != nil {
			return err
		}
		for _, c := range cover.Diff(base, p) {
			if c.Kind == cover.Lost && !c.Item.Rare {
				failed = true
				fmt.Fprintf(stderr, "ijongo: lost: %s %s %s: %s\n", table.PackageName(c.Item.Package), c.Item.Kind, c.Item.Title(), c.Bin.Name)
			}
		}
	}
	if failed {
		return errFound
	}
	return nil
}
