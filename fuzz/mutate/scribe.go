package mutate

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

func newScribe(r *RNG, maxLen int, v Vocabulary) *scribe {
	s := &scribe{havoc: havoc{rng: r}, max: maxLen, words: v.upTo(maxLen)}
	s.begin(s.changes(v))
	return s
}

func (s *scribe) Lengths() []int {
	all := []int{least(firstBytes, s.max)}
	for n := 4 * firstBytes; n <= least(lastBytes, s.max); n *= 4 {
		all = append(all, n)
	}
	return all
}

func (s *scribe) Cost(bytes int) float64 { return float64(callCost + bytes) }

func (s *scribe) Units(input []byte) int { return len(input) }

// Prefix is the whole input: what a byte does may depend on any other.
func (s *scribe) Prefix(input []byte, _ int) []byte { return input }

func (s *scribe) Fresh(buf []byte, n int) []byte {
	s.used = 0
	return s.Grow(buf[:0], 1+s.rng.Intn(n))
}

func (s *scribe) Limit() int { return s.max }

func (s *scribe) Extend(input []byte) []byte {
	if s.rng.Intn(2) == 0 {
		s.used = 0
		return s.Grow(input, 1+s.rng.Intn(4*firstBytes))
	}
	return s.Mutate(input, None, None)
}

func (s *scribe) Grow(input []byte, n int) []byte {
	at := least(len(input), s.max)
	input = input[:at+least(n, s.max-at)]
	s.rng.Fill(input[at:])
	return input
}

func (s *scribe) room(input []byte) int { return s.max - len(input) }

// Mutate makes one to sixteen changes.
func (s *scribe) Mutate(input []byte, parent, other *Parent) []byte {
	return s.stack(input[:least(len(input), s.max)], parent, other, s.ready)
}

// ready sees to it that there is a byte.
func (s *scribe) ready(input []byte) []byte {
	if len(input) > 0 {
		return input
	}
	return s.Grow(input, 1+s.rng.Intn(firstBytes))
}
