package args

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"testing"
)

// A Signature lists the parameter types of a fuzz function behind the
// *testing.T, by their Go names: "[]byte", "string", "bool", "int32".
type Signature []string

// types are the parameter types that testing.F.Fuzz allows.
var types = map[string]reflect.Type{
	"[]byte":  reflect.TypeOf([]byte(nil)),
	"string":  reflect.TypeOf(""),
	"bool":    reflect.TypeOf(false),
	"int":     reflect.TypeOf(int(0)),
	"int8":    reflect.TypeOf(int8(0)),
	"int16":   reflect.TypeOf(int16(0)),
	"int32":   reflect.TypeOf(int32(0)),
	"int64":   reflect.TypeOf(int64(0)),
	"uint":    reflect.TypeOf(uint(0)),
	"uint8":   reflect.TypeOf(uint8(0)),
	"uint16":  reflect.TypeOf(uint16(0)),
	"uint32":  reflect.TypeOf(uint32(0)),
	"uint64":  reflect.TypeOf(uint64(0)),
	"float32": reflect.TypeOf(float32(0)),
	"float64": reflect.TypeOf(float64(0)),
}

// widths are the bytes of a scalar in the flat form.
var widths = map[string]int{
	"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4,
	"int64": 8, "uint64": 8, "int": 8, "uint": 8, "float32": 4, "float64": 8,
}

// maxPart is the longest string or slice that is not the last one.
const maxPart = math.MaxUint16

var testingT = reflect.TypeOf((*testing.T)(nil))

// Of is the signature of a fuzz function, func(*testing.T, ...).
func Of(fn reflect.Type) (Signature, error) {
	if fn == nil || fn.Kind() != reflect.Func || fn.NumIn() < 2 || fn.In(0) != testingT || fn.NumOut() != 0 || fn.IsVariadic() {
		return nil, fmt.Errorf("%v is not a fuzz function (want func(*testing.T, ...) with at least one value and no result)", fn)
	}
	var s Signature
	for i := 1; i < fn.NumIn(); i++ {
		name := fn.In(i).String()
		if fn.In(i) == types["[]byte"] {
			name = "[]byte"
		}
		if types[name] != fn.In(i) {
			return nil, fmt.Errorf("parameter %d of the fuzz function is a %v (testing.F.Fuzz allows []byte, string, bool, integers and floats)", i, fn.In(i))
		}
		s = append(s, name)
	}
	return s, nil
}

// Bytes tells whether the one parameter is the flat slice itself.
func (s Signature) Bytes() bool { return len(s) == 1 && s[0] == "[]byte" }

// Values decodes flat. If buf holds the values of an earlier call they are
// overwritten, so that decoding scalars does not allocate. A []byte aliases
// flat.
func (s Signature) Values(flat []byte, buf []reflect.Value) []reflect.Value {
	if len(buf) != len(s) {
		buf = buf[:0]
		for _, name := range s {
			buf = append(buf, reflect.New(types[name]).Elem())
		}
	}
	parts := 0
	for i, name := range s {
		width := widths[name]
		if width == 0 {
			parts++
			continue
		}
		var word [8]byte
		flat = flat[copy(word[:width], flat):]
		setScalar(buf[i], binary.LittleEndian.Uint64(word[:]))
	}
	s.setParts(flat, buf, parts)
	return buf
}

// setParts decodes the strings and slices from the lengths and bytes in flat.
func (s Signature) setParts(flat []byte, buf []reflect.Value, parts int) {
	if parts == 0 {
		return
	}
	lengths := flat
	flat = flat[least(2*(parts-1), len(flat)):]
	for i, name := range s {
		if widths[name] != 0 {
			continue
		}
		n := len(flat)
		if parts--; parts > 0 {
			var word [2]byte
			lengths = lengths[copy(word[:], lengths):]
			n = least(int(binary.LittleEndian.Uint16(word[:])), n)
		}
		if name == "string" {
			buf[i].SetString(string(flat[:n]))
		} else {
			buf[i].SetBytes(flat[:n:n])
		}
		flat = flat[n:]
	}
}

func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func setScalar(v reflect.Value, bits uint64) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(bits&1 != 0)
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(bits))))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(bits))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		v.SetUint(bits)
	default:
		shift := 64 - 8*uint(widths[v.Type().String()])
		v.SetInt(int64(bits<<shift) >> shift)
	}
}

func scalar(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case reflect.Float32:
		return uint64(math.Float32bits(float32(v.Float())))
	case reflect.Float64:
		return math.Float64bits(v.Float())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		return v.Uint()
	}
	return uint64(v.Int())
}

// Flat encodes the values of one call.
func (s Signature) Flat(values []reflect.Value) ([]byte, error) {
	if len(values) != len(s) {
		return nil, fmt.Errorf("%d values for the %d parameters of the fuzz function", len(values), len(s))
	}
	var flat, lengths, bytes []byte
	parts := 0
	for i, name := range s {
		if values[i].Type() != types[name] {
			return nil, fmt.Errorf("value %d is a %v, want %s", i+1, values[i].Type(), name)
		}
		var word [8]byte
		if width := widths[name]; width != 0 {
			binary.LittleEndian.PutUint64(word[:], scalar(values[i]))
			flat = append(flat, word[:width]...)
			continue
		}
		n := values[i].Len()
		if parts++; parts < s.parts() {
			if n > maxPart {
				return nil, fmt.Errorf("value %d has %d bytes; only the last string or []byte may be longer than %d (make the long one the last parameter)", i+1, n, maxPart)
			}
			binary.LittleEndian.PutUint16(word[:], uint16(n))
			lengths = append(lengths, word[:2]...)
		}
		if name == "string" {
			bytes = append(bytes, values[i].String()...)
		} else {
			bytes = append(bytes, values[i].Bytes()...)
		}
	}
	return append(append(flat, lengths...), bytes...), nil
}

// parts is the number of strings and slices.
func (s Signature) parts() int {
	n := 0
	for _, name := range s {
		if widths[name] == 0 {
			n++
		}
	}
	return n
}
