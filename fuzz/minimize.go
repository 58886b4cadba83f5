package fuzz

import ijon "github.com/ijongo/ijongo/runtime"

// Minimize looks for a smaller input that still fails, with at most budget
// calls of fails, and returns the smallest that it found: first fewer events,
// then simpler ones. An input without a layout is minimised byte by byte.
//
// It is the delta debugging of Zeller and Hildebrandt on whole events: windows
// of half the size are removed, from the end first, because what comes after
// the failure is the easiest to lose. A simpler event often makes another one
// dispensable, and of two events that belong together neither can go alone,
// so removing, simplifying and removing pairs take turns until none helps.
// The result is the same for the same input. fails must not keep or change
// the slice that it is given.
func Minimize(input []byte, l ijon.Layout, budget int, fails func([]byte) bool) []byte {
	m := &minimizer{best: append([]byte(nil), input...), header: l.Header, record: l.Record, budget: budget, fails: fails}
	if l.Record <= 0 {
		m.header, m.record = 0, 1
	}
	m.cutTail()
	for again := true; again; {
		for m.removeWindows() {
		}
		again = m.simplify()
		again = m.removePairs() || again
	}
	return m.best
}

type minimizer struct {
	best   []byte
	trial  []byte
	header int
	record int
	budget int
	fails  func([]byte) bool
}

// try keeps m.trial if it fails too.
func (m *minimizer) try() bool {
	if m.budget <= 0 {
		return false
	}
	m.budget--
	if !m.fails(m.trial) {
		return false
	}
	m.best, m.trial = m.trial, m.best
	return true
}

func (m *minimizer) events() int {
	if len(m.best) <= m.header {
		return 0
	}
	return (len(m.best) - m.header) / m.record
}

// cutTail drops bytes that are no whole event, and then halves the tail for
// as long as the rest fails.
func (m *minimizer) cutTail() {
	if n := m.header + m.events()*m.record; n < len(m.best) {
		m.trial = append(m.trial[:0], m.best[:n]...)
		m.try()
	}
	for cut := m.events() / 2; cut > 0; {
		if !m.without(m.events()-cut, cut) {
			cut /= 2
		} else if cut > m.events() {
			cut = m.events()
		}
	}
}

// without tries the best input without n events from at on.
func (m *minimizer) without(at, n int) bool {
	from := m.header + at*m.record
	m.trial = append(m.trial[:0], m.best[:from]...)
	m.trial = append(m.trial, m.best[from+n*m.record:]...)
	return m.try()
}

// removeWindows removes windows of falling size down to single events, and
// tells whether anything went.
func (m *minimizer) removeWindows() (removed bool) {
	for size := (m.events() + 1) / 2; size > 0 && m.budget > 0; size = m.smaller(size) {
		for at := m.events() - size; at > -size && m.budget > 0; at -= size {
			from, n := at, size
			if from < 0 {
				from, n = 0, size+at
			}
			if m.without(from, n) {
				removed = true
			}
		}
	}
	return removed && m.budget > 0
}

// wholeRecord is the size up to which every size of windows of bytes is tried:
// bytes without a layout may have one all the same, and where it has three bytes
// no window of a power of two can go.
const wholeRecord = 8

// smaller is the size of windows after this one: half of it.
func (m *minimizer) smaller(size int) int {
	switch {
	case m.record > 1 || size/2 > wholeRecord:
		return size / 2
	case size > wholeRecord:
		return wholeRecord
	}
	return size - 1
}

// farApart is how many events may lie between the two of a pair.
const farApart = 64

// removePairs removes two events at once, the nearest pairs first, and tells
// whether any went.
func (m *minimizer) removePairs() (removed bool) {
	for gap := 1; gap <= farApart && m.budget > 0; gap++ {
		for at := m.events() - 1 - gap; at >= 0 && m.budget > 0; at-- {
			if at+gap < m.events() && m.withoutPair(at, gap) {
				removed = true
			}
		}
	}
	return removed
}

// withoutPair tries the best input without the events at and at+gap.
func (m *minimizer) withoutPair(at, gap int) bool {
	first := m.header + at*m.record
	second := first + gap*m.record
	m.trial = append(m.trial[:0], m.best[:first]...)
	m.trial = append(m.trial, m.best[first+m.record:second]...)
	m.trial = append(m.trial, m.best[second+m.record:]...)
	return m.try()
}

// simplify makes the bytes of the header and of the events small: zero if
// possible, or else the smallest power of two less one that fails too. The
// kind of an event stays. It tells whether anything changed.
func (m *minimizer) simplify() (changed bool) {
	changed = m.blank()
	for i := range m.best {
		if m.isKind(i) {
			continue
		}
		for _, v := range [...]byte{0, 1, 3, 7, 15, 31, 63, 127} {
			if v >= m.best[i] {
				break
			}
			if m.with(i, v) {
				changed = true
				break
			}
		}
	}
	return changed
}

// isKind tells whether byte i is the kind of an event of several bytes.
func (m *minimizer) isKind(i int) bool {
	return m.record > 1 && i >= m.header && (i-m.header)%m.record == 0
}

// with tries the best input with one byte changed.
func (m *minimizer) with(i int, v byte) bool {
	m.trial = append(m.trial[:0], m.best...)
	m.trial[i] = v
	return m.try()
}

// blank tries events with nothing but their kind, which needs one call where
// byte by byte needs one each. It tells whether any was accepted.
func (m *minimizer) blank() (changed bool) {
	for n := m.events() - 1; n >= 0 && m.record > 1; n-- {
		m.trial = append(m.trial[:0], m.best...)
		at := m.header + n*m.record
		event := m.trial[at+1 : at+m.record]
		zero := true
		for i := range event {
			zero = zero && event[i] == 0
			event[i] = 0
		}
		if !zero && m.try() {
			changed = true
		}
	}
	return changed
}
