package fuzz

import (
	"bytes"
	"testing"

	"github.com/ijongo/ijongo/fuzz/mutate"
	ijon "github.com/ijongo/ijongo/runtime"
)

// kinds are the first bytes of the events.
func kinds(input []byte, l ijon.Layout) (all []byte) {
	for i := l.Header; i+l.Record <= len(input); i += l.Record {
		all = append(all, input[i])
	}
	return all
}

// subsequence tells whether the events of want come in that order.
func subsequence(events, want []byte) bool {
	for _, e := range events {
		if len(want) > 0 && e == want[0] {
			want = want[1:]
		}
	}
	return len(want) == 0
}

func TestMinimizeKeepsTheEventsThatMatter(t *testing.T) {
	l := ijon.Layout{Header: 3, Record: 5}
	r := mutate.NewRNG(1, 0, 0)
	input := make([]byte, 3+1000*5)
	r.Fill(input)
	want := []byte{7, 200, 31, 7}
	for i, k := range want {
		input[l.Header+(100+250*i)*l.Record] = k
	}
	input[1] = 99
	calls := 0
	fails := func(in []byte) bool {
		calls++
		return in[1] >= 40 && subsequence(kinds(in, l), want)
	}
	got := Minimize(input, l, 5000, fails)
	if !bytes.Equal(kinds(got, l), want) || len(got) != 3+4*5 {
		t.Errorf("%d bytes, events %v", len(got), kinds(got, l))
	}
	for i, v := range got {
		if i == 1 && v != 63 || i != 1 && (i < l.Header || (i-l.Header)%l.Record != 0) && v != 0 {
			t.Errorf("byte %d is %d", i, v)
		}
	}
	if calls > 2000 {
		t.Errorf("%d calls", calls)
	}
	if again := Minimize(input, l, 5000, fails); !bytes.Equal(got, again) {
		t.Error("the second time it is another one")
	}
}

func TestMinimizeBytes(t *testing.T) {
	input := bytes.Repeat([]byte("lorem ipsum "), 40)
	copy(input[100:], "raft")
	copy(input[300:], "log")
	got := Minimize(input, ijon.Layout{}, 3000, func(in []byte) bool {
		at := bytes.Index(in, []byte("raft"))
		return at >= 0 && bytes.Contains(in[at:], []byte("log"))
	})
	if string(got) != "raftlog" {
		t.Errorf("got %q", got)
	}
}

// A partition and the heal that must follow it go together or not at all.
func TestMinimizeRemovesEventsThatBelongTogether(t *testing.T) {
	l := ijon.Layout{Header: 1, Record: 2}
	const cut, heal, bug = 1, 2, 3
	got := Minimize([]byte{0, cut, 9, 7, 9, bug, 9, 7, 9, heal, 9}, l, 1000, func(in []byte) bool {
		events := kinds(in, l)
		return bytes.Count(events, []byte{cut}) == bytes.Count(events, []byte{heal}) && bytes.Contains(events, []byte{bug})
	})
	if want := []byte{0, bug, 0}; !bytes.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestMinimizeStaysInItsBudget(t *testing.T) {
	input := make([]byte, 400)
	mutate.NewRNG(5, 0, 0).Fill(input)
	for budget := 0; budget < 60; budget++ {
		calls := 0
		last := input
		got := Minimize(input, ijon.Layout{Header: 2, Record: 3}, budget, func(in []byte) bool {
			calls++
			ok := len(in) > 50
			if ok {
				last = append([]byte(nil), in...)
			}
			return ok
		})
		if calls > budget || !bytes.Equal(got, last) {
			t.Fatalf("budget %d: %d calls, %d bytes", budget, calls, len(got))
		}
	}
}

func TestMinimizeShortInputs(t *testing.T) {
	for _, l := range []ijon.Layout{{}, {Header: 4, Record: 3}, {Record: 1}} {
		for n := 0; n < 12; n++ {
			input := bytes.Repeat([]byte{9}, n)
			Minimize(input, l, 100, func([]byte) bool { return true })
			if got := Minimize(input, l, 100, func([]byte) bool { return false }); !bytes.Equal(got, input) {
				t.Errorf("%+v: %v became %v", l, input, got)
			}
		}
	}
}

// TestBytesInThrees has an input of records that nothing declares: three bytes
// each, of which those that begin with x count.
func TestBytesInThrees(t *testing.T) {
	input := []byte("abcxbcabcabcxbcabcabcabcxbcabc")
	got := Minimize(input, ijon.Layout{}, 1000, func(b []byte) bool {
		n := 0
		for ; len(b) >= 3; b = b[3:] {
			if b[0] == 'x' {
				n++
			}
		}
		return n >= 3
	})
	if len(got) != 9 {
		t.Errorf("%q", got)
	}
}
