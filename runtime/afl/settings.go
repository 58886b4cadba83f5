package afl

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// The environment of a target.
const (
	envTarget   = "IJONGO_AFL_TARGET"
	envSync     = "IJONGO_AFL_SYNC"
	envProtocol = "IJONGO_AFL_PROTOCOL"
	envFeedback = "IJONGO_AFL_FEEDBACK"
	envMemLimit = "IJONGO_AFL_MEMLIMIT"
	envGoal     = "IJONGO_AFL_GOAL"
	envTally    = "IJONGO_AFL_TALLY"
)

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
	s := Settings{Target: target, MemLimit: defaultMemLimit, Goal: os.Getenv(envGoal), tally: os.Getenv(envTally)}
	if name := os.Getenv(envTarget); name != "" {
		s.Target = name
	}
	var err error
	if s.sync, err = oneOf(envSync, "auto", "pipe", "futex", "stop"); err != nil {
		return s, err
	}
	if s.protocol, err = oneOf(envProtocol, "auto", "old", "new"); err != nil {
		return s, err
	}
	if text := os.Getenv(envMemLimit); text != "" {
		if s.MemLimit, err = strconv.ParseInt(text, 10, 64); err != nil || s.MemLimit < 0 {
			return s, fmt.Errorf("%s=%s: not a size (write a number of bytes, or 0 for no limit)", envMemLimit, text)
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
	list, ok := os.LookupEnv(envFeedback)
	if !ok {
		list = "edges,set,bins,levels,slots"
	}
	for _, word := range strings.Split(list, ",") {
		on := channels[word]
		if on == nil {
			return fmt.Errorf("%s=%s: no channel %q (write a list out of edges, set, bins, levels, slots)", envFeedback, list, word)
		}
		*on = true
	}
	return nil
}
