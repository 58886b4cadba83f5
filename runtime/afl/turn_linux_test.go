//go:build linux && (amd64 || arm64)

package afl

import (
	"fmt"
	"sync/atomic"
	"testing"
	"unsafe"
)

// What a run costs beside the user's function and the tool.

func BenchmarkPipe(b *testing.B) {
	s, control, status := inProcess(b)
	f := newPiped(s.shared, s.ledger)
	f.begun = true
	request, answer := make([]byte, 4), make([]byte, 8)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := control.Write(request); err != nil {
			b.Fatal(err)
		}
		f.next()
		f.done()
		if n, err := status.Read(answer); n != len(answer) {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkFutex(b *testing.B) {
	word := new(uint32)
	f := &turns{word: word, begun: true}
	b.ReportAllocs()
	for b.Loop() {
		atomic.StoreUint32(word, turnChild)
		f.next()
		f.done()
	}
}

// TestLayout has the counters where the pages of their memory are in the map,
// and room for all else behind them.
func TestLayout(t *testing.T) {
	memory := make([]byte, 1<<20)
	base := -int(uintptr(unsafe.Pointer(&memory[0]))) & (1<<17 - 1) // of a large page
	annotated := &Settings{Set: true}
	for _, page := range []int{4096, 1 << 14, 1 << 16} {
		for _, at := range []int{0, 1, 64, 4095, 4096, 5000} {
			for _, n := range []int{0, 1, 63, 5000} {
				p := Program{Cov: memory[base+at : base+at+4096+roundUp(n, unit)+4096], First: 4096, Counters: n}
				name := fmt.Sprintf("%d counters at %d, pages of %d", n, at, page)
				l := layoutOf(p, annotated, page)
				if l.k < 1 || l.k > 4096 || l.edges != n || l.area < l.k+n || l.area%unit != 0 || l.size(false) != l.area+areaSize {
					t.Errorf("%s: %+v", name, l)
				}
				if head := p.head(page); page == 4096 && (at+head)%page != 0 || page == 4096 && head+l.k != p.First {
					t.Errorf("%s: the first page is at %d, counter 0 at %d of the map", name, head, l.k)
				}
			}
		}
	}
	p := Program{Cov: memory, First: 4096, Counters: 100}
	if l := layoutOf(p, &Settings{Edges: true}, 4096); l.size(false) != l.area {
		t.Errorf("with edges alone: %+v", l)
	}
	p.Counters = 64 << 20
	if l := layoutOf(p, annotated, 4096); l.size(true) > mapMost {
		t.Errorf("the map has %d bytes", l.size(true))
	}
}
