package sim

import (
	"encoding/binary"
	"math/rand"

	ijon "github.com/ijongo/ijongo/runtime"
)

// Random fills buf[:0] with a random input of the given number of events,
// growing it if need be. Swarm testing (Groce and others, 2012) varies the
// mixture: each input draws weights of its own for the kinds, some of them 0,
// so that inputs differ in what they do and not only in its order.
func Random(rng *rand.Rand, l ijon.Layout, events int, buf []byte) []byte {
	size := l.Header + events*l.Record
	if cap(buf) < size {
		buf = make([]byte, size)
	}
	buf = buf[:size]
	fill(rng, buf)
	var limits [256]int
	total := swarm(rng, l.Kinds, limits[:])
	for i := 0; i < events; i++ {
		buf[l.Header+i*l.Record] = pick(limits[:len(l.Kinds)], rng.Intn(total))
	}
	return buf
}

// swarm sets limits to the running sums of this input's weights. A kind is
// left out of an input, kept at its weight, or made four times as frequent.
func swarm(rng *rand.Rand, kinds []ijon.Kind, limits []int) int {
	factors := [...]int{0, 1, 1, 1, 1, 4}
	total := 0
	for i, k := range kinds {
		total += k.Weight * factors[rng.Intn(len(factors))]
		limits[i] = total
	}
	if total == 0 { // every kind left out: take them all
		for i, k := range kinds {
			total += k.Weight
			limits[i] = total
		}
	}
	return total
}

func pick(limits []int, n int) byte {
	for i, limit := range limits {
		if n < limit {
			return byte(i)
		}
	}
	return 0
}

func fill(rng *rand.Rand, buf []byte) {
	for len(buf) >= 8 {
		binary.LittleEndian.PutUint64(buf, rng.Uint64())
		buf = buf[8:]
	}
	for i := range buf {
		buf[i] = byte(rng.Uint32())
	}
}
