package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/cover/table"
)

// mostHoles is how many holes of an item are listed without -all.
const mostHoles = 10

func runGaps(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("cover gaps", flag.ContinueOnError)
	all := fs.Bool("all", false, fmt.Sprintf("list every hole, not only %d of an item", mostHoles))
	asJSON := fs.Bool("json", false, "print a JSON array")
	if err := parseFlags(fs, args, "[flags] DIR|FILE…", stdout); err != nil {
		return err
	}
	p, err := readProfiles(fs, stderr)
	if err != nil {
		return err
	}
	g := table.Gaps{Most: mostHoles, Again: func(first string) string { return again(fs.Args(), first) }}
	if *all || *asJSON {
		g.Most = 0
	}
	if *asJSON {
		return printJSON(stdout, g.List(p))
	}
	return g.Write(stdout, p)
}

func runCoverDiff(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("cover diff", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "print a JSON object")
	if err := parseFlags(fs, args, "[flags] BEFORE AFTER", stdout); err != nil {
		return err
	}
	if fs.NArg() != 2 {
		return fmt.Errorf("ijongo cover diff: %d profiles (name two: the one before and the one after)", fs.NArg())
	}
	sides, err := cover.ReadSides(fs.Args()...)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(stdout, table.NewChanges(sides[0].Profile, sides[1].Profile))
	}
	return table.Diff(stdout, sides[0].Profile, sides[1].Profile)
}

func runRank(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("cover rank", flag.ContinueOnError)
	edges := fs.Bool("edges", false, "count the edges of the control flow graph too, of profiles")
	asJSON := fs.Bool("json", false, "print a JSON array")
	if err := parseFlags(fs, args, "[flags] DIR|FILE…", stdout); err != nil {
		return err
	}
	if err := profileArgs(fs); err != nil {
		return err
	}
	r := table.Ranking{What: "profile", Names: fs.Args()}
	if fs.NArg() == 1 {
		if *edges {
			return errors.New("ijongo cover rank: -edges with one folder (what an input covers is known of bins alone)")
		}
		inputs, err := inputSets(fs.Arg(0))
		if err != nil {
			return err
		}
		r = table.Ranking{What: "input"}
		var sets [][]int
		for _, in := range inputs {
			r.Names = append(r.Names, in.Name)
			sets = append(sets, in.Bins)
		}
		r.Picks = cover.Rank(sets)
	} else {
		sides, err := cover.ReadSides(fs.Args()...)
		if err != nil {
			return err
		}
		sets, _ := cover.Sets(*edges, sides...)
		r.Picks = cover.Rank(sets)
	}
	if *asJSON {
		return printJSON(stdout, r.List())
	}
	return r.Write(stdout)
}

// inputSets reads what each input of the campaign in dir covers of the goals.
func inputSets(dir string) ([]cover.Input, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("ijongo cover rank: one profile, %s (name several, or the folder of a campaign to rank its inputs)", dir)
	}
	homes, err := cover.Homes(dir)
	if err != nil {
		return nil, err
	}
	if len(homes) > 1 || len(homes) == 1 && homes[0] != dir {
		return inputSetsOf(homes)
	}
	p, err := cover.Read(dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, filepath.FromSlash(cover.InputsName))
	manifest, inputs, err := cover.ReadInputs(path, p.Bins())
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("ijongo cover rank: %s has no %s (name the folder of a campaign, or several profiles)", dir, cover.InputsName)
	}
	if err != nil {
		return nil, err
	}
	if manifest != p.Manifest {
		return nil, fmt.Errorf("%s: of manifest %s, and %s is of %s (run the campaign again)", path, manifest, cover.FileName, p.Manifest)
	}
	return p.GoalsOf(inputs), nil
}

// inputSetsOf reads those of several campaigns in one folder, which may share
// inputs. Their bins can be compared only if they are of one program.
func inputSetsOf(homes []string) (all []cover.Input, err error) {
	there := make(map[string]bool)
	manifest := ""
	for _, home := range homes {
		p, err := cover.Read(home)
		if err != nil {
			return nil, err
		}
		if manifest != "" && p.Manifest != manifest {
			return nil, fmt.Errorf("ijongo cover rank: %s is of another program than %s (run its campaign again)", home, homes[0])
		}
		manifest = p.Manifest
		inputs, err := inputSets(home)
		if err != nil {
			return nil, err
		}
		for _, in := range inputs {
			if !there[in.Name] {
				there[in.Name] = true
				all = append(all, in)
			}
		}
	}
	return all, nil
}
