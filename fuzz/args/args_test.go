package args

import (
	"bytes"
	"math"
	"math/rand"
	"reflect"
	"strings"
	"testing"
)

// every has each type that testing.F.Fuzz allows, strings and slices mixed in.
func every(*testing.T, string, bool, int, int8, int16, int32, int64, []byte, uint, uint8, uint16, uint32, uint64, float32, float64, string) {
}

func signature(t testing.TB, fn interface{}) Signature {
	t.Helper()
	s, err := Of(reflect.TypeOf(fn))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOneByteSliceIsTheFlatSlice(t *testing.T) {
	s := signature(t, func(*testing.T, []byte) {})
	flat := []byte("raft")
	if got := s.Values(flat, nil)[0].Bytes(); &got[0] != &flat[0] || len(got) != 4 {
		t.Errorf("got %q, a copy", got)
	}
}

func TestScalarsStandFirst(t *testing.T) {
	s := signature(t, func(*testing.T, string, uint16, []byte, bool, string) {})
	flat := []byte{0x34, 0x12, 1, 2, 0, 3, 0, 'a', 'b', 'c', 'd', 'e', 'f', 'g'}
	v := s.Values(flat, nil)
	if v[0].String() != "ab" || v[1].Uint() != 0x1234 || string(v[2].Bytes()) != "cde" || !v[3].Bool() || v[4].String() != "fg" {
		t.Errorf("got %v", v)
	}
	back, err := s.Flat(v)
	if err != nil || !bytes.Equal(back, flat) {
		t.Errorf("encoded to %v, %v, want %v", back, err, flat)
	}
}

func TestAnyBytesDecodeAndSurviveTheTrip(t *testing.T) {
	s := signature(t, every)
	r := rand.New(rand.NewSource(1))
	for n := 0; n < 2000; n++ {
		flat := make([]byte, r.Intn(120))
		r.Read(flat)
		v := s.Values(flat, nil)
		again, err := s.Flat(v)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := s.Flat(s.Values(again, nil)); err != nil || !bytes.Equal(same, again) {
			t.Fatalf("%x became %x, %v", again, same, err)
		}
		names, parsed, err := ParseGoFile(s.GoFile(flat))
		if err != nil || !reflect.DeepEqual(names, s) || !bytes.Equal(parsed, again) {
			t.Fatalf("Go file of %x gives %v %x, %v\n%s", again, names, parsed, err, s.GoFile(flat))
		}
	}
}

func TestOfRejects(t *testing.T) {
	type mine string
	for _, fn := range []interface{}{
		nil, 1, func() {}, func(*testing.T) {}, func(*testing.B, int) {}, func(*testing.T, int) int { return 0 },
		func(*testing.T, mine) {}, func(*testing.T, []string) {}, func(*testing.T, complex128) {}, func(*testing.T, ...byte) {},
	} {
		if s, err := Of(reflect.TypeOf(fn)); err == nil {
			t.Errorf("%T: got %v", fn, s)
		}
	}
}

func TestFlatRejects(t *testing.T) {
	s := signature(t, func(*testing.T, string, string) {})
	_, err := s.Flat([]reflect.Value{reflect.ValueOf(strings.Repeat("x", 70000)), reflect.ValueOf("")})
	if err == nil || !strings.Contains(err.Error(), "value 1 has 70000 bytes") {
		t.Error(err)
	}
	if _, err := s.Flat([]reflect.Value{reflect.ValueOf("")}); err == nil {
		t.Error("one value for two parameters was accepted")
	}
	if _, err := s.Flat([]reflect.Value{reflect.ValueOf(1), reflect.ValueOf("")}); err == nil {
		t.Error("an int for a string was accepted")
	}
}

// TestParseGoFile holds the spellings that Go writes and those that people write.
func TestParseGoFile(t *testing.T) {
	for _, c := range []struct {
		line, name string
		value      interface{}
	}{
		{`[]byte("\x00a")`, "[]byte", []byte("\x00a")},
		{"string(`raw`)", "string", "raw"},
		{`bool(true)`, "bool", true},
		{`byte('\xff')`, "uint8", uint8(255)},
		{`byte(7)`, "uint8", uint8(7)},
		{`uint8(7)`, "uint8", uint8(7)},
		{`rune('€')`, "int32", '€'},
		{`int32(-1)`, "int32", int32(-1)},
		{`int(-0x10)`, "int", -16},
		{`uint64(18446744073709551615)`, "uint64", uint64(math.MaxUint64)},
		{`float64(-Inf)`, "float64", math.Inf(-1)},
		{`float64(+Inf)`, "float64", math.Inf(1)},
		{`float32(1e-3)`, "float32", float32(1e-3)},
		{`float64(1)`, "float64", 1.0},
		{`math.Float64frombits(0x8000000000000000)`, "float64", math.Copysign(0, -1)},
	} {
		s, flat, err := ParseGoFile([]byte("go test fuzz v1\r\n" + c.line + "\r\n"))
		if err != nil || len(s) != 1 || s[0] != c.name {
			t.Errorf("%s: %v, %v", c.line, s, err)
			continue
		}
		if got := s.Values(flat, nil)[0].Interface(); !reflect.DeepEqual(got, c.value) {
			t.Errorf("%s: got %v, want %v", c.line, got, c.value)
		}
	}
}

func TestParseGoFileNamesTheLine(t *testing.T) {
	for src, want := range map[string]string{
		"":                                      "line 1: not a Go corpus file",
		"go test fuzz v2\nint(1)\n":             "line 1: not a Go corpus file",
		"go test fuzz v1\n":                     "no value",
		"go test fuzz v1\nint(1)\nint8(300)\n":  "line 3: int8(300)",
		"go test fuzz v1\nint(1\n":              "line 2: int(1",
		"go test fuzz v1\ncomplex64(1)\n":       "complex64 is not a type",
		"go test fuzz v1\nstring(1)\n":          "not a string literal",
		"go test fuzz v1\nbool(maybe)\n":        "not true or false",
		"go test fuzz v1\nint(1.5)\n":           "not an integer",
		"go test fuzz v1\nbyte('€')\n":          "does not fit",
		"go test fuzz v1\nfloat64(\"x\")\n":     "not a number",
		"go test fuzz v1\nint(1, 2)\n":          "not a value",
		"go test fuzz v1\nstring(\"a\" + \"\")": "not a string literal",
	} {
		if _, _, err := ParseGoFile([]byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", src, err, want)
		}
	}
}

func TestValuesOfScalarsDoNotAllocate(t *testing.T) {
	s := signature(t, func(*testing.T, int, uint16, bool, float64, []byte) {})
	flat := []byte("0123456789abcdefghijklmnopq")
	buf := s.Values(flat, nil)
	if n := testing.AllocsPerRun(100, func() { s.Values(flat, buf) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkValues(b *testing.B) {
	s := signature(b, func(*testing.T, int, uint16, bool, float64, []byte) {})
	flat := []byte("0123456789abcdefghijklmnopq")
	buf := s.Values(flat, nil)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		s.Values(flat, buf)
	}
}
