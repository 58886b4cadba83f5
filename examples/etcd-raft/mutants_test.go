package etcdraft

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/sim"
)

// TestWitness plays the schedules of testdata/witness, each of which shows a
// fault of bench/mutants.rules that has its name. In raft as it is none shows
// a violation but those that are known. In raft with the fault the schedule of
// that name fails, and says by which oracle: go run ./bench witness.
func TestWitness(t *testing.T) {
	defer func(old string) { tolerance = old }(tolerance)
	tolerance = passNatural
	files, err := filepath.Glob("testdata/witness/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no witnesses: %v", err)
	}
	p := sim.NewPlayer(&format, newCluster())
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			must(err)
			oracle, input, err := parseWitness(file, string(data))
			if err != nil {
				t.Fatal(err)
			}
			switch v := play(p, input); {
			case v == nil:
			case v.Oracle == oracle:
				t.Errorf("killed by the oracle %s\n%v", v.Oracle, v)
			default:
				t.Errorf("another oracle is violated than %s\n%v", oracle, v)
			}
		})
	}
}

// parseWitness reads a schedule that is written for people: the oracle that it
// violates, the seed, the configuration bytes, and one event a line, by the name of its kind. Numbers
// but the seed are hexadecimal. Comments begin with #.
//
//	oracle stale read
//	seed 1
//	config 00 01 00 00 0f 03 00 00
//	campaign 00 00 00
func parseWitness(file, text string) (oracle string, s script, err error) {
	var seed uint64
	for i, line := range strings.Split(text, "\n") {
		fail := func(msg string) error { return fmt.Errorf("%s:%d: %s", file, i+1, msg) }
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "", "#":
			continue
		case "oracle":
			oracle = rest
			continue
		case "seed":
			if seed, err = strconv.ParseUint(rest, 10, 64); err != nil {
				return "", nil, fail("a seed is a number")
			}
			continue
		}
		b, err := parseBytes(rest)
		switch k := kindNamed(word); {
		case err != nil:
			return "", nil, fail(err.Error())
		case word == "config" && len(b) == configBytes:
			s = format.Header(seed, b...)
		case s == nil || k < 0 || len(b) != 3:
			return "", nil, fail("neither config with its bytes nor, behind it, an event with three arguments")
		default:
			s = format.Append(s, sim.Event{Kind: k, A: b[0], B: b[1], C: b[2]})
		}
	}
	if oracle == "" || s == nil {
		return "", nil, fmt.Errorf("%s: no oracle or no config", file)
	}
	return oracle, s, nil
}

func parseBytes(s string) (bytes []byte, err error) {
	for _, f := range strings.Fields(s) {
		b, err := strconv.ParseUint(f, 16, 8)
		if err != nil {
			return nil, errors.New("two hexadecimal digits make a byte, and not " + f)
		}
		bytes = append(bytes, byte(b))
	}
	return bytes, nil
}

// kindNamed is the number of a kind of event; -1 if there is none.
func kindNamed(name string) int {
	for i, k := range kinds {
		if k.name == name {
			return i
		}
	}
	return -1
}
