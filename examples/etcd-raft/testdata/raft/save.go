package raft

import (
	ijon "github.com/ijongo/ijongo/runtime"
	pb "go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"
)

// Saving and loading a RawNode and a MemoryStorage. It is added to package
// raft because all of this is unexported.
//
// What is loaded goes into the very objects that were saved: the RawNode, its
// raft, raftLog and readOnly, each Progress and its Inflights. So a bound
// method such as raft.tick stays right, and who tells objects apart by their
// addresses, as covergroups do, sees the ones that there were.
//
// Copied is what raft writes to in place. Shared is what it replaces as a whole
// and never writes to: hard states, soft states, the maps of a configuration,
// the map from peers to Progress (but not what it points to), a snapshot that
// was received, and the leaves of a stored one. The messages and entries are copied by the harness, which
// has memory for them: it may use that of an entry again in its next run.

func init() { ijon.Offer("go.etcd.io/raft/v3", saver{}) }

// saver is what is offered.
type saver struct{}

// memory is where messages and entries are copied to.
type memory = interface {
	Message(*pb.Message) *pb.Message
	Entry(*pb.Entry) *pb.Entry
}

// savedNode is a RawNode. The structs in it are copies whose pointers are those
// of the original, but for the slices.
type savedNode struct {
	of       *RawNode
	node     RawNode
	raft     raft
	log      raftLog
	readOnly readOnly
	reads    []readIndexRequest // readOnly.unconfirmedReads
	acks     []savedAck
	votes    []savedVote
	progress []savedProgress
	room     int // of raftLog.unstable.entries, whose capacity raft looks at
}

type savedAck struct{ id, index uint64 }

type savedVote struct {
	id      uint64
	granted bool
}

type savedProgress struct {
	of        *tracker.Progress
	progress  tracker.Progress
	inflights tracker.Inflights
}

// Save saves a node. It may use the memory of old, which is nil or was
// returned by an earlier call.
func (saver) Save(old interface{}, rn *RawNode, m memory) interface{} {
	s, ok := old.(*savedNode)
	if !ok {
		s = new(savedNode)
	}
	s.of = rn
	steps := s.node.stepsOnAdvance
	s.node = *rn
	s.node.stepsOnAdvance = messages(steps, rn.stepsOnAdvance, m)
	s.saveRaft(rn.raft, m)
	s.saveLog(rn.raft.raftLog, m)
	s.saveReads(rn.raft.readOnly, m)
	s.saveTracker(&rn.raft.trk)
	return s
}

func (s *savedNode) saveRaft(r *raft, m memory) {
	keep := s.raft
	s.raft = *r
	s.raft.readStates = append(keep.readStates[:0], r.readStates...)
	for i := range s.raft.readStates {
		rs := &s.raft.readStates[i]
		rs.RequestCtx = append([]byte(nil), rs.RequestCtx...)
	}
	s.raft.msgs = messages(keep.msgs, r.msgs, m)
	s.raft.msgsAfterAppend = messages(keep.msgsAfterAppend, r.msgsAfterAppend, m)
	s.raft.pendingReadIndexMessages = messages(keep.pendingReadIndexMessages, r.pendingReadIndexMessages, m)
}

func (s *savedNode) saveLog(l *raftLog, m memory) {
	old := s.log.unstable.entries
	s.log = *l
	s.log.unstable.entries = entries(old, l.unstable.entries, m)
	s.room = cap(l.unstable.entries)
}

func (s *savedNode) saveReads(ro *readOnly, m memory) {
	s.readOnly = *ro
	s.readOnly.unconfirmedReads = nil
	s.reads, s.acks = s.reads[:0], s.acks[:0]
	for _, r := range ro.unconfirmedReads {
		s.reads = append(s.reads, readIndexRequest{req: m.Message(r.req), index: r.index})
	}
	for id, index := range ro.acks {
		s.acks = append(s.acks, savedAck{id, index})
	}
}

