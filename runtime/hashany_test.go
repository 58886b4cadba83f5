package ijon

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"unsafe"
)

type shy struct {
	n    int
	next *shy
}

func (shy) GoString() string { panic("a method was called") }
func (shy) String() string   { panic("a method was called") }
func (shy) Error() string    { panic("a method was called") }

func TestHashAny(t *testing.T) {
	type pair struct {
		a int8
		b interface{}
	}
	x, y := 1, 1
	equal := [][2]interface{}{
		{nil, nil},
		{shy{n: 1, next: &shy{n: 2}}, shy{n: 1, next: &shy{n: 3}}}, // a pointer inside
		{&x, &y},
		{errors.New("a"), errors.New("a")},
		{math.Copysign(0, -1), 0.0},
		{complex(math.NaN(), 1), complex(math.NaN(), 1)},
		{[]int{1}, []int{2}}, // the length of a slice
		{pair{1, "b"}, pair{1, "b"}},
		{map[int]int{}, map[int]int{1: 1}},
		{unsafe.Pointer(&x), unsafe.Pointer(&y)},
	}
	for _, c := range equal {
		if HashAny(Hash, c[0]) != HashAny(Hash, c[1]) {
			t.Errorf("%T differs from itself", c[0])
		}
	}
	differ := []interface{}{
		nil, 0, int8(0), uint(0), false, true, "", "0", 0.0, 1.5, 1i, shy{}, shy{n: 1}, &shy{n: 1}, (*shy)(nil), shy{next: &shy{}},
		errors.New("a"), errors.New("b"), [2]int{1, 2}, [2]int{2, 1}, pair{1, nil}, pair{1, "b"}, pair{1, 'b'}, []int{}, []int{1},
		map[int]int(nil), map[int]int{}, struct{}{},
	}
	seen := map[uint64]int{}
	for i, v := range differ {
		h := HashAny(Hash, v)
		if j, ok := seen[h]; ok {
			t.Errorf("%d (%T) and %d (%T) are one value", i, v, j, differ[j])
		}
		seen[h] = i
	}
}

func TestTimelineShowsValuesWithoutTheirMethods(t *testing.T) {
	id := Declare(VerbSet, "shown by kind")
	var lines []string
	Trace(func(line string) { lines = append(lines, line) })
	defer Trace(nil)
	observed(t, func() {
		for _, v := range []interface{}{nil, int8(3), uint(4), "x", true, shy{}} {
			SetTuple(id, HashAny(Hash, v))
		}
	})
	want := []string{"nil", "int8(3)", "uint(4)", `string("x")`, "bool(true)", fmt.Sprintf("ijon.shy#%04x", uint16(HashAny(Hash, shy{})))}
	for i, line := range lines {
		if line != "    ijon set shown by kind: "+want[i] {
			t.Errorf("%s, want %s", line, want[i])
		}
	}
	if len(lines) != len(want) {
		t.Errorf("%d lines", len(lines))
	}
}
