package afl

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// The environment of a target.
const (
	EnvTarget   = "IJONGO_AFL_TARGET"
	EnvSync     = "IJONGO_AFL_SYNC"
	EnvProtocol = "IJONGO_AFL_PROTOCOL"
	EnvFeedback = "IJONGO_AFL_FEEDBACK"
	EnvMemLimit = "IJONGO_AFL_MEMLIMIT"
	EnvGoal     = "IJONGO_AFL_GOAL"
	EnvTally    = "IJONGO_AFL_TALLY"
)

// A Tally counts what is done, for whoever wants to know: it is the beginning of
// a file of TallySize bytes that is mapped, little-endian and written atomically.
type Tally struct{ Runs, Events, Children uint64 }

// TallySize is that of the file of a Tally.
const TallySize = 64

// Settings are what a user may say in the environment.
type Settings struct {
	Target   string // name of the fuzz function; empty is the first one that runs
	MemLimit int64  // of the process, in bytes; 0 is none
	Goal     string // what has another one does not guide; empty is everything

	// What guides the tool.
	Edges, Set, Bins bool
	Levels           bool // maxima, as cells of the area
	Maxima           bool // maxima, as slots of IJON, where the tool has them

	sync     string // auto, pipe, futex, stop
	protocol string // auto, old, new
	tally    string // path of a file
}

// defaultMemLimit is that of ijongo fuzz.
const defaultMemLimit = 2 << 30

func settings() (Settings, error) {
	s := Settings{Target: target, MemLimit: defaultMemLimit, Goal: os.Getenv(EnvGoal), tally: os.Getenv(EnvTally)}
	if name := os.Getenv(EnvTarget); name != "" {
		s.Target = name
	}
	var err error
	if s.sync, err = oneOf(EnvSync, "auto", "pipe", "futex", "stop"); err != nil {
		return s, err
	}
	if s.protocol, err = oneOf(EnvProtocol, "auto", "old", "new"); err != nil {
		return s, err
	}
	if text := os.Getenv(EnvMemLimit); text != "" {
		if s.MemLimit, err = strconv.ParseInt(text, 10, 64); err != nil || s.MemLimit < 0 {
			return s, fmt.Errorf("%s=%s: not a size (write a number of bytes, or 0 for no limit)", EnvMemLimit, text)
		}
	}
	return s, s.parseFeedback()
}

// annotated tells whether anything but edges is to guide the tool.
func (s *Settings) annotated() bool { return s.Set || s.Bins || s.Levels || s.Maxima }

// oneOf is the value of a variable, which is one of words; the first of them
// if it is not set.
func oneOf(name string, words ...string) (string, error) {
	value := os.Getenv(name)
	if value == "" {
		return words[0], nil
	}
	for _, w := range words {
		if value == w {
			return value, nil
		}
	}
	return "", fmt.Errorf("%s=%s: no such thing (write one of %s)", name, value, strings.Join(words, ", "))
}

func (s *Settings) parseFeedback() error {
	channels := map[string]*bool{"edges": &s.Edges, "set": &s.Set, "bins": &s.Bins, "levels": &s.Levels, "slots": &s.Maxima}
	list, ok := os.LookupEnv(EnvFeedback)
	if !ok {
		list = "edges,set,bins,levels,slots"
	}
	for _, word := range strings.Split(list, ",") {
		on := channels[word]
		if on == nil {
			return fmt.Errorf("%s=%s: no channel %q (write a list out of edges, set, bins, levels, slots)", EnvFeedback, list, word)
		}
		*on = true
	}
	return nil
}
