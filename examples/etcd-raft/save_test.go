package etcdraft

import (
	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// A raftSaver is what testdata/raft/save.go offers, which raft.ijon adds to
// package raft: unexported state is saved in there.
type raftSaver interface {
	Save(old any, raw *raft.RawNode, m memory) any
	Load(state any, m memory) *raft.RawNode
	CopyStorage(dst, src *raft.MemoryStorage, m memory)
}

// memory is where the copies of messages and entries are.
type memory = interface {
	Message(*pb.Message) *pb.Message
	Entry(*pb.Entry) *pb.Entry
}

func (a *arena) Message(m *pb.Message) *pb.Message { return a.clone(m) }
func (a *arena) Entry(e *pb.Entry) *pb.Entry       { return a.cloneEntry(e) }

// offeredSaver is nil in plain go test, where raft is as it is.
func offeredSaver() raftSaver {
	s, _ := ijon.Offered("go.etcd.io/raft/v3").(raftSaver)
	return s
}

// A savedCluster is a cluster between two events, in memory of its own. What
// is loaded goes into the very objects that were saved, of the cluster, raft and
// the disks: so an object that covergroups are sampled by is the same one again.
type savedCluster struct {
	of *cluster
	moment
	nodes   [maxNodes]savedNode
	net     sim.Network
	history history
	mem     arena
	clone   func(any) any // into mem
}

type savedNode struct {
	node    node // but for what its raw, disk, log and threads point to
	raw     any
	disk    *raft.MemoryStorage
	log     logIndex
	threads threads
}

// CanSave implements sim.Saver.
func (c *cluster) CanSave() bool { return c.raft != nil }

// Save implements sim.Saver.
func (c *cluster) Save(old any) any {
	s, ok := old.(*savedCluster)
	if !ok {
		s = new(savedCluster)
		s.clone = func(m any) any { return s.mem.clone(m.(*pb.Message)) }
	}
	s.of = c
	s.mem.reset()
	s.moment.copyFrom(&c.moment)
	s.net.CopyFrom(&c.net, s.clone)
	s.history.copyFrom(&c.history)
	for i := range c.nodes {
		s.nodes[i].save(&c.nodes[i], &s.mem)
	}
	return s
}

// Load implements sim.Saver.
func (c *cluster) Load(state any) {
	s := state.(*savedCluster)
	if s.of != c {
		panic("harness: loaded by another cluster than the one that saved")
	}
	c.mem.reset()
	c.moment.copyFrom(&s.moment)
	c.net.CopyFrom(&s.net, c.copyMessage)
	c.history.copyFrom(&s.history)
	c.nodes = c.all[:c.conf.nodes]
	for i := range c.nodes {
		s.nodes[i].load(&c.nodes[i])
	}
}

func (m *moment) copyFrom(src *moment) {
	*m = *src
	if v := src.violation; v != nil { // the player completes it
		w := *v
		m.violation = &w
	}
}

func (s *savedNode) save(n *node, m memory) {
	s.node = *n
	s.log.copyFrom(&n.log)
	s.threads.copyFrom(&n.threads, m)
	if s.disk == nil {
		s.disk = new(raft.MemoryStorage)
	}
	n.c.raft.CopyStorage(s.disk, n.disk.MemoryStorage, m)
	if n.up() {
		s.raw = n.c.raft.Save(s.raw, n.raw, m)
	}
}

func (s *savedNode) load(n *node) {
	m := &n.c.mem
	log, threads := n.log, n.threads
	*n = s.node
	n.log, n.threads = log, threads
	n.log.copyFrom(&s.log)
	n.threads.copyFrom(&s.threads, m)
	n.c.raft.CopyStorage(n.disk.MemoryStorage, s.disk, m)
	if n.up() {
		n.raw = n.c.raft.Load(s.raw, m)
	}
}

// copyFrom makes l equal to src and keeps its memory.
func (l *logIndex) copyFrom(src *logIndex) {
	terms := append(l.terms[:0], src.terms...)
	*l = *src
	l.terms = terms
}

// copyFrom makes t equal to src, with messages of its own, and keeps its memory.
func (t *threads) copyFrom(src *threads, m memory) {
	keep := *t
	*t = *src
	t.log = keep.log
	t.log.copyFrom(&src.log)
	t.appends = copyMessages(keep.appends, src.appends, m)
	t.applies = copyMessages(keep.applies, src.applies, m)
	t.answers = copyMessages(keep.answers, src.answers, m)
}

func copyMessages(buf, src []*pb.Message, m memory) []*pb.Message {
	buf = buf[:0]
	for _, msg := range src {
		buf = append(buf, m.Message(msg))
	}
	return buf
}

// copyFrom makes h equal to src and keeps its memory.
func (h *history) copyFrom(src *history) {
	keep := *h
	*h = *src
	h.committed = append(keep.committed[:0], src.committed...)
	h.leaders = append(keep.leaders[:0], src.leaders...)
	h.reads = append(keep.reads[:0], src.reads...)
	for i := range h.votes {
		h.votes[i] = append(keep.votes[i][:0], src.votes[i]...)
	}
	for i := range keep.entries { // empty behind its end
		keep.entries[i] = keep.entries[i][:0]
	}
	h.entries = keep.entries[:cap(keep.entries)]
	for len(h.entries) < len(src.entries) {
		h.entries = append(h.entries, nil)
	}
	h.entries = h.entries[:len(src.entries)]
	for i, records := range src.entries {
		h.entries[i] = append(h.entries[i], records...)
	}
}
