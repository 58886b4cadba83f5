package trial

import (
	_ "embed"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// An Arm is a way of searching.
type Arm struct {
	Name string
	Is   string // in a few words

	feedback    []string
	goal        string
	length      int // of random inputs; 0 is self-tuned
	build       variant
	unmuted     bool
	noSnapshots bool

	engine string // other than our own: its word in the table
	needs  func() error
}

// A variant is how a subject is built.
type variant int

const (
	whole      variant = iota // with all that the example declares
	fineTuples                // and tuples as the IJON paper has them
	blind                     // with nothing but the seeded timeout
)

//go:embed fine.ijon
var fine []byte

//go:embed blind.ijon
var seeded []byte

// fineGoal is the goal of all annotations in it, and of no others.
const fineGoal = "fine"

var all = []string{"edges", "set", "max", "bins", "archive"}

// goFuzz is the engine of the go command.
const goFuzz = "go test -fuzz"

// Arms are all that there are.
var Arms = []Arm{
	{Name: "swarm", Is: "random with swarm weights, at a length that it tunes itself"},
	{Name: "swarm-1600", Is: "the same, 1600 events a run", length: 1600},
	{Name: "swarm-200", Is: "the same, 200 events a run", length: 200},
	{Name: "blind-1600", Is: "swarm-1600 without counters, annotations, features and bins, which random search does not need", length: 1600, build: blind},
	{Name: "edges", Is: "code edges alone (-feedback edges)", feedback: []string{"edges"}},
	{Name: "set", Is: "fine tuples of every node's state alone, as in IJON; nothing is muted", feedback: []string{"set"},
		goal: fineGoal, build: fineTuples, unmuted: true},
	{Name: "ours", Is: "ijongo fuzz as it comes", feedback: all},
	{Name: "ours-nosnap", Is: "the same with -snapshots=false", feedback: all, noSnapshots: true},
	{Name: "go", Is: "go test -fuzz on the same harness, one worker", engine: goFuzz},
	{Name: "afl", Is: "AFL++ on the same harness", engine: "AFL++", needs: aflMissing},
}

// aflMissing says what there is not.
func aflMissing() error {
	if _, err := exec.LookPath("afl-fuzz"); err != nil {
		return fmt.Errorf("afl-fuzz is not in PATH")
	}
	return fmt.Errorf("it needs ijongo fuzz -engine afl, which is not there yet")
}

// Native tells whether our own engine searches, whose events can be counted.
func (a *Arm) Native() bool { return a.engine == "" }

// Blind tells whether the arm knows nothing of states, and cannot be measured
// by them.
func (a *Arm) Blind() bool { return !a.Native() || a.build == blind }

// Missing is why the arm cannot be played on this machine; nil if it can.
func (a *Arm) Missing() error {
	if a.needs == nil {
		return nil
	}
	return a.needs()
}

// ParseArms are the arms of a list with commas.
func ParseArms(list string) (arms []Arm, err error) {
	for _, name := range strings.Split(list, ",") {
		i := slices.IndexFunc(Arms, func(a Arm) bool { return a.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no arm %q (there are %s)", name, strings.Join(Names(Arms), ", "))
		}
		if slices.Contains(Names(arms), name) {
			return nil, fmt.Errorf("arm %s twice", name)
		}
		arms = append(arms, Arms[i])
	}
	return arms, nil
}

// Names of arms.
func Names(arms []Arm) (names []string) {
	for _, a := range arms {
		names = append(names, a.Name)
	}
	return names
}
