package mutate

import (
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
)

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
	ijon.StrDist(ijon.Declare(ijon.VerbStrDist, "word"), 0, "EF", "12345")
	ijon.NoteOperands(false)
	s := newScheduler(NewRNG(1, 0, 0), ijon.Layout{Header: 2, Record: 4}, 100, Vocabulary{Operands: true})
	s.parent, s.other = &Parent{Operands: ijon.Run{}.Operands(nil)}, None
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
