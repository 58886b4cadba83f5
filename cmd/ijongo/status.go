package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/wire"
)

func runStatus(ctx context.Context, args []string, stdout, _ io.Writer) error {
	flags := flag.NewFlagSet("status", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "print one JSON object for each folder")
	ui := flags.Bool("ui", false, "show it on the whole screen, and go on showing it; q ends that")
	why := flags.Bool("why", false, "print what each annotation has brought instead")
	if err := parseFlags(flags, args, "[flags] DIR…", stdout); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("ijongo status: no folder (name that of a campaign, such as .ijongo/FuzzXxx)")
	}
	if *ui {
		if flags.NArg() > 1 {
			return errors.New("ijongo status: -ui shows one folder")
		}
		err := isScreen(stdout)
		if err == nil {
			err = follow(ctx, stdout, flags.Arg(0))
		}
		if err != nil {
			return fmt.Errorf("ijongo status: %w", err)
		}
		return nil
	}
	for _, dir := range flags.Args() {
		all, err := campaign.ReadStatus(dir)
		if err != nil {
			return fmt.Errorf("ijongo status: %w", err)
		}
		for _, s := range all {
			switch {
			case *asJSON:
				err = json.NewEncoder(stdout).Encode(s)
			case *why && s.Why == nil:
				err = fmt.Errorf("ijongo status: %s: nothing is known yet of what its annotations have brought", filepath.Join(s.Dir, s.Name))
			case *why:
				err = printWhy(stdout, s.Why)
			default:
				err = printStatus(stdout, s, time.Now())
			}
			if err != nil {
				return err
			}
		}
		if !*asJSON && !*why {
			if err := printFailures(stdout, all[0].Failures); err != nil {
				return err
			}
		}
	}
	return nil
}

// printStatus prints a summary of a campaign.
func printStatus(w io.Writer, s *campaign.Status, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s of %s in %s: %s\n", s.Target, s.Package, filepath.Join(s.Dir, s.Name), s.State())
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "  %s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	if s.Start != nil {
		row("begun", "%s, seed %d%s", s.Start.Time.Local().Format(time.DateTime), s.Start.Seed, with(s.Start.Engine))
	}
	if p := s.Progress; p != nil {
		row("elapsed", "%v%s, last report %v ago", p.Elapsed.Round(time.Second), earlier(s.Before.Elapsed), now.Sub(s.Updated).Round(time.Second))
		row("runs", "%d, %d/sec by %s, %d events", p.Runs+s.Before.Runs, p.PerSec, count(workers(s), "worker"), p.Events+s.Before.Events)
		row("corpus", "%s, the last after %v", plural(p.Corpus, "entry", "entries"), p.LastFind.Round(time.Second))
		row("covered", "%s", covered(p))
		for _, g := range p.Groups {
			row("", "%s %d of %d, %s", groupName(g), g.Covered, g.Goals, count(g.Goals-g.Covered, "hole"))
		}
		if p.AFL != nil {
			row("afl-fuzz", "%v, %s of the queue, %d imported", p.AFL, plural(int(p.AFL.Cycles), "cycle", "cycles"), p.AFL.Imported)
			row("restarts", "%d", p.Restarts)
			return t.Flush()
		}
		row("best", "%s", orNone(best(p)))
		row("finds", "%s", orNone(finds(p.Channels)))
		row("arms", "%s", orNone(arms(p.Arms)))
		row("second runs", "%.1f %% the same%s", 100*p.Steady(), listed(", not: ", p.Wobbling))
		row("muted", "%s", orNone(strings.Join(p.Muted, ", ")))
		if len(p.Crowded) > 0 {
			row("crowded", "%s: over 256 instances at once, some were forgotten", strings.Join(p.Crowded, ", "))
		}
		row("restarts", "%d", p.Restarts)
	}
	return t.Flush()
}

// printFailures lists failures by what they violate.
func printFailures(w io.Writer, failures []*campaign.Failure) error {
	fmt.Fprintf(w, "  failures     %d\n", len(failures))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	byKey := func(a, b *campaign.Failure) int { return strings.Compare(a.Key, b.Key) }
	for _, f := range slices.SortedFunc(slices.Values(failures), byKey) {
		what := string(f.Fault)
		if f.Fault == wire.Violated {
			what = "violated"
		}
		fmt.Fprintf(t, "    %s\t%s\t%s\t%s\t%s\n", what, f.Key, "again in "+f.Rate(), plural(f.Size, strings.TrimSuffix(f.Unit(), "s"), f.Unit()), near(filepath.Join(f.Dir, "input")))
	}
	return t.Flush()
}

// workers are those that run, or ran.
func workers(s *campaign.Status) int {
	if s.Running || s.Start == nil {
		return s.Progress.Workers
	}
	return s.Start.Workers
}

// with names an engine that is not the target's own.
func with(engine string) string {
	if engine == "" {
		return ""
	}
	return ", with " + engine
}

func earlier(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf(" after %v of earlier campaigns", d.Round(time.Second))
}

func covered(p *campaign.Progress) string {
	text := plural(p.Edges, "edge", "edges")
	if p.AFL == nil {
		text += ", " + count(p.Cells+p.Pairs, "cell")
	}
	if p.Goals > 0 {
		text += fmt.Sprintf(", %d of %d bins", p.Bins, p.Goals)
	}
	return text
}

func groupName(g campaign.Group) string {
	if g.Name == "" {
		return "properties"
	}
	return g.Name
}

func best(p *campaign.Progress) string {
	var list []string
	for _, b := range p.Best {
		list = append(list, fmt.Sprintf("%s %s: %s", b.Verb, b.Name, b.Value))
	}
	return strings.Join(list, ", ")
}

func finds(channels []wire.Channel) string {
	var list []string
	for _, c := range channels {
		list = append(list, fmt.Sprintf("%s %d", c.Name, c.Finds))
	}
	return strings.Join(list, ", ")
}

func arms(list []wire.Arm) string {
	var out []string
	for _, a := range list {
		out = append(out, fmt.Sprintf("%s %.0f %% (%s)", a.Name, 100*a.Share, count(int(a.Finds), "find")))
	}
	return strings.Join(out, ", ")
}

func listed(before string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return before + strings.Join(list, ", ")
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
