package ijon

import (
	"math"
	"math/bits"
)

// MaxInt asks for runs in which v is large.
func MaxInt(id ID, v int64) { MaxIntBy(id, 0, v) }

// MaxIntBy is MaxInt with a slot of its own for each key.
func MaxIntBy(id ID, by uint64, v int64) {
	if on {
		raise(id, by, ordInt(v))
	}
}

// MaxUint asks for runs in which v is large.
func MaxUint(id ID, v uint64) { MaxUintBy(id, 0, v) }

// MaxUintBy is MaxUint with a slot of its own for each key.
func MaxUintBy(id ID, by uint64, v uint64) {
	if on {
		raise(id, by, v)
	}
}

// MaxFloat asks for runs in which v is large. NaN never wins.
func MaxFloat(id ID, v float64) { MaxFloatBy(id, 0, v) }

// MaxFloatBy is MaxFloat with a slot of its own for each key.
func MaxFloatBy(id ID, by uint64, v float64) {
	if on && v == v {
		raise(id, by, ordFloat(v))
	}
}

// MinInt asks for runs in which v is small.
func MinInt(id ID, v int64) { MinIntBy(id, 0, v) }

// MinIntBy is MinInt with a slot of its own for each key.
func MinIntBy(id ID, by uint64, v int64) {
	if on {
		raise(id, by, ^ordInt(v))
	}
}

// MinUint asks for runs in which v is small.
func MinUint(id ID, v uint64) { MinUintBy(id, 0, v) }

// MinUintBy is MinUint with a slot of its own for each key.
func MinUintBy(id ID, by uint64, v uint64) {
	if on {
		raise(id, by, ^v)
	}
}

// MinFloat asks for runs in which v is small. NaN never wins.
func MinFloat(id ID, v float64) { MinFloatBy(id, 0, v) }

// MinFloatBy is MinFloat with a slot of its own for each key.
func MinFloatBy(id ID, by uint64, v float64) {
	if on && v == v {
		raise(id, by, ^ordFloat(v))
	}
}

// DistInt asks for runs in which a and b are close.
func DistInt(id ID, by uint64, a, b int64) {
	if !on {
		return
	}
	Compared(id, uint64(a), uint64(b))
	d := uint64(a) - uint64(b)
	if a < b {
		d = -d
	}
	raise(id, by, ^d)
}

// DistUint asks for runs in which a and b are close.
func DistUint(id ID, by uint64, a, b uint64) {
	if !on {
		return
	}
	Compared(id, a, b)
	d := a - b
	if a < b {
		d = -d
	}
	raise(id, by, ^d)
}

// DistFloat asks for runs in which a and b are close. NaN never wins.
func DistFloat(id ID, by uint64, a, b float64) {
	if d := math.Abs(a - b); on && d == d {
		comparedFloats(id, a, b)
		raise(id, by, ^ordFloat(d))
	}
}

// Cmp asks for runs in which few bits of a and b differ.
func Cmp(id ID, by uint64, a, b uint64) {
	if on {
		Compared(id, a, b)
		raise(id, by, uint64(64-bits.OnesCount64(a^b)))
	}
}

// StrDist asks for runs in which a and b share a long prefix.
func StrDist(id ID, by uint64, a, b string) {
	if !on {
		return
	}
	comparedStrings(id, a, b)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	raise(id, by, uint64(n))
}

// StrDistBytes is StrDist for byte slices.
func StrDistBytes(id ID, by uint64, a, b []byte) {
	if !on {
		return
	}
	comparedBytes(id, a, b)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	raise(id, by, uint64(n))
}

// Bits asks for runs in which v has many leading zero bits.
func Bits(id ID, by uint64, v uint64) {
	if on {
		raise(id, by, uint64(bits.LeadingZeros64(v)))
	}
}

// Set reports that the run is in the situation with the given hash, as [Hash]
// and the Hash functions make it, until Set says otherwise: what two
// annotations hold at the same event makes a pair.
func Set(id ID, hash uint64) {
	if on {
		hold(id, inContext(hash))
	}
}

// SetTuple reports the hash of several values. A tuple is a cross that the
// user has declared: it stands for itself and makes no pairs.
func SetTuple(id ID, hash uint64) {
	if on {
		situation(id, inContext(hash))
	}
}

// SetBy is SetTuple with situations of their own for each key.
func SetBy(id ID, by, hash uint64) {
	if on {
		touch(id, keyed(hash, by), 1)
	}
}

// Inc reports a situation and counts how often it came.
func Inc(id ID, hash uint64) {
	if on {
		count(id, inContext(hash))
	}
}

// IncBy is Inc with situations of their own for each key.
func IncBy(id ID, by, hash uint64) {
	if on {
		count(id, keyed(hash, by))
	}
}

// keyed makes the situations of each key their own.
func keyed(hash, by uint64) uint64 {
	out := mix(hash ^ mix(by))
	if trace != nil {
		noteKey(hash, out, by)
	}
	return out
}

// Until retires the slot of an annotation when ok: what it has reached is
// enough, and higher values do not guide any more.
func Until(id ID, by uint64, ok bool) {
	if on && ok {
		retire(id, by)
	}
}

// Cover hits a named coverage bin.
func Cover(id ID) {
	if counting {
		happened(id)
	}
}

// Sometimes reports a condition that must be true at least once in a campaign.
func Sometimes(id ID, ok bool) {
	if counting {
		evaluated(id, ok)
	}
}

// Maybe reports a condition that must be true and must be false, each at least
// once in a campaign.
func Maybe(id ID, ok bool) {
	if counting {
		decided(id, ok)
	}
}

// Reachable reports a place that must be reached in a campaign.
func Reachable(id ID) { Cover(id) }

// Unreachable reports a place that must never be reached: it fails the run,
// as Always does with a false condition.
func Unreachable(id ID) {
	if counting {
		happened(id)
	}
	a := describe(id)
	fail("unreachable "+a.Name, a.Pos)
}

// SometimesGap is Sometimes for a comparison of which gap tells how far the
// operands are from making it true; 0 when they do.
func SometimesGap(id ID, ok bool, gap uint64) {
	if counting {
		evaluated(id, ok)
	}
	if on {
		raise(id, 0, ^gap)
	}
}

// GapInt is the absolute difference of two operands, for SometimesGap.
func GapInt(a, b int64) uint64 {
	if a < b {
		a, b = b, a
	}
	return uint64(a) - uint64(b)
}

// GapUint is GapInt for unsigned operands.
func GapUint(a, b uint64) uint64 {
	if a < b {
		a, b = b, a
	}
	return a - b
}

// Always reports a condition that must never be false. If it is, the run has
// failed: the violation is kept for the engine and Always panics.
func Always(id ID, ok bool) {
	if counting {
		evaluated(id, ok)
	}
	if !ok {
		a := describe(id)
		fail("always "+a.Name, a.Pos)
	}
}

// Guard, deferred round the evaluation of an annotation, keeps a panic of its
// expression from the program. The visit is skipped and counted.
func Guard(id ID) {
	r := recover()
	if r == nil {
		return
	}
	if v, ok := r.(*Violation); ok {
		panic(v)
	}
	skip(id)
}

// Skip counts a visit of an annotation that a nil pointer keeps from being
// evaluated.
func Skip(id ID) { skip(id) }

// ordInt maps the order of int64 to that of uint64.
func ordInt(v int64) uint64 { return uint64(v) ^ 1<<63 }

// ordFloat maps the order of float64 without NaN to that of uint64; -0 and 0 are equal.
func ordFloat(v float64) uint64 {
	b := math.Float64bits(v + 0) // -0 + 0 is 0
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}
