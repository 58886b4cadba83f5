package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/bench/mutant"
)

// witness puts each fault of the rules into a copy of etcd/raft and plays the
// schedule that shows it: testdata/witness of the example, by the fault's
// name. With -own it runs raft's own tests there as well.
func witness(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("witness", flag.ContinueOnError)
	only := fs.String("only", "", "regular expression of the mutants to try")
	rules := fs.String("mutants", "bench/mutants.rules", "file of rules")
	own := fs.Bool("own", false, "also tell which of raft's own tests fail")
	if err := fs.Parse(args); err != nil {
		return err
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	mutants, err := readRules(*rules)
	if err != nil {
		return err
	}
	mutants = slices.DeleteFunc(mutants, func(m mutant.Mutant) bool { return !match.MatchString(m.Name) })
	p := proof{example: "examples/etcd-raft", own: *own, out: os.Stdout}
	killed := 0
	for _, m := range mutants {
		ok, err := p.try(ctx, m)
		if err != nil {
			return err
		}
		if ok {
			killed++
		}
	}
	fmt.Printf("killed: %d of %d\n", killed, len(mutants))
	return nil
}

func readRules(name string) ([]mutant.Mutant, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return mutant.Parse(name, f)
}

// A proof plays witnesses.
type proof struct {
	example string // folder of the harness
	own     bool   // run raft's own tests
	out     io.Writer
}

// try tells whether the witness of a fault fails in raft with the fault, by
// the oracle that it names.
func (p *proof) try(ctx context.Context, m mutant.Mutant) (killed bool, err error) {
	dir, remove, err := workspace()
	if err != nil {
		return false, err
	}
	defer remove()
	raft, err := copyModule(ctx, raftModule+"@v3.7.0", filepath.Join(dir, "raft"))
	if err != nil {
		return false, err
	}
	if err := m.Apply(raft); err != nil {
		return false, err
	}
	if _, err := command(ctx, raft, "go", "vet", "."); err != nil {
		return false, err
	}
	modfile, err := replaceRaft(p.example, raft, dir)
	if err != nil {
		return false, err
	}
	out, err := failing(ctx, p.example, "-modfile="+modfile, "-run=^TestWitness$/^"+regexp.QuoteMeta(m.Name)+"$", ".")
	if err != nil {
		return false, err
	}
	verdict := "not killed"
	if found := killedBy.FindStringSubmatch(out); found != nil {
		verdict, killed = found[1], true
	} else if m.Lacks != "" {
		verdict = "not killed; the harness lacks " + m.Lacks
	}
	fmt.Fprintf(p.out, "%-42s %s\n", m.Name, verdict)
	if p.own {
		out, err := failing(ctx, raft, ".", "./confchange", "./quorum", "./tracker")
		if err != nil {
			return false, err
		}
		fmt.Fprintf(p.out, "    own: %s\n", strings.Join(failures(out), " "))
	}
	return killed, nil
}

// killedBy is what TestWitness says of a schedule that did what it was to do.
var killedBy = regexp.MustCompile(`killed by the oracle (.*)`)

// replaceRaft writes a copy of the example's go.mod into dir that replaces
// raft, and returns its name.
func replaceRaft(example, raft, dir string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(example, "go.mod"))
	if err != nil {
		return "", err
	}
	sum, err := os.ReadFile(filepath.Join(example, "go.sum"))
	if err != nil {
		return "", err
	}
	mod = fmt.Appendf(mod, "\nreplace %s => %s\n", raftModule, raft)
	name := filepath.Join(dir, "go.mod")
	if err := os.WriteFile(name, mod, 0o644); err != nil {
		return "", err
	}
	return name, os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
}

// failing runs go test and returns what it prints. That tests fail is no
// error; that they do not build is.
func failing(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-count=1"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	text := string(out)
	if err != nil && (cmd.ProcessState == nil || strings.Contains(text, "[build failed]") || strings.Contains(text, "[setup failed]")) {
		return "", fmt.Errorf("go test %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	if strings.Contains(text, "no tests to run") {
		return "", fmt.Errorf("go test %s: there is no such test", strings.Join(args, " "))
	}
	return text, nil
}

// failures are the tests that failed, without their subtests.
func failures(out string) (names []string) {
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(line, "--- FAIL: "); ok {
			names = append(names, strings.Fields(name)[0])
		}
	}
	return names
}
