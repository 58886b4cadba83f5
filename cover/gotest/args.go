package gotest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Args are the arguments of go test.
type Args struct {
	Flags    []string // each with its value, if it has one, as -name=value or as two words
	Packages []string // patterns; at least "."
	Rest     []string // -args and what follows, for the tests

	Race bool
	JSON bool
	Tags string
}

// switches are the flags of go test and go build that take no value.
var switches = []string{
	"a", "n", "x", "v", "race", "msan", "asan", "cover", "work", "linkshared", "modcacherw", "trimpath", "buildvcs",
	"short", "failfast", "benchmem", "json", "fullpath", "artifacts", "paniconexit0",
}

// outputs are the flags that name a file or folder to write to.
var outputs = []string{"coverprofile", "cpuprofile", "memprofile", "blockprofile", "mutexprofile", "trace", "outputdir"}

// refused are flags that ijongo test cannot pass on, each with what to do.
var refused = map[string]string{
	"C":       "change to the folder first",
	"c":       "write ijongo instrument, and go test -c in the copy",
	"o":       "write ijongo instrument, and go test -o in the copy",
	"i":       "leave it out",
	"fuzz":    "write ijongo fuzz",
	"overlay": "the copy has other files",
	"modfile": "the copy has a go.mod of its own",
	"n":       "write ijongo instrument -n",
}

// ParseArgs takes arguments apart. Flags for which own returns true are not go
// test's, and returned separately; they all take a value.
func ParseArgs(args []string, own func(name string) bool) (a *Args, mine []string, err error) {
	a = new(Args)
	for len(args) > 0 {
		arg := args[0]
		name, value, hasValue, isFlag := cutFlag(arg)
		if !isFlag {
			a.Packages = append(a.Packages, arg)
			args = args[1:]
			continue
		}
		if name == "args" {
			a.Rest = args
			break
		}
		words := args[:1]
		if !hasValue && (own(name) || !slices.Contains(switches, name)) {
			if len(args) < 2 {
				return nil, nil, fmt.Errorf("flag needs an argument: %s", arg)
			}
			value, words = args[1], args[:2]
		}
		args = args[len(words):]
		if own(name) {
			mine = append(mine, words...)
			continue
		}
		if err := a.add(name, value, words); err != nil {
			return nil, nil, err
		}
	}
	if a.Packages == nil {
		a.Packages = []string{"."}
	}
	return a, mine, nil
}

// cutFlag takes -name, --name, -name=value and -test.name apart.
func cutFlag(arg string) (name, value string, hasValue, ok bool) {
	name, ok = strings.CutPrefix(arg, "-")
	if !ok || name == "" {
		return "", "", false, false
	}
	name = strings.TrimPrefix(name, "-")
	name, value, hasValue = strings.Cut(name, "=")
	return strings.TrimPrefix(name, "test."), value, hasValue, true
}

// add adds a flag of go test, given as words.
func (a *Args) add(name, value string, words []string) error {
	if hint, ok := refused[name]; ok {
		return fmt.Errorf("%s is not possible here (%s)", words[0], hint)
	}
	switch name {
	case "race":
		a.Race = value != "false" && value != "0"
	case "json":
		a.JSON = value != "false" && value != "0"
	case "tags":
		a.Tags = value
	}
	if slices.Contains(outputs, name) {
		abs, err := filepath.Abs(value) // the tests run elsewhere
		if err != nil {
			return err
		}
		words = []string{"-" + name + "=" + abs}
	}
	a.Flags = append(a.Flags, words...)
	return nil
}

// Has tells whether a flag is given.
func (a *Args) Has(name string) bool {
	return slices.ContainsFunc(a.Flags, func(word string) bool {
		n, _, _, ok := cutFlag(word)
		return ok && n == name
	})
}
