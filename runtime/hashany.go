package ijon

import (
	"fmt"
	"reflect"
)

// HashAny folds a value of any type into h: the type and what is in it, by
// reflection, so that none of its methods is called. A pointer counts for
// what it points to, but inside of that, and of structs and arrays, only for
// whether it is nil: addresses differ from run to run. So do maps, channels
// and functions; of a slice the length counts. It allocates; instrumented
// code uses it for structs, arrays and interfaces only.
func HashAny(h uint64, v interface{}) uint64 {
	rv := reflect.ValueOf(v)
	out := hashTyped(h, rv, true)
	if trace != nil {
		note(h, out, show(rv, out))
	}
	return out
}

// hashTyped folds the type, and the value if it is valid, which that of a nil
// interface is not.
func hashTyped(h uint64, v reflect.Value, follow bool) uint64 {
	if !v.IsValid() {
		return fold(h, 0)
	}
	return hashValue(hashText(h, v.Type().String()), v, follow)
}

func hashText(h uint64, s string) uint64 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 0x100000001B3
	}
	return fold(h, uint64(len(s)))
}

func hashValue(h uint64, v reflect.Value, follow bool) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return fold(h, 1)
		}
		return fold(h, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fold(h, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return fold(h, v.Uint())
	case reflect.Float32, reflect.Float64:
		return fold(h, floatBits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		return fold(fold(h, floatBits(real(v.Complex()))), floatBits(imag(v.Complex())))
	case reflect.String:
		return hashText(h, v.String())
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			h = hashValue(h, v.Field(i), false)
		}
		return h
	case reflect.Array:
		for i := 0; i < v.Len(); i++ {
			h = hashValue(h, v.Index(i), false)
		}
		return h
	case reflect.Slice:
		return fold(h, uint64(v.Len()))
	case reflect.Interface:
		return hashTyped(h, v.Elem(), false)
	}
	return hashReference(h, v, follow)
}

func hashReference(h uint64, v reflect.Value, follow bool) uint64 {
	switch {
	case v.Kind() == reflect.UnsafePointer:
		return h
	case v.IsNil():
		return fold(h, 0)
	case follow && v.Kind() == reflect.Ptr:
		return hashValue(fold(h, 1), v.Elem(), false)
	}
	return fold(h, 1)
}

// show is a value for the timeline, without calling its methods.
func show(v reflect.Value, hash uint64) string {
	if !v.IsValid() {
		return "nil"
	}
	switch v.Kind() {
	case reflect.Bool:
		return fmt.Sprintf("%v(%v)", v.Type(), v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprintf("%v(%d)", v.Type(), v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return fmt.Sprintf("%v(%d)", v.Type(), v.Uint())
	case reflect.String:
		return fmt.Sprintf("%v(%q)", v.Type(), v.String())
	}
	return fmt.Sprintf("%v#%04x", v.Type(), uint16(hash))
}
