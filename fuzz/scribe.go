package fuzz

import "encoding/binary"

// A scribe makes inputs that are mere bytes, with the stacked random changes
// that AFL calls havoc.
type scribe struct {
	rng *rng
	max int
}

const (
	firstBytes = 16
	lastBytes  = 4096
	callCost   = 200 // of a run without its bytes, in bytes
)

func (s *scribe) lengths() []int {
	all := []int{least(firstBytes, s.max)}
	for n := 4 * firstBytes; n <= least(lastBytes, s.max); n *= 4 {
		all = append(all, n)
	}
	return all
}

func (s *scribe) cost(bytes int) float64 { return float64(callCost + bytes) }

func (s *scribe) units(input []byte) int { return len(input) }

// prefix is the whole input: what a byte does may depend on any other.
func (s *scribe) prefix(input []byte, _ int) []byte { return input }

func (s *scribe) fresh(buf []byte, n int) []byte {
	return s.grow(buf[:0], 1+s.rng.intn(n))
}

func (s *scribe) limit() int { return s.max }

func (s *scribe) extend(input []byte) []byte {
	if s.rng.intn(2) == 0 {
		return s.grow(input, 1+s.rng.intn(4*firstBytes))
	}
	return s.mutate(input, nil)
}

func (s *scribe) grow(input []byte, n int) []byte {
	at := least(len(input), s.max)
	input = input[:at+least(n, s.max-at)]
	s.rng.fill(input[at:])
	return input
}

func (s *scribe) mutate(input, other []byte) []byte {
	input = input[:least(len(input), s.max)]
	for n := 1 << uint(s.rng.intn(5)); n > 0; n-- {
		input = s.change(input, other)
	}
	return input
}

func (s *scribe) change(input, other []byte) []byte {
	if len(input) == 0 {
		return s.grow(input, 1+s.rng.intn(firstBytes))
	}
	switch s.rng.intn(12) {
	case 0, 1:
		input[s.rng.intn(len(input))] ^= 1 << uint(s.rng.intn(8))
	case 2, 3:
		input[s.rng.intn(len(input))] = byte(s.rng.next())
	case 4:
		input[s.rng.intn(len(input))] += byte(1 + s.rng.intn(35))
	case 5:
		input[s.rng.intn(len(input))] -= byte(1 + s.rng.intn(35))
	case 6:
		s.number(input)
	case 7, 8:
		at, size := s.block(len(input))
		input = remove(input, at, size)
	case 9:
		input = s.insertRandom(input)
	case 10:
		at, size := s.block(len(input))
		input = s.paste(input, input[at:at+size])
	case 11:
		if len(other) > 0 {
			at, size := s.block(len(other))
			input = s.paste(input, other[at:at+size])
		}
	}
	return input
}

// block is a block of bytes, mostly a small one.
func (s *scribe) block(n int) (at, size int) {
	size = 1 + s.rng.intn(least(n, 1<<uint(s.rng.intn(10))))
	return s.rng.intn(n - size + 1), size
}

// interesting are values next to which programs decide.
var interesting = [...]uint64{
	0, 1, ^uint64(0), 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000,
	0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1<<63 - 1, 1 << 63,
	10, 16, 32, 64, 100, 127, 1000, 1024, 4096,
}

// number overwrites or changes a number of 1, 2, 4 or 8 bytes.
func (s *scribe) number(input []byte) {
	width := 1 << uint(s.rng.intn(4))
	if width > len(input) {
		width = 1
	}
	at := s.rng.intn(len(input) - width + 1)
	var word [8]byte
	big := s.rng.intn(2) == 0
	p := input[at : at+width]
	v := interesting[s.rng.intn(len(interesting))]
	if s.rng.intn(2) == 0 {
		v = read(p, big) + uint64(s.rng.intn(71)) - 35
	}
	if big {
		binary.BigEndian.PutUint64(word[:], v<<uint(64-8*width))
	} else {
		binary.LittleEndian.PutUint64(word[:], v)
	}
	copy(p, word[:])
}

func read(p []byte, big bool) uint64 {
	var word [8]byte
	copy(word[:], p)
	if big {
		return binary.BigEndian.Uint64(word[:]) >> uint(64-8*len(p))
	}
	return binary.LittleEndian.Uint64(word[:])
}

func (s *scribe) insertRandom(input []byte) []byte {
	size := least(1+s.rng.intn(firstBytes), s.max-len(input))
	at := s.rng.intn(len(input) + 1)
	input = open(input, at, size)
	s.rng.fill(input[at : at+size])
	return input
}

// paste puts a block over, or between, the bytes of input. The block may be
// one of input itself.
func (s *scribe) paste(input, block []byte) []byte {
	at := s.rng.intn(len(input) + 1)
	if s.rng.intn(2) == 0 && len(block) <= s.max-len(input) {
		// At the end first: opening a gap would move a block of input itself.
		end := len(input)
		input = append(input, block...)
		rotate(input[at:], end-at)
		return input
	}
	copy(input[at:], block)
	return input
}
