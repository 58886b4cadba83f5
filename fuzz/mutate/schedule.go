package mutate

import ijon "github.com/ijongo/ijongo/runtime"

const (
	firstLength = 100   // events of the shortest random schedule
	lastLength  = 12800 // and of the longest; raw extremes need them

	burstMin, BurstMax = 150, 200 // events of a suffix in the archive's bursts
)

// runCost is the cost of a run without its events, in events: making a
// cluster afresh and letting it come to rest at the end take as long as some
// hundred events on it.
const runCost = 100

// A scheduler makes schedules: a header and records of fixed width.
type scheduler struct {
	havoc
	layout ijon.Layout
	header int
	record int
	max    int // records that fit
	swarm  *swarm
	words  [][]byte // of the dictionary, that fit into an event
}

func newScheduler(r *RNG, l ijon.Layout, maxLen int, v Vocabulary) *scheduler {
	s := &scheduler{havoc: havoc{rng: r}, layout: l, header: l.Header, record: l.Record, swarm: newSwarm(l.Kinds)}
	if s.max = (maxLen - l.Header) / l.Record; s.max < 1 {
		s.max = 1
	}
	s.swarm.renew(r)
	s.words = v.upTo(s.record - 1)
	s.begin(s.changes(v))
	return s
}

func (s *scheduler) Lengths() []int {
	all := []int{least(firstLength, s.max)}
	for n := 2 * firstLength; n <= least(lastLength, s.max); n *= 2 {
		all = append(all, n)
	}
	return all
}

func (s *scheduler) Cost(events int) float64 { return float64(runCost + events) }

func (s *scheduler) Fresh(buf []byte, n int) []byte {
	s.used = 0
	buf = buf[:s.header]
	s.rng.Fill(buf)
	s.swarm.renew(s.rng)
	return s.Grow(buf, n)
}

func (s *scheduler) Extend(input []byte) []byte {
	s.used = 0
	s.swarm.renew(s.rng)
	return s.Grow(s.whole(input), burstMin+s.rng.Intn(BurstMax-burstMin+1))
}

func (s *scheduler) Limit() int { return s.max - BurstMax }

func (s *scheduler) Grow(input []byte, n int) []byte {
	at := len(input)
	input = input[:at+least(n, s.room(input))*s.record]
	s.rng.Fill(input[at:])
	for ; at < len(input); at += s.record {
		input[at] = s.swarm.kind(s.rng)
	}
	return input
}

// whole makes input a header and whole records: what is missing of either is
// zero, as it is for the harness.
func (s *scheduler) whole(input []byte) []byte {
	for len(input) < s.header || (len(input)-s.header)%s.record != 0 {
		input = append(input, 0)
	}
	return s.Prefix(input, s.max)
}

func (s *scheduler) Units(input []byte) int {
	if len(input) < s.header {
		return 0
	}
	return (len(input) - s.header) / s.record
}

func (s *scheduler) Prefix(input []byte, n int) []byte {
	return input[:least(len(input), s.header+n*s.record)]
}

// room is how many records may be added.
func (s *scheduler) room(input []byte) int { return s.max - s.Units(input) }

// at is the offset of record n.
func (s *scheduler) at(n int) int { return s.header + n*s.record }

// Mutate makes one to sixteen changes, each of whole events or within one.
func (s *scheduler) Mutate(input []byte, parent, other *Parent) []byte {
	s.swarm.renew(s.rng)
	return s.stack(s.whole(input), parent, other, s.ready)
}

// ready sees to it that there is an event.
func (s *scheduler) ready(input []byte) []byte {
	if s.Units(input) > 0 {
		return input
	}
	return s.Grow(input, 1+s.rng.Intn(BurstMax))
}
