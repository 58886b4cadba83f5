package fuzz

import (
	"encoding/binary"
	"strconv"
	"strings"
	"testing"

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

func havocOf(m maker) *havoc {
	if s, ok := m.(*scheduler); ok {
		return &s.havoc
	}
	return &m.(*scribe).havoc
}

// blind takes the mutator away that uses operands.
func blind(s *search) {
	h := havocOf(s.maker)
	for i, m := range h.mutators {
		if m.name == "operands" {
			h.begin(append(h.mutators[:i:i], h.mutators[i+1:]...))
			return
		}
	}
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

// TestOperandsAreWrittenInManyForms exchanges numbers in each form, and does
// not where one of them has not that form.
func TestOperandsAreWrittenInManyForms(t *testing.T) {
	minus2 := ^uint64(1)
	for _, c := range []struct {
		v    uint64
		form int
		want string
	}{
		{7, 0, "\x07"}, {300, 0, ""}, {minus2, 0, "\xfe"},
		{300, 2, "\x2c\x01"}, {300, 3, "\x01\x2c"}, {minus2, 3, "\xff\xfe"}, {1 << 16, 2, ""},
		{0x01020304, 4, "\x04\x03\x02\x01"}, {0x01020304, 5, "\x01\x02\x03\x04"},
		{0x0102030405060708, 6, "\x08\x07\x06\x05\x04\x03\x02\x01"}, {0x0102030405060708, 5, ""},
		{1789, forms - 1, "1789"}, {minus2, forms - 1, "-2"},
	} {
		var buf [maxForm]byte
		if got := spell(buf[:0], c.v, c.form); string(got) != c.want {
			t.Errorf("%d in form %d: %q, want %q", c.v, c.form, got, c.want)
		}
	}
}

// TestOperandsOfAScheduleStayInTheirEvent has the operand in the kinds, where
// it is not looked for, and in the last two bytes of an event, where only the
// start of the other one fits.
func TestOperandsOfAScheduleStayInTheirEvent(t *testing.T) {
	ijon.Enable()
	ijon.NoteOperands(true)
	ijon.Begin(1)
	ijon.StrDist(wordOf, 0, "EF", "12345")
	ijon.NoteOperands(false)
	s := newScheduler(newRNG(1, 0, 0), ijon.Layout{Header: 2, Record: 4}, 100, vocabulary{operands: true})
	s.parent, s.other = &entry{operands: compared()}, none
	in := []byte("hhEABCEDEFEGHI")
	replaced := false
	for n := 0; n < 200; n++ {
		got := s.operands(append(make([]byte, 0, 100), in...))
		if len(got) != len(in) || got[2] != 'E' || got[6] != 'E' || got[10] != 'E' {
			t.Fatalf("%q", got)
		}
		replaced = replaced || string(got) == "hhEABCED12EGHI"
	}
	if !replaced {
		t.Error("the operand was never replaced")
	}
}
