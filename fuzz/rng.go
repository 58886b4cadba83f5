package fuzz

import (
	"encoding/binary"
	"math/bits"
)

// An rng is SplitMix64. Every decision of a search is drawn from one of them.
type rng struct{ state uint64 }

// newRNG gives each worker, and each life of a worker, its own stream.
func newRNG(seed uint64, worker, restarts int) *rng {
	r := &rng{seed}
	for _, n := range []int{worker, restarts} {
		r.state = r.next() ^ uint64(n)
	}
	r.state = r.next()
	return r
}

func (r *rng) next() uint64 {
	r.state += 0x9E3779B97F4A7C15
	x := r.state
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// intn draws from 0 to n-1; n must be positive.
func (r *rng) intn(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// fill overwrites p.
func (r *rng) fill(p []byte) {
	for ; len(p) >= 8; p = p[8:] {
		binary.LittleEndian.PutUint64(p, r.next())
	}
	if len(p) > 0 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], r.next())
		copy(p, word[:])
	}
}
