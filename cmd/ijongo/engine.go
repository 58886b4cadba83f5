package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/campaign/afl"
)

// The engines: that of the target itself, and afl-fuzz.
const (
	native    = "native"
	aflEngine = "afl"
)

// nativeOnly are the flags that say how the target's own engine searches, each
// with what afl-fuzz does instead.
var nativeOnly = [][2]string{
	{"events", "afl-fuzz counts runs: use -execs"},
	{"length", "afl-fuzz makes its inputs from those that it has"},
	{"snapshots", "afl-fuzz runs every input from its beginning"},
	{"why", "afl-fuzz does not say what it keeps an input for"},
}

// aflWords are what -feedback takes with afl-fuzz: max is levels and slots.
var aflWords = []string{"edges", "set", "max", "bins", "levels", "slots"}

// checkEngine refuses flags that the engine has no use for.
func (f *fuzzFlags) checkEngine() error {
	if f.engine == native {
		if f.mutator != "" {
			return errors.New("ijongo fuzz: -mutator is for -engine afl: the native engine has its own")
		}
		return nil
	}
	for _, n := range nativeOnly {
		if f.given[n[0]] {
			return fmt.Errorf("ijongo fuzz: -%s is for -engine native: %s", n[0], n[1])
		}
	}
	if f.name != "" {
		if err := afl.CheckName(f.name + "-afl0"); err != nil {
			return fmt.Errorf("ijongo fuzz: -name: %w", err)
		}
	}
	return nil
}

// aflChannels is the -feedback list for afl-fuzz; nil leaves it to the target.
func (f *fuzzFlags) aflChannels() (list []string, err error) {
	if !f.given["feedback"] {
		return nil, nil
	}
	for _, c := range strings.Split(f.feedback, ",") {
		switch {
		case c == "max":
			list = append(list, "levels", "slots")
		case slices.Contains(aflWords, c):
			list = append(list, c)
		default:
			return nil, fmt.Errorf("ijongo fuzz: -feedback %s: no channel %q with -engine afl (there are %s)", f.feedback, c, strings.Join(aflWords, ", "))
		}
	}
	return list, nil
}

// fuzzer finds what searches in place of the native engine; nil for that.
func (f *fuzzFlags) fuzzer(ctx context.Context) (*campaign.AFL, error) {
	if f.engine == native {
		return nil, nil
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return nil, fmt.Errorf("ijongo fuzz: -engine afl: not on %s/%s (targets speak to afl-fuzz on Linux, on amd64 and arm64)", runtime.GOOS, runtime.GOARCH)
	}
	a := new(campaign.AFL)
	var err error
	if a.Mutator, err = existing(f.mutator); err != nil {
		return nil, fmt.Errorf("ijongo fuzz: -mutator: %w (ijongo mutator makes one)", err)
	}
	if a.Dictionary, err = existing(f.dict); err != nil {
		return nil, fmt.Errorf("ijongo fuzz: -dict: %w", err)
	}
	if a.Tool, err = afl.Find(ctx); err != nil {
		return nil, fmt.Errorf("ijongo fuzz: -engine afl: %w", err)
	}
	return a, nil
}

// existing is the absolute path of a file, empty for none.
func existing(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
