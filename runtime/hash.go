package ijon

import "math"

// Hash is the hash of the empty tuple. A situation of several values is
// hashed by nesting: HashString(HashUint(Hash, term), name).
const Hash uint64 = 0x9E3779B97F4A7C15

// HashUint folds an integer of any size into h.
func HashUint(h, v uint64) uint64 {
	out := fold(h, v)
	if trace != nil {
		note(h, out, v)
	}
	return out
}

// HashInt folds a signed integer into h.
func HashInt(h uint64, v int64) uint64 {
	out := fold(h, uint64(v))
	if trace != nil {
		note(h, out, v)
	}
	return out
}

// HashBool folds a boolean into h.
func HashBool(h uint64, v bool) uint64 {
	bit := uint64(0)
	if v {
		bit = 1
	}
	out := fold(h, bit)
	if trace != nil {
		note(h, out, v)
	}
	return out
}

// HashFloat folds a floating-point number into h; -0 and 0 are one value, and
// so are all NaNs.
func HashFloat(h uint64, v float64) uint64 {
	out := fold(h, floatBits(v))
	if trace != nil {
		note(h, out, v)
	}
	return out
}

// HashString folds a string into h.
func HashString(h uint64, s string) uint64 {
	out := h
	for i := 0; i < len(s); i++ {
		out = (out ^ uint64(s[i])) * 0x100000001B3
	}
	out = fold(out, uint64(len(s)))
	if trace != nil {
		note(h, out, s)
	}
	return out
}

// floatBits is one pattern for -0 and 0, and one for all NaNs.
func floatBits(v float64) uint64 {
	if v != v {
		return 0x7FF8000000000001
	}
	return math.Float64bits(v + 0)
}

func fold(h, v uint64) uint64 { return mix(h ^ v*0xC2B2AE3D27D4EB4F) }

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable
// pseudorandom number generators", 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
