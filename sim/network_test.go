package sim

import (
	"fmt"
	"strings"
	"testing"
)

// wire returns a network of three nodes with messages "a", "b", "c" on the
// link from 0 to 1 and "x" on the link from 2 to 0.
func wire() *Network {
	w := &Network{}
	w.Reset(3)
	for _, m := range []string{"a", "b", "c"} {
		w.Send(0, 1, m)
	}
	w.Send(2, 0, "x")
	return w
}

func (w *Network) show() string {
	var s []string
	w.Visit(func(from, to int, msg interface{}) {
		s = append(s, fmt.Sprintf("%d%d%v", from, to, msg))
	})
	return strings.Join(s, " ")
}

func TestOperators(t *testing.T) {
	const link01 = 0*3 + 1
	tests := []struct {
		name string
		do   func(w *Network)
		want string
	}{
		{"nothing", func(w *Network) {}, "01a 01b 01c 20x"},
		{"take", func(w *Network) { w.Take(link01) }, "01b 01c 20x"},
		{"take all", func(w *Network) {
			for w.Take(link01) != nil {
			}
		}, "20x"},
		{"duplicate", func(w *Network) {
			w.Duplicate(link01, func(m interface{}) interface{} { return m.(string) + "'" })
		}, "01a 01b 01c 01a' 20x"},
		{"duplicate nothing", func(w *Network) { w.Duplicate(2, nil) }, "01a 01b 01c 20x"},
		{"reorder", func(w *Network) { w.Reorder(link01, 1) }, "01b 01a 01c 20x"},
		{"reorder to the end", func(w *Network) { w.Reorder(link01, 99) }, "01b 01c 01a 20x"},
		{"reorder nothing", func(w *Network) { w.Reorder(2, 3) }, "01a 01b 01c 20x"},
		{"one way", func(w *Network) {
			w.Partition(1<<0, 1<<1|1<<2)
			w.Send(0, 2, "lost")
			w.Send(2, 0, "y")
		}, "01a 01b 01c 20x 20y"},
		{"two ways", func(w *Network) {
			w.Partition(1<<0, 1<<1|1<<2)
			w.Partition(1<<1|1<<2, 1<<0)
			w.Send(0, 2, "lost")
			w.Send(2, 0, "lost")
			w.Send(1, 2, "y")
		}, "01a 01b 01c 12y 20x"},
		{"heal", func(w *Network) {
			w.Partition(1<<0, 1<<1)
			w.Heal()
			w.Send(0, 1, "d")
		}, "01a 01b 01c 01d 20x"},
		{"clear", func(w *Network) { w.Clear() }, ""},
		{"reset", func(w *Network) { w.Reset(3) }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := wire()
			test.do(w)
			if got := w.show(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if n := len(strings.Fields(test.want)); w.InFlight() != n {
				t.Errorf("%d in flight, want %d", w.InFlight(), n)
			}
		})
	}
}

func TestLinksAreFoundFromANumberOn(t *testing.T) {
	w := wire() // links 1 and 6 of 9
	for a, want := range map[int]int{0: 1, 1: 1, 2: 6, 6: 6, 7: 1, 9: 1, 11: 6, 255: 6} {
		if got := w.Open(a); got != want {
			t.Errorf("Open(%d) = %d, want %d", a, got, want)
		}
	}
	w.Partition(1<<0, 1<<1)
	if got := w.Open(0); got != 6 {
		t.Errorf("Open(0) = %d with link 1 cut, want 6", got)
	}
	if got := w.Busy(0); got != 1 {
		t.Errorf("Busy(0) = %d with link 1 cut, want 1", got)
	}
	if from, to := w.Link(6); from != 2 || to != 0 {
		t.Errorf("Link(6) = %d, %d", from, to)
	}
	w.Clear()
	if w.Open(0) != -1 || w.Busy(0) != -1 {
		t.Error("a link is found in an empty network")
	}
}

func TestAFullQueueLoses(t *testing.T) {
	w := &Network{}
	w.Reset(2)
	for i := 0; i < MaxQueue; i++ {
		if !w.Send(0, 1, i) {
			t.Fatalf("message %d is lost", i)
		}
	}
	if w.Accepts(0, 1) || w.Send(0, 1, MaxQueue) {
		t.Error("a full queue takes another message")
	}
	for i := 0; i < MaxQueue; i++ { // and keeps the order while it wraps
		if got := w.Take(1); got != i {
			t.Fatalf("took %v, want %d", got, i)
		}
		w.Send(0, 1, MaxQueue+i)
	}
	if got := w.Take(1); got != MaxQueue || w.Waiting(0, 1) != MaxQueue-1 {
		t.Errorf("took %v, %d wait", got, w.Waiting(0, 1))
	}
}

func BenchmarkNetwork(b *testing.B) {
	w := &Network{}
	w.Reset(5)
	var msg interface{} = w
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		w.Send(i%5, (i+1)%5, msg)
		w.Take(w.Open(i))
	}
}

// TestCopyFrom: the copy is equal, has messages of its own, and what happens to
// the one is nothing to the other, whatever the copy was before.
func TestCopyFrom(t *testing.T) {
	w := wire()
	w.Take(0*3 + 1)
	w.Partition(1, 2)
	copied := &Network{}
	copied.Reset(5)
	copied.Send(4, 3, "old")
	copied.CopyFrom(w, func(m interface{}) interface{} { return m.(string) + "'" })
	w.Send(2, 1, "y")
	w.Heal()
	if got, want := copied.show(), "01b' 01c' 20x'"; got != want || copied.InFlight() != 3 {
		t.Errorf("copied %q, %d in flight, want %q", got, copied.InFlight(), want)
	}
	if !copied.Cut(0, 1) || copied.Send(0, 1, "z") || !copied.Send(1, 0, "z") {
		t.Error("the copy has other cuts")
	}
	if got, want := w.show(), "01b 01c 20x 21y"; got != want {
		t.Errorf("the original has %q, want %q", got, want)
	}
}
