package fuzz

// A scribe makes inputs that are mere bytes.
type scribe struct {
	havoc
	max   int
	words [][]byte // of the dictionary
}

const (
	firstBytes = 16
	lastBytes  = 4096
	callCost   = 200 // of a run without its bytes, in bytes
)

func newScribe(r *rng, maxLen int, v vocabulary) *scribe {
	s := &scribe{havoc: havoc{rng: r}, max: maxLen, words: v.upTo(maxLen)}
	s.begin(s.changes(v))
	return s
}

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
	s.used = 0
	return s.grow(buf[:0], 1+s.rng.intn(n))
}

func (s *scribe) limit() int { return s.max }

func (s *scribe) extend(input []byte) []byte {
	if s.rng.intn(2) == 0 {
		s.used = 0
		return s.grow(input, 1+s.rng.intn(4*firstBytes))
	}
	return s.mutate(input, none, none)
}

func (s *scribe) grow(input []byte, n int) []byte {
	at := least(len(input), s.max)
	input = input[:at+least(n, s.max-at)]
	s.rng.fill(input[at:])
	return input
}

func (s *scribe) room(input []byte) int { return s.max - len(input) }

// mutate makes one to sixteen changes.
func (s *scribe) mutate(input []byte, parent, other *entry) []byte {
	return s.stack(input[:least(len(input), s.max)], parent, other, s.ready)
}

// ready sees to it that there is a byte.
func (s *scribe) ready(input []byte) []byte {
	if len(input) > 0 {
		return input
	}
	return s.grow(input, 1+s.rng.intn(firstBytes))
}