func (s *savedNode) saveTracker(t *tracker.ProgressTracker) {
	s.votes = s.votes[:0]
	for id, granted := range t.Votes {
		s.votes = append(s.votes, savedVote{id, granted})
	}
	s.progress = s.progress[:0]
	for _, pr := range t.Progress {
		n := len(s.progress)
		if n < cap(s.progress) {
			s.progress = s.progress[:n+1] // with the memory of an old Inflights
		} else {
			s.progress = append(s.progress, savedProgress{})
		}
		p := &s.progress[n]
		p.of, p.progress = pr, *pr
		p.inflights.CopyFrom(pr.Inflights)
	}
}

// Load loads a saved node, and returns the one that was saved.
func (saver) Load(state interface{}, m memory) *RawNode {
	s := state.(*savedNode)
	rn := s.of
	*rn = s.node
	rn.stepsOnAdvance = messages(nil, s.node.stepsOnAdvance, m)
	s.loadRaft(rn.raft, m)
	s.loadReads(rn.raft.readOnly, m)
	s.loadTracker(&rn.raft.trk)
	return rn
}

func (s *savedNode) loadRaft(r *raft, m memory) {
	*r = s.raft
	r.readStates = append([]ReadState(nil), s.raft.readStates...)
	r.msgs = messages(nil, s.raft.msgs, m)
	r.msgsAfterAppend = messages(nil, s.raft.msgsAfterAppend, m)
	r.pendingReadIndexMessages = messages(nil, s.raft.pendingReadIndexMessages, m)
	*r.raftLog = s.log
	// The log may have taken this slice from a message, which has its own.
	var buf []*pb.Entry
	if s.room > 0 {
		buf = make([]*pb.Entry, 0, s.room)
	}
	r.raftLog.unstable.entries = entries(buf, s.log.unstable.entries, m)
}

func (s *savedNode) loadReads(ro *readOnly, m memory) {
	reads := ro.unconfirmedReads[:0]
	*ro = s.readOnly
	clear(ro.acks)
	for _, a := range s.acks {
		ro.acks[a.id] = a.index
	}
	ro.unconfirmedReads = reads
	for i := range s.reads {
		r := &s.reads[i]
		ro.unconfirmedReads = append(ro.unconfirmedReads, &readIndexRequest{req: m.Message(r.req), index: r.index})
	}
}

func (s *savedNode) loadTracker(t *tracker.ProgressTracker) {
	clear(t.Votes)
	for _, v := range s.votes {
		t.Votes[v.id] = v.granted
	}
	for i := range s.progress {
		p := &s.progress[i]
		*p.of = p.progress
		p.progress.Inflights.CopyFrom(&p.inflights)
	}
}

// CopyStorage makes dst equal to src.
func (saver) CopyStorage(dst, src *MemoryStorage, m memory) {
	dst.hardState, dst.callStats = src.hardState, src.callStats
	// CreateSnapshot writes into the stored snapshot.
	if dst.snapshot == nil || dst.snapshot.Metadata == nil {
		dst.snapshot = &pb.Snapshot{Metadata: &pb.SnapshotMetadata{}}
	}
	to, from := dst.snapshot.Metadata, src.snapshot.Metadata
	dst.snapshot.Data = src.snapshot.Data
	to.Index, to.Term, to.ConfState = from.Index, from.Term, from.ConfState
	dst.ents = entries(dst.ents, src.ents, m)
}

// messages copies messages to the memory of buf.
func messages(buf, src []*pb.Message, m memory) []*pb.Message {
	buf = buf[:0]
	for _, msg := range src {
		buf = append(buf, m.Message(msg))
	}
	return buf
}

// entries copies entries to the memory of buf.
func entries(buf, src []*pb.Entry, m memory) []*pb.Entry {
	buf = buf[:0]
	for _, e := range src {
		buf = append(buf, m.Entry(e))
	}
	return buf
}
