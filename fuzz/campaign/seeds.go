package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// randomLengths is how many of the lengths that random inputs have are used,
// the short ones, and randomEach how many inputs of each length.
const (
	randomLengths = 4
	randomEach    = 4
)

// Seeds are inputs for a fuzzer to begin with: those of the target and, where
// its inputs are schedules, random ones such as the search makes too. From an
// empty schedule a fuzzer of bytes does not get anywhere.
func Seeds(d *wire.Description, seed uint64) (inputs [][]byte) {
	for _, s := range d.Seeds {
		if len(s) > 0 {
			inputs = append(inputs, s)
		}
	}
	if d.Record == 0 && len(inputs) > 0 {
		return inputs
	}
	return append(inputs, random(d, seed)...)
}

// random makes random inputs. Of those that are no schedules one byte is
// enough: afl-fuzz knows how to go on.
func random(d *wire.Description, seed uint64) (inputs [][]byte) {
	if d.Record == 0 {
		return [][]byte{{'0'}}
	}
	m := mutate.New(mutate.NewRNG(seed, 0, 0), d.Declared(), wire.MaxInput, mutate.Vocabulary{})
	lengths := m.Lengths()
	for _, n := range lengths[:min(randomLengths, len(lengths))] {
		for range randomEach {
			inputs = append(inputs, m.Fresh(make([]byte, 0, wire.MaxInput), n))
		}
	}
	return inputs
}

// begin writes the inputs that new instances of AFL++ begin with, and answers
// how many there are. What fails or hangs is no beginning for afl-fuzz, and a
// suspect here.
func (s *search) begin(ctx context.Context) (good int, err error) {
	dir := s.Folder.begin()
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return 0, err
	}
	r := NewRunner(s.Target, 2*s.Timeout)
	defer r.Fresh()
	for _, inputs := range [][][]byte{Seeds(s.desc, s.Seed), random(s.desc, s.Seed+1)} {
		for _, input := range inputs {
			o, err := r.Run(ctx, input, false)
			switch {
			case errors.Is(err, errBusy):
				continue
			case err != nil:
				return good, err
			case o.Fault != wire.OK:
				s.accuse(event{failure: &o})
				continue
			}
			if _, _, err := corpus.Add(dir, input); err != nil {
				return good, err
			}
			good++
		}
		if good > 0 {
			return good, nil
		}
	}
	if len(s.queue) == 0 {
		err = fmt.Errorf("%s has nothing to begin with: no input ran to its end in %v", s.Target.Name, 2*s.Timeout)
	}
	return 0, err
}
