package etcdraft

import pb "go.etcd.io/raft/v3/raftpb"

// A logIndex is what the oracles know of a node's log on disk: the terms of
// its entries from the last compaction on.
type logIndex struct {
	base, baseTerm uint64 // last compacted entry
	terms          []uint64
}

// agrees tells whether the log has entry i with the given term, or a snapshot
// that covers it. By log matching all before it agrees too.
func (l *logIndex) agrees(i, term uint64) bool {
	t, ok := l.term(i)
	return ok && t == term || i < l.base
}

func (l *logIndex) reset(base, baseTerm uint64) {
	l.base, l.baseTerm, l.terms = base, baseTerm, l.terms[:0]
}

func (l *logIndex) last() uint64 { return l.base + uint64(len(l.terms)) }

func (l *logIndex) lastTerm() uint64 {
	t, _ := l.term(l.last())
	return t
}

// term is the term of entry i; false if it is compacted or not there.
func (l *logIndex) term(i uint64) (uint64, bool) {
	switch {
	case i < l.base || i > l.last():
		return 0, false
	case i == l.base:
		return l.baseTerm, true
	}
	return l.terms[i-l.base-1], true
}

// write replaces the log from entry e on.
func (l *logIndex) write(e *pb.Entry) {
	l.terms = append(l.terms[:e.GetIndex()-l.base-1], e.GetTerm())
}

func (l *logIndex) compact(i uint64) {
	t, _ := l.term(i)
	n := copy(l.terms, l.terms[i-l.base:])
	l.base, l.baseTerm, l.terms = i, t, l.terms[:n]
}

// upToDate is the comparison of section 5.4.1 of the Raft paper: l may lead o.
func (l *logIndex) upToDate(o *logIndex) bool {
	a, b := l.lastTerm(), o.lastTerm()
	return a > b || a == b && l.last() >= o.last()
}

// beyond counts the entries of l that o does not have, as far as both have
// not compacted them.
func (l *logIndex) beyond(o *logIndex) (n uint64) {
	for k := l.last(); k > l.base && k > o.base; k-- {
		t, ok := o.term(k)
		if own, _ := l.term(k); ok && t == own {
			break
		}
		n++
	}
	return n
}
