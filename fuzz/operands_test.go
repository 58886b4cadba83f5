package fuzz

import (
	"encoding/binary"
	"strconv"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

var (
	codeOf = ijon.Declare(ijon.VerbCmp, "code")
	wordOf = ijon.Declare(ijon.VerbStrDist, "word")
	yearOf = ijon.Declare(ijon.VerbDist, "year")
)

// safe opens for a code of 64 bits, a year in digits and a word, one after the
// other; all of them are annotated.
func safe(_ *testing.T, in []byte) {
	const code, year, word = 0x1badc0de2bad5eed, 1789, "open sesame"
	if len(in) < 12 {
		return
	}
	v := binary.BigEndian.Uint64(in)
	ijon.Cmp(codeOf, 0, v, code)
	if v != code {
		return
	}
	n, err := strconv.ParseUint(string(in[8:12]), 10, 64)
	if err != nil {
		return
	}
	ijon.DistUint(yearOf, 0, n, year)
	if n != year {
		return
	}
	ijon.StrDist(wordOf, 0, string(in[12:]), word)
	if strings.HasPrefix(string(in[12:]), word) {
		ijon.Violated("opened")
	}
}

var orderLayout = ijon.Layout{Header: 4, Record: 6, Kinds: []ijon.Kind{{Name: "set", Weight: 1}, {Name: "buy", Weight: 1}}}

// shop sells to the first customer who pays the right price, which the header
// and an event of kind set have a part in.
func shop(_ *testing.T, in []byte) {
	if len(in) < 4 {
		return
	}
	price := uint64(binary.LittleEndian.Uint32(in)) ^ 0x5eed1234
	for in = in[4:]; len(in) >= 6; in = in[6:] {
		pays := uint64(binary.LittleEndian.Uint32(in[1:]))
		if in[0]%2 == 0 {
			price += uint64(in[1])
		} else if ijon.Cmp(codeOf, 0, pays, price); pays == price {
			ijon.Violated("sold")
			return
		}
		ijon.Step()
	}
}

// blind makes mutants without what annotations have compared.
func blind(s *search) {
	s.maker = mutate.New(s.rng, ijon.Declared(), s.config.MaxLen, mutate.Vocabulary{})
}

// TestComparisonsAreMadeTrue gives two searches the same number of runs. One
// of them does not use what the annotations compare: it has only that more
// bits, or bytes, agree.
func TestComparisonsAreMadeTrue(t *testing.T) {
	for _, c := range []struct {
		name   string
		layout ijon.Layout
		fn     func(*testing.T, []byte)
		execs  uint64
	}{{"safe", ijon.Layout{}, safe, 40000}, {"shop", orderLayout, shop, 3000}} {
		for seed := uint64(1); seed <= 3; seed++ {
			config := wire.Config{Seed: seed, Execs: c.execs, MaxLen: 400, Feedback: []string{"max"}}
			if got := conductAs(t, t, config, c.layout, c.fn, blind); len(got.failures) != 0 {
				t.Errorf("%s, seed %d: found without operands in %d runs", c.name, seed, got.last.Execs)
			}
			got := conduct(t, t, config, c.layout, c.fn)
			if len(got.failures) != 1 {
				t.Errorf("%s, seed %d: not found; best %v", c.name, seed, got.last.Best)
				continue
			}
			t.Logf("%s, seed %d: %d runs", c.name, seed, got.last.Execs)
		}
	}
}
