package etcdraft

import (
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// An arena gives out memory that lives until the end of a run and is then
// used again. What raft keeps of a message (entries, read requests) is thus
// still there when it looks, and a run allocates nothing for its messages.
type arena struct {
	messages [][]messageBlock
	message  int // blocks given out
	entries  [][]entryBlock
	entry    int
	bytes    []byte
}

const chunk = 16 // blocks allocated at once: a saved state has few

// A messageBlock is a message and everything that its fields point to.
type messageBlock struct {
	m                                                  pb.Message
	typ                                                pb.MessageType
	to, from, term, logTerm, index, commit, vote, hint uint64
	reject                                             bool
	context                                            [24]byte
	entries                                            [4]*pb.Entry
	responses                                          [4]*pb.Message
}

type entryBlock struct {
	e           pb.Entry
	term, index uint64
	typ         pb.EntryType
	data        [maxPayload]byte
}

// reset takes back everything that was given out.
func (a *arena) reset() {
	a.message, a.entry, a.bytes = 0, 0, a.bytes[:0]
}

// clone copies a message so that the copy shares no memory with it. Raft
// writes into the messages it is given and keeps the entries of MsgApp, so
// nodes that exchanged pointers would share memory.
func (a *arena) clone(src *pb.Message) *pb.Message {
	if a.message/chunk == len(a.messages) {
		a.messages = append(a.messages, make([]messageBlock, chunk))
	}
	b := &a.messages[a.message/chunk][a.message%chunk]
	a.message++
	m := &b.m
	m.Type = nil
	if src.Type != nil {
		b.typ = *src.Type
		m.Type = &b.typ
	}
	m.To = copyTo(&b.to, src.To)
	m.From = copyTo(&b.from, src.From)
	m.Term = copyTo(&b.term, src.Term)
	m.LogTerm = copyTo(&b.logTerm, src.LogTerm)
	m.Index = copyTo(&b.index, src.Index)
	m.Commit = copyTo(&b.commit, src.Commit)
	m.Vote = copyTo(&b.vote, src.Vote)
	m.RejectHint = copyTo(&b.hint, src.RejectHint)
	m.Reject = nil
	if src.Reject != nil {
		b.reject = *src.Reject
		m.Reject = &b.reject
	}
	m.Context = copyBytes(b.context[:], src.Context)
	m.Entries = a.cloneEntries(b.entries[:], src.Entries)
	m.Snapshot = nil
	if src.Snapshot != nil {
		m.Snapshot = proto.Clone(src.Snapshot).(*pb.Snapshot)
	}
	m.Responses = nil
	if len(src.Responses) > 0 { // for a storage thread
		m.Responses = b.responses[:0]
		for _, r := range src.Responses {
			m.Responses = append(m.Responses, a.clone(r))
		}
	}
	return m
}

func (a *arena) cloneEntries(buf, src []*pb.Entry) []*pb.Entry {
	if len(src) == 0 {
		return nil
	}
	if len(src) > len(buf) {
		buf = make([]*pb.Entry, len(src))
	}
	for i, e := range src {
		buf[i] = a.cloneEntry(e)
	}
	return buf[:len(src):len(src)] // raft appends to it
}

func (a *arena) cloneEntry(src *pb.Entry) *pb.Entry {
	if a.entry/chunk == len(a.entries) {
		a.entries = append(a.entries, make([]entryBlock, chunk))
	}
	b := &a.entries[a.entry/chunk][a.entry%chunk]
	a.entry++
	e := &b.e
	e.Term = copyTo(&b.term, src.Term)
	e.Index = copyTo(&b.index, src.Index)
	e.Type = nil
	if src.Type != nil {
		b.typ = *src.Type
		e.Type = &b.typ
	}
	e.Data = copyBytes(b.data[:], src.Data)
	return e
}

// buffer gives out n bytes, for a payload or a read's context.
func (a *arena) buffer(n int) []byte {
	if len(a.bytes)+n > cap(a.bytes) {
		a.bytes = make([]byte, 0, 64*1024)
	}
	at := len(a.bytes)
	a.bytes = a.bytes[:at+n]
	return a.bytes[at : at+n : at+n]
}

func copyTo(dst, src *uint64) *uint64 {
	if src == nil {
		return nil
	}
	*dst = *src
	return dst
}

// copyBytes copies src to buf, or to new memory if it does not fit, and keeps
// nil apart from empty: to protobuf they are not the same.
func copyBytes(buf, src []byte) []byte {
	if src == nil {
		return nil
	}
	if len(src) > len(buf) {
		buf = make([]byte, len(src))
	}
	return buf[:copy(buf, src):len(src)]
}
