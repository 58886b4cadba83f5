package fuzz

import ijon "github.com/ijongo/ijongo/runtime"

const (
	firstLength = 100   // events of the shortest random schedule
	lastLength  = 12800 // and of the longest; raw extremes need them

	burstMin, burstMax = 150, 200 // events of a suffix in the archive's bursts
)

// runCost is the cost of a run without its events, in events: making a
// cluster afresh and letting it come to rest at the end take as long as some
// hundred events on it.
const runCost = 100

// A scheduler makes schedules: a header and records of fixed width.
type scheduler struct {
	rng    *rng
	header int
	record int
	max    int // records that fit
	swarm  *swarm
}

func newScheduler(r *rng, l ijon.Layout, maxLen int) *scheduler {
	s := &scheduler{rng: r, header: l.Header, record: l.Record, swarm: newSwarm(l.Kinds)}
	if s.max = (maxLen - l.Header) / l.Record; s.max < 1 {
		s.max = 1
	}
	s.swarm.renew(r)
	return s
}

func (s *scheduler) lengths() []int {
	all := []int{least(firstLength, s.max)}
	for n := 2 * firstLength; n <= least(lastLength, s.max); n *= 2 {
		all = append(all, n)
	}
	return all
}

func (s *scheduler) cost(events int) float64 { return float64(runCost + events) }

func (s *scheduler) fresh(buf []byte, n int) []byte {
	buf = buf[:s.header]
	s.rng.fill(buf)
	s.swarm.renew(s.rng)
	return s.grow(buf, n)
}

func (s *scheduler) extend(input []byte) []byte {
	s.swarm.renew(s.rng)
	return s.grow(s.whole(input), burstMin+s.rng.intn(burstMax-burstMin+1))
}

func (s *scheduler) limit() int { return s.max - burstMax }

func (s *scheduler) grow(input []byte, n int) []byte {
	at := len(input)
	input = input[:at+least(n, s.room(input))*s.record]
	s.rng.fill(input[at:])
	for ; at < len(input); at += s.record {
		input[at] = s.swarm.kind(s.rng)
	}
	return input
}

// whole makes input a header and whole records.
func (s *scheduler) whole(input []byte) []byte {
	for len(input) < s.header {
		input = append(input, 0)
	}
	return input[:s.header+least(s.units(input), s.max)*s.record]
}

func (s *scheduler) units(input []byte) int {
	if len(input) < s.header {
		return 0
	}
	return (len(input) - s.header) / s.record
}

func (s *scheduler) prefix(input []byte, n int) []byte {
	return input[:least(len(input), s.header+n*s.record)]
}

// room is how many records may be added.
func (s *scheduler) room(input []byte) int { return s.max - s.units(input) }

// at is the offset of record n.
func (s *scheduler) at(n int) int { return s.header + n*s.record }

// mutate makes one to sixteen changes, each of whole events or within one.
func (s *scheduler) mutate(input, other []byte) []byte {
	input = s.whole(input)
	s.swarm.renew(s.rng)
	for n := 1 << uint(s.rng.intn(5)); n > 0; n-- {
		input = s.change(input, other)
	}
	return input
}

// change makes one change.
func (s *scheduler) change(input, other []byte) []byte {
	n := s.units(input)
	if n == 0 {
		return s.grow(input, 1+s.rng.intn(burstMax))
	}
	switch s.rng.intn(12) {
	case 0:
		s.changeHeader(input)
	case 1, 2:
		s.changeField(input, n)
	case 3:
		s.renewEvent(input, s.rng.intn(n))
	case 4:
		input = s.insert(input, n)
	case 5, 6:
		at, size := s.window(n)
		input = remove(input, s.at(at), size*s.record)
	case 7:
		input = s.repeat(input, n)
	case 8:
		s.swap(input, s.rng.intn(n), s.rng.intn(n))
	case 9:
		s.retime(input, n)
	case 10:
		input = s.splice(input, n, other)
	case 11:
		s.swarm.renew(s.rng)
		at := n - s.rng.intn(least(n, burstMax)+1)
		input = s.grow(input[:s.at(at)], 1+s.rng.intn(burstMax))
	}
	return input
}

// window is a window of events, mostly a small one.
func (s *scheduler) window(n int) (at, size int) {
	size = 1 + s.rng.intn(least(n, 1<<uint(s.rng.intn(7))))
	return s.rng.intn(n - size + 1), size
}

func (s *scheduler) changeHeader(input []byte) {
	if s.header > 0 {
		input[s.rng.intn(s.header)] = byte(s.rng.next())
	}
}

// changeField overwrites a byte of an event, its kind only if it has nothing
// else.
func (s *scheduler) changeField(input []byte, n int) {
	at := s.at(s.rng.intn(n))
	if s.record == 1 {
		input[at] = s.swarm.kind(s.rng)
		return
	}
	input[at+1+s.rng.intn(s.record-1)] = byte(s.rng.next())
}

func (s *scheduler) renewEvent(input []byte, n int) {
	event := input[s.at(n):s.at(n+1)]
	s.rng.fill(event)
	event[0] = s.swarm.kind(s.rng)
}

func (s *scheduler) insert(input []byte, n int) []byte {
	if s.room(input) == 0 {
		return input
	}
	at := s.rng.intn(n + 1)
	input = open(input, s.at(at), s.record)
	s.renewEvent(input, at)
	return input
}

// repeat plays a window of events again behind itself, up to four times.
func (s *scheduler) repeat(input []byte, n int) []byte {
	at, size := s.window(n)
	for times := 1 + s.rng.intn(4); times > 0 && size <= s.room(input); times-- {
		input = open(input, s.at(at+size), size*s.record)
		copy(input[s.at(at+size):], input[s.at(at):s.at(at+size)])
	}
	return input
}

func (s *scheduler) swap(input []byte, a, b int) {
	x, y := input[s.at(a):s.at(a+1)], input[s.at(b):s.at(b+1)]
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
}

// retime moves a window of events by rotating it with its neighbourhood.
func (s *scheduler) retime(input []byte, n int) {
	at, size := s.window(n)
	if size < 2 {
		at, size = 0, n
	}
	pivot := s.rng.intn(size)
	rotate(input[s.at(at):s.at(at+size)], pivot*s.record)
}

// rotate moves the first n bytes to the end.
func rotate(p []byte, n int) {
	reverse(p[:n])
	reverse(p[n:])
	reverse(p)
}

func reverse(p []byte) {
	for i, j := 0, len(p)-1; i < j; i, j = i+1, j-1 {
		p[i], p[j] = p[j], p[i]
	}
}

// splice puts a window of other over, or between, the events of input.
func (s *scheduler) splice(input []byte, n int, other []byte) []byte {
	m := s.units(other)
	if m == 0 {
		return input
	}
	from, size := s.window(m)
	at := s.rng.intn(n + 1)
	part := other[s.at(from):s.at(from+size)]
	if s.rng.intn(2) == 0 && size <= s.room(input) {
		input = open(input, s.at(at), len(part))
	}
	copy(input[s.at(at):], part)
	return input
}
