package rewrite

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
)

// A domain is the values that a type has, as far as bins can tell them apart:
// integers, floats, strings, and bool as the integers 0 and 1.
type domain struct {
	kind     kind
	min, max constant.Value // of integers and bool
	single   bool           // float32
}

// domainOf is the domain of a type; its kind is kindOther when bins can only
// be conditions.
func domainOf(t types.Type, sizes types.Sizes) domain {
	d := domain{kind: kindOf(t)}
	bits := uint(64)
	if _, generic := types.Unalias(t).(*types.TypeParam); !generic && sizes != nil && d.kind.number() {
		bits = uint(8 * sizes.Sizeof(t))
	}
	one := constant.MakeInt64(1)
	switch d.kind {
	case kindInt:
		end := constant.Shift(one, token.SHL, bits-1)
		d.min, d.max = constant.UnaryOp(token.SUB, end, 0), constant.BinaryOp(end, token.SUB, one)
	case kindUint:
		d.min, d.max = constant.MakeInt64(0), constant.BinaryOp(constant.Shift(one, token.SHL, bits), token.SUB, one)
	case kindBool:
		d.min, d.max = constant.MakeInt64(0), one
	case kindFloat:
		d.single = bits == 32
	case kindString:
	default:
		d.kind = kindOther
	}
	return d
}

// integers tells whether the values can be counted.
func (d domain) integers() bool { return d.min != nil }

// value is v as a value of the domain, or nil when it is of another kind.
func (d domain) value(v constant.Value) constant.Value {
	switch d.kind {
	case kindInt, kindUint:
		if v = constant.ToInt(v); v.Kind() == constant.Int {
			return v
		}
	case kindFloat:
		if v = constant.ToFloat(v); v.Kind() == constant.Float {
			return d.rounded(v)
		}
	case kindBool:
		if v.Kind() == constant.Bool {
			if constant.BoolVal(v) {
				return d.max
			}
			return d.min
		}
	case kindString:
		if v.Kind() == constant.String {
			return v
		}
	}
	return nil
}

// rounded is the float that the program has for v.
func (d domain) rounded(v constant.Value) constant.Value {
	if d.single {
		f, _ := constant.Float32Val(v)
		return constant.MakeFloat64(float64(f))
	}
	f, _ := constant.Float64Val(v)
	return constant.MakeFloat64(f)
}

// has tells whether the type can hold v, a value of the domain.
func (d domain) has(v constant.Value) bool {
	if d.integers() {
		return !less(v, d.min) && !less(d.max, v)
	}
	if d.kind == kindFloat {
		f, _ := constant.Float64Val(v)
		return !math.IsInf(f, 0)
	}
	return true
}

// closed puts the ends of the type in place of open ones.
func (d domain) closed(in interval) interval {
	if in.lo == nil {
		in.lo = d.min
	}
	if in.hi == nil {
		in.hi = d.max
	}
	return in
}

// literal is v in Go, as a number or string of the kind that the runtime sees.
func (d domain) literal(v constant.Value) string {
	if d.kind == kindFloat {
		f, _ := constant.Float64Val(v)
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return v.ExactString()
}

// An interval is the values from lo to hi, both included. A nil end is open.
type interval struct{ lo, hi constant.Value }

func single(v constant.Value) interval { return interval{v, v} }

func less(a, b constant.Value) bool  { return constant.Compare(a, token.LSS, b) }
func equal(a, b constant.Value) bool { return constant.Compare(a, token.EQL, b) }

// one tells whether the interval is a single value.
func (in interval) one() bool { return in.lo != nil && in.hi != nil && equal(in.lo, in.hi) }

func (in interval) empty() bool { return in.lo != nil && in.hi != nil && less(in.hi, in.lo) }

// before tells whether all of in is below all of other.
func (in interval) before(other interval) bool {
	return in.hi != nil && other.lo != nil && less(in.hi, other.lo)
}

func (in interval) overlaps(other interval) bool { return !in.before(other) && !other.before(in) }

// contains tells whether all of other is in it.
func (in interval) contains(other interval) bool {
	return (in.lo == nil || other.lo != nil && !less(other.lo, in.lo)) &&
		(in.hi == nil || other.hi != nil && !less(in.hi, other.hi))
}

// minus is what is left of integers, closed ones, without those of cut.
func (in interval) minus(cut interval) []interval {
	if !in.overlaps(cut) {
		return []interval{in}
	}
	one := constant.MakeInt64(1)
	var rest []interval
	if less(in.lo, cut.lo) {
		rest = append(rest, interval{in.lo, constant.BinaryOp(cut.lo, token.SUB, one)})
	}
	if less(cut.hi, in.hi) {
		rest = append(rest, interval{constant.BinaryOp(cut.hi, token.ADD, one), in.hi})
	}
	return rest
}

// without is what is left of in without all cuts. Of values that cannot be
// counted it is all or nothing.
func (d domain) without(in interval, cuts []interval) []interval {
	if !d.integers() {
		if slices.ContainsFunc(cuts, func(c interval) bool { return c.contains(in) }) {
			return nil
		}
		return []interval{in}
	}
	rest := []interval{d.closed(in)}
	for _, c := range cuts {
		var next []interval
		for _, r := range rest {
			next = append(next, r.minus(d.closed(c))...)
		}
		rest = next
	}
	return rest
}
