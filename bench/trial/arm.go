package trial

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/bench/rig"
	"github.com/ijongo/ijongo/fuzz/campaign/build"
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

	engine  string // other than our own
	mutator Use    // of our mutator in AFL++
}

// A Use is what AFL++ has of our mutator.
type Use int

const (
	Unused Use = iota
	Beside     // its own
	Only
)

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

// The engines that are not ours.
const (
	goFuzz  = "go test -fuzz"
	aflFuzz = "AFL++"
)

// slots is the channel that needs IJON, and levels are all that do not.
const slots = "slots"

var levels = []string{"edges", "set", "bins", "levels"}

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
	{Name: "afl-edges", Is: "AFL++ on the same target, code edges alone", engine: aflFuzz, feedback: []string{"edges"}},
	{Name: "afl-levels", Is: "with set, bins, and max as level cells", engine: aflFuzz, feedback: levels},
	{Name: "afl-slots", Is: "with set, bins, and max as slots of IJON (AFL++ 5)", engine: aflFuzz, feedback: []string{"edges", "set", "bins", slots}},
	{Name: "afl-both", Is: "with all of these (AFL++ 5)", engine: aflFuzz, feedback: []string{"edges", "set", "bins", "levels", slots}},
	{Name: "afl-beside", Is: "afl-levels, with ijongo mutator beside AFL++'s own", engine: aflFuzz, feedback: levels, mutator: Beside},
	{Name: "afl-mutator", Is: "afl-levels, with ijongo mutator alone", engine: aflFuzz, feedback: levels, mutator: Only},
}

// Timed tells whether the arm is an engine that counts no events, and is given
// CPU time.
func (a *Arm) Timed() bool { return a.engine == goFuzz }

// AFL tells whether AFL++ searches.
func (a *Arm) AFL() bool { return a.engine == aflFuzz }

// Blind tells whether the arm knows nothing of states, or does not tell, and
// cannot be measured by them.
func (a *Arm) Blind() bool { return a.engine != "" || a.build == blind }

// Missing is why the arm cannot be played with an AFL++; nil if it can. There
// may be none.
func (a *Arm) Missing(ctx context.Context, tool *rig.Tool) error {
	switch {
	case !a.AFL():
		return nil
	case tool == nil:
		return errors.New("there is no AFL++")
	case slices.Contains(a.feedback, slots) && !tool.IJON():
		return fmt.Errorf("AFL++ %s has no IJON", tool.Version)
	case a.mutator != Unused:
		return build.FindCompiler(ctx)
	}
	return nil
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
