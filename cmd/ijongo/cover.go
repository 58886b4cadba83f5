package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/cover/table"
)

// coverCommands are the subcommands of ijongo cover.
var coverCommands = []command{
	{"gaps", "[flags] DIR|FILE…", "list what is not covered, and where to start from", runGaps},
	{"diff", "[flags] BEFORE AFTER", "show what changed between two profiles", runCoverDiff},
	{"rank", "[flags] DIR|FILE…", "choose few inputs or profiles that cover all", runRank},
	{"merge", "-o FILE DIR|FILE…", "add up profiles", runCoverMerge},
	{"export", "[flags] DIR|FILE…", "write other formats: LCOV, Cobertura, UCIS, JSON, HTML", runExport},
	{"import", "-o FILE [flags]", "read other formats: UCIS, JSON", runImport},
}

// runCover prints a summary, or is one of the subcommands.
func runCover(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 {
		for _, c := range coverCommands {
			if c.name == args[0] {
				return c.run(ctx, args[1:], stdout, stderr)
			}
		}
	}
	fs := flag.NewFlagSet("cover", flag.ContinueOnError)
	funcs := fs.Bool("func", false, "print the share of edges taken of each function")
	asJSON := fs.Bool("json", false, "print a JSON object")
	var g gates
	g.flags(fs)
	if err := parseFlags(fs, args, "[flags] DIR|FILE…", stdout); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			coverUsage(stdout)
		}
		return err
	}
	if err := g.check(); err != nil {
		return err
	}
	p, err := readProfiles(fs, stderr)
	if err != nil {
		return err
	}
	switch {
	case *asJSON:
		err = printJSON(stdout, table.NewReport(p))
	case *funcs:
		err = table.Funcs(stdout, p)
	default:
		if err = table.Summary(stdout, p); err == nil {
			err = tellHoles(stdout, p, fs.Args())
		}
	}
	if err != nil {
		return err
	}
	return g.pass(p, stderr)
}

func coverUsage(w io.Writer) {
	fmt.Fprintln(w)
	fmt.Fprintln(w, "A DIR is the folder of a campaign or of ijongo test, or one that was")
	fmt.Fprintln(w, "IJONGO_COVERDIR; a FILE is a profile. Several are merged. And:")
	fmt.Fprintln(w)
	for _, c := range coverCommands {
		fmt.Fprintf(w, "  ijongo cover %-27s %s\n", c.name+" "+c.args, c.summary)
	}
}

// tellHoles says how many holes there are, and which command lists them.
func tellHoles(w io.Writer, p *cover.Profile, args []string) error {
	s := p.Score()
	if s.Holes() == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s: %s cover gaps %s\n", count(s.Holes(), "hole"), self(), shellWords(args))
	return err
}

// shellWords is a list of words for a shell.
func shellWords(words []string) string {
	quoted := make([]string, len(words))
	for k, word := range words {
		quoted[k] = shellWord(word)
	}
	return strings.Join(quoted, " ")
}

var needsNoQuotes = regexp.MustCompile(`^[\w./:=@%+,-]+$`)

func shellWord(s string) string {
	if needsNoQuotes.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func printJSON(w io.Writer, what any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	e.SetEscapeHTML(false)
	return e.Encode(what)
}

// profileArgs checks the arguments behind the flags.
func profileArgs(fs *flag.FlagSet) error {
	if fs.NArg() == 0 {
		return fmt.Errorf("ijongo %s: no profile named (write the folder of a campaign, such as .ijongo/FuzzXxx, that of ijongo test, .ijongo/test, or a file)", fs.Name())
	}
	for _, arg := range fs.Args() {
		if strings.HasPrefix(arg, "-") && arg != "-" {
			return fmt.Errorf("ijongo %s: flag %s behind the profiles (flags go before them)", fs.Name(), arg)
		}
	}
	return nil
}

// readProfiles reads and merges the profiles that are named behind the flags.
func readProfiles(fs *flag.FlagSet, stderr io.Writer) (*cover.Profile, error) {
	if err := profileArgs(fs); err != nil {
		return nil, err
	}
	p, notes, err := cover.ReadAll(fs.Args()...)
	if err != nil {
		return nil, err
	}
	tellNotes(stderr, notes)
	return p, nil
}

func tellNotes(w io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(w, "ijongo: %s\n", n)
	}
}

// testName is a test as the runtime calls it: PACKAGE.TestXxx.
var testName = regexp.MustCompile(`^(.+)\.((?:Test|Fuzz|Example|Benchmark)\w*)$`)

// again is the command that runs again what hit a bin first: a test, or an
// input of one of the folders; empty if neither is known.
func again(paths []string, first string) string {
	for _, path := range paths {
		dir := campaignDir(path)
		homes, _ := cover.Homes(dir) // without one it is looked for in dir
		for _, home := range append(homes, dir) {
			file := filepath.Join(home, cover.InputsDir, first)
			if _, err := os.Stat(file); err == nil {
				return fmt.Sprintf("%s replay %s", self(), shellWord(near(file)))
			}
		}
	}
	m := testName.FindStringSubmatch(first)
	if m == nil {
		return ""
	}
	if strings.HasPrefix(m[2], "Benchmark") {
		return fmt.Sprintf("go test -run '^$' -bench '^%s$' %s", m[2], m[1])
	}
	return fmt.Sprintf("go test -run '^%s$' %s", m[2], m[1])
}
