package mutate

import (
	"encoding/binary"
	"math/bits"
)

// An RNG is SplitMix64. Every decision of a search is drawn from one of them.
type RNG struct{ state uint64 }

// NewRNG gives each worker, and each life of a worker, its own stream.
func NewRNG(seed uint64, worker, restarts int) *RNG {
	r := &RNG{seed}
	for _, n := range []int{worker, restarts} {
		r.state = r.Next() ^ uint64(n)
	}
	r.state = r.Next()
	return r
}

func (r *RNG) Next() uint64 {
	r.state += 0x9E3779B97F4A7C15
	x := r.state
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Intn draws from 0 to n-1; n must be positive.
func (r *RNG) Intn(n int) int {
	hi, _ := bits.Mul64(r.Next(), uint64(n))
	return int(hi)
}

// Fill overwrites p.
func (r *RNG) Fill(p []byte) {
	for ; len(p) >= 8; p = p[8:] {
		binary.LittleEndian.PutUint64(p, r.Next())
	}
	if len(p) > 0 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], r.Next())
		copy(p, word[:])
	}
}
