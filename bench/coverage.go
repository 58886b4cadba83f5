package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ijongo/ijongo/cover"
)

// coverage prints what the tables of docs/raft-coverage.md hold: what etcd/raft's own test suite
// covers of the groups that the example declares, and what a campaign adds.
func coverage(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("coverage", flag.ContinueOnError)
	limit := fs.Duration("time", 10*time.Minute, "length of the campaign, of one worker")
	seed := fs.Uint64("seed", 1, "of the campaign")
	keep := fs.String("dir", "", "keep the profiles in this folder, as suite and campaign")
	dir, remove, err := begin(fs, args)
	if err != nil {
		return err
	}
	defer remove()
	if *keep == "" {
		*keep = dir
	}
	ijongo, err := buildCommand(ctx, dir)
	if err != nil {
		return err
	}
	suite, err := suiteProfile(ctx, ijongo, dir, filepath.Join(*keep, "suite"))
	if err != nil {
		return err
	}
	campaign, err := campaignProfile(ctx, ijongo, filepath.Join(*keep, "campaign"), *limit, *seed)
	if err != nil {
		return err
	}
	fmt.Printf("%d tests; a campaign of %v, %d runs\n\n", suite.Runs, campaign.Time.Round(time.Second), campaign.Runs)
	printItems(suite, campaign)
	for _, t := range crossTables {
		if err := t.print(suite, campaign); err != nil {
			return err
		}
	}
	return nil
}

// suiteProfile runs raft's tests. The sidecar goes beside them, so that
// positions are short.
func suiteProfile(ctx context.Context, ijongo, dir, to string) (*cover.Profile, error) {
	raft, err := copyModule(ctx, raftModule+"@v3.7.0", filepath.Join(dir, "raft"))
	if err != nil {
		return nil, err
	}
	sidecar, err := os.ReadFile("examples/etcd-raft/cover.ijon")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(raft, "cover.ijon"), sidecar, 0o666); err != nil {
		return nil, err
	}
	to, err = filepath.Abs(to)
	if err != nil {
		return nil, err
	}
	if _, err := command(ctx, raft, ijongo, "test", "-count=1", "-dir", to, "-annotations", "cover.ijon", "./..."); err != nil {
		return nil, err
	}
	return cover.Read(to)
}

// campaignProfile searches. That it finds failures, with which ijongo fuzz
// ends, is expected.
func campaignProfile(ctx context.Context, ijongo, to string, limit time.Duration, seed uint64) (*cover.Profile, error) {
	_, err := command(ctx, ".", ijongo, "fuzz", "-time", limit.String(), "-workers", "1", "-seed", fmt.Sprint(seed),
		"-keep-going", "-dir", to, "./examples/etcd-raft")
	if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, err
	}
	return cover.Read(to)
}

// printItems is a table of the items of groups that both profiles have.
func printItems(suite, campaign *cover.Profile) {
	fmt.Println("| | bins | suite | campaign | both |")
	fmt.Println("|---|---|---|---|---|")
	for _, i := range suite.Items {
		other := sameItem(campaign, i)
		if other == nil {
			continue
		}
		goals, a, b, both := 0, 0, 0, 0
		for k := range i.Bins {
			in, also := i.Covered(&i.Bins[k]), other.Covered(&other.Bins[k])
			goals += one(i.Bins[k].Kind == cover.Goal)
			a, b, both = a+one(in), b+one(also), both+one(in || also)
		}
		fmt.Printf("| %s %s | %d | %d | %d | %d |\n", i.Kind, i.Title(), goals, a, b, both)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sameItem is an item as another profile of the same groups has it, or nil.
func sameItem(p *cover.Profile, i *cover.Item) *cover.Item {
	k := slices.IndexFunc(p.Items, func(o *cover.Item) bool {
		return o.Kind == i.Kind && o.Key == i.Key && len(o.Bins) == len(i.Bins)
	})
	if k < 0 {
		return nil
	}
	return p.Items[k]
}

// A crossTable shows a cross of four points: rows are the tuples of two of
// them, columns the bins of the third, and the bins of the fourth are in the
// fields.
type crossTable struct {
	title      string
	rows       [2]int
	column, in int
}

var crossTables = []crossTable{
	{"node.situation", [2]int{0, 1}, 2, 3},
	{"node.membership", [2]int{0, 3}, 1, 2},
	{"node.transferring", [2]int{1, 3}, 0, 2},
	{"flow.sending", [2]int{0, 1}, 2, 3},
}

// print prints what the suite has, what the campaign adds in bold, and what
// neither has struck out.
func (t *crossTable) print(suite, campaign *cover.Profile) error {
	k := slices.IndexFunc(suite.Items, func(i *cover.Item) bool { return i.Kind == "cross" && i.Title() == t.title })
	if k < 0 {
		return fmt.Errorf("there is no cross %s", t.title)
	}
	x := suite.Items[k]
	other := sameItem(campaign, x)
	if other == nil {
		return fmt.Errorf("the campaign has no cross %s like the suite's", t.title)
	}
	fields := map[[3]int][]string{}
	for k := range x.Bins {
		b := &x.Bins[k]
		at := [3]int{b.At[t.rows[0]], b.At[t.rows[1]], b.At[t.column]}
		name := x.Axes[t.in].Bins[b.At[t.in]]
		switch {
		case x.Covered(b):
		case other.Covered(&other.Bins[k]):
			name = "**" + name + "**"
		default:
			name = "~~" + name + "~~"
		}
		fields[at] = append(fields[at], name)
	}
	t.printFields(x, fields)
	return nil
}

func (t *crossTable) printFields(x *cover.Item, fields map[[3]int][]string) {
	first, second, column := x.Axes[t.rows[0]], x.Axes[t.rows[1]], x.Axes[t.column]
	fmt.Printf("\n%s, %s in the fields:\n\n", t.title, x.Axes[t.in].Name)
	fmt.Printf("| %s, %s |", first.Name, second.Name)
	for _, bin := range column.Bins {
		fmt.Printf(" %s %s |", column.Name, bin)
	}
	fmt.Println("\n|---|" + strings.Repeat("---|", len(column.Bins)))
	for i, a := range first.Bins {
		for j, b := range second.Bins {
			row, empty := "", true
			for k := range column.Bins {
				field := fields[[3]int{i, j, k}]
				empty = empty && len(field) == 0
				row += " " + strings.Join(field, " ") + " |"
			}
			if !empty {
				fmt.Printf("| %s, %s |%s\n", a, b, row)
			}
		}
	}
}
