package ijon

import "encoding/binary"

// maxNodes bounds the nodes that have a random stream of their own.
const maxNodes = 64

// random is the randomness of the run: the n-th draw of a node is a hash of
// the seed, the node and n, so that a changed event on one node leaves the
// draws of the others as they were.
var random struct {
	seed  uint64
	node  uint64
	draws [maxNodes]uint64
}

// Seed restarts all random streams of the run from a seed of the input.
func Seed(seed uint64) {
	random.seed = seed
	random.node = 0
	random.draws = [maxNodes]uint64{}
}

// Node tells that what follows happens on node n of the system under test.
// Draws are made from its stream; nodes above 63 share streams.
func Node(n int) { random.node = uint64(n) % maxNodes }

// Rand draws from the stream of the current node.
func Rand() uint64 {
	n := &random.draws[random.node]
	*n++
	return mix(random.seed ^ mix(random.node<<48|*n))
}

// Reader is an endless io.Reader of Rand, in place of crypto/rand.Reader.
type Reader struct{}

// Read fills p from the stream of the current node.
func (Reader) Read(p []byte) (int, error) {
	var word [8]byte
	for i := 0; i < len(p); i += 8 {
		binary.LittleEndian.PutUint64(word[:], Rand())
		copy(p[i:], word[:])
	}
	return len(p), nil
}

// Source is a math/rand source of Rand.
type Source struct{}

// Uint64 draws 64 bits.
func (Source) Uint64() uint64 { return Rand() }

// Int63 draws 63 bits.
func (Source) Int63() int64 { return int64(Rand() >> 1) }

// Seed does nothing: the stream belongs to the run.
func (Source) Seed(int64) {}
