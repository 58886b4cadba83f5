package etcdraft

import (
	"encoding/binary"
	"errors"

	ijon "github.com/ijongo/ijongo/runtime"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"
	"google.golang.org/protobuf/proto"
)

// A node is one member of the cluster: a RawNode, its disk, and an
// application that keeps a hash chain of the entries it has applied.
type node struct {
	c    *cluster
	id   uint64
	raw  *raft.RawNode // nil while the node is down
	disk disk

	// As raft has last handed them out: on disk, but for a node with storage
	// threads. What is on disk over durable was written without a sync and may
	// be lost in a crash.
	hard, durable *pb.HardState
	log           logIndex
	snapshot      applied
	threads       threads

	// Last seen in memory, as of the last Ready.
	role raft.StateType
	lead uint64
	seen seen

	app     applied // the application's state
	acked   bool    // an MsgAppResp came in since Match was last checked
	waiting int     // reads asked since it started, and in its term, that are not answered
	answers bool    // it has answered a read since it was last sampled
	visitor func(uint64, raft.ProgressType, tracker.Progress)
	active  func(uint64, raft.ProgressType, tracker.Progress)

	snapshotting bool // in visitor: a peer is in StateSnapshot
}

// applied is the state of the application: the last entry that it has
// applied, the hash chain up to there, and the configuration.
type applied struct {
	index uint64
	chain uint64
	conf  membership
}

// A disk is a MemoryStorage that makes the snapshot for a peer from what the
// application has applied now, as etcd does, and not from the last one on
// disk: that may be from before the peer was added, and useless to it.
type disk struct {
	*raft.MemoryStorage
	n *node
}

func (d *disk) Snapshot() (*pb.Snapshot, error) {
	n := d.n
	term, ok := n.log.term(n.app.index)
	if n.app.index == n.snapshot.index || !ok {
		return d.MemoryStorage.Snapshot()
	}
	return n.app.pack(term), nil
}

func (a applied) pack(term uint64) *pb.Snapshot {
	return &pb.Snapshot{
		Data: a.data(),
		Metadata: &pb.SnapshotMetadata{
			Index: new(a.index), Term: new(term), ConfState: a.conf.confState(),
		},
	}
}

func (a applied) data() []byte {
	return binary.LittleEndian.AppendUint64(nil, a.chain)
}

func unpack(s *pb.Snapshot) applied {
	m := s.GetMetadata()
	a := applied{index: m.GetIndex(), conf: membershipOf(m.GetConfState())}
	if d := s.GetData(); len(d) == 8 {
		a.chain = binary.LittleEndian.Uint64(d)
	}
	return a
}

// format starts the node's life: with the first snapshot on disk if it is a
// member from the start, else with an empty disk.
func (n *node) format(first *pb.Snapshot) {
	n.disk = disk{raft.NewMemoryStorage(), n}
	n.hard = &pb.HardState{}
	n.snapshot = applied{}
	n.log.reset(0, 0)
	if first != nil {
		n.hard = &pb.HardState{Term: new(uint64(1)), Commit: new(uint64(1))}
		n.snapshot = unpack(first)
		n.log.reset(1, 1)
		must(n.disk.ApplySnapshot(first))
		must(n.disk.SetHardState(n.hard))
	}
	n.durable = n.hard
	n.threads.format(n)
	n.start()
}

// start starts the node from its disk.
func (n *node) start() {
	ijon.Node(int(n.id))
	n.app = n.snapshot
	n.role, n.lead, n.acked = raft.StateFollower, raft.None, false
	n.waiting, n.answers = 0, false
	n.seen = seen{commit: n.hard.GetCommit()}
	n.threads.start(n)
	conf := &n.c.conf.raft
	conf.ID = n.id
	conf.Storage = &n.disk
	conf.Applied = n.snapshot.index
	conf.AsyncStorageWrites = n.threads.on
	raw, err := raft.NewRawNode(conf)
	must(err)
	n.raw = raw
	n.c.changed(n)
}

func (n *node) up() bool { return n.raw != nil }

// drain handles every Ready, and lets the storage threads work. A violated
// oracle ends the run: what comes after it may be beyond what the harness can
// follow.
func (n *node) drain() {
	for n.c.violation == nil {
		if n.raw.HasReady() {
			n.handle(n.raw.Ready())
		} else if !n.work() {
			return
		}
	}
}

// handle handles a Ready in the order that raft demands: snapshot, entries
// and hard state to disk, then messages, then the application; or hands it to
// the storage threads.
func (n *node) handle(rd raft.Ready) {
	if n.c.stepped != nil {
		n.c.stepped(n)
	}
	n.inspect(&rd)
	if n.threads.on {
		n.note(&rd)
		n.see(&rd)
		n.dispatch(rd.Messages)
	} else {
		n.persist(&rd)
		n.see(&rd)
		n.send(rd.Messages)
		n.apply(rd.CommittedEntries)
		n.raw.Advance(rd)
	}
	if n.acked && n.role == raft.StateLeader {
		n.acked = false
		n.checkProgress()
	}
}

// persist writes a Ready to disk. Raft's documentation asks for no order among
// the three, but a hard state that commits up to a snapshot which a crash has
// lost could not be loaded; etcd writes the snapshot first, and so do we.
func (n *node) persist(rd *raft.Ready) {
	if !raft.IsEmptySnap(rd.Snapshot) {
		n.install(rd.Snapshot)
	}
	n.appendEntries(rd.Entries)
	if !raft.IsEmptyHardState(rd.HardState) {
		n.setHardState(rd.HardState)
	}
	if rd.MustSync || !raft.IsEmptySnap(rd.Snapshot) {
		n.durable = n.hard // one log file: syncing it syncs what came before
	}
}

func (n *node) appendEntries(entries []*pb.Entry) {
	if len(entries) == 0 {
		return
	}
	if n.noteEntries(entries) {
		must(n.disk.Append(entries))
	}
}

// noteEntries takes note of entries of a Ready. It tells whether the log has a
// place for them.
func (n *node) noteEntries(entries []*pb.Entry) bool {
	for _, e := range entries {
		if !n.c.checkEntry(n, e) {
			return false
		}
		n.log.write(e)
	}
	n.c.changed(n)
	return true
}

func (n *node) setHardState(hs *pb.HardState) {
	must(n.disk.SetHardState(hs))
	n.noteHardState(hs)
	n.c.checkHardVote(n, hs)
}

// noteHardState takes note of the hard state of a Ready.
func (n *node) noteHardState(hs *pb.HardState) {
	old := n.hard
	n.hard = hs
	if hs.GetTerm() != old.GetTerm() {
		n.waiting = 0 // an answer that still comes is one of an older term
	}
	n.c.changed(n)
	n.c.checkHardState(n, old)
}

// install puts a snapshot from the leader on disk and into the application.
func (n *node) install(s *pb.Snapshot) {
	must(n.disk.ApplySnapshot(s))
	n.snapshot = unpack(s)
	n.log.reset(n.snapshot.index, s.GetMetadata().GetTerm())
	n.restore()
}

// restore puts the snapshot on disk into the application.
func (n *node) restore() {
	n.app = n.snapshot
	n.c.changed(n)
	n.c.checkRestored(n)
	n.c.reach(restores)
	n.c.state.restored++
}

// see notes what the Ready tells of the node's state and answers.
func (n *node) see(rd *raft.Ready) {
	if rd.SoftState != nil {
		n.role, n.lead = rd.RaftState, rd.Lead
		n.c.changed(n)
		n.checkRole()
		if n.role == raft.StateLeader {
			n.c.checkElected(n)
		}
	}
	for i := range rd.ReadStates {
		n.c.checkRead(n, &rd.ReadStates[i])
	}
}

func (n *node) send(msgs []*pb.Message) {
	c := n.c
	for _, m := range msgs {
		c.checkSent(n, m)
		from, to := n.index(), int(m.GetTo())-1
		if to < 0 || to >= c.conf.nodes {
			c.fail("message to a node of the cluster", "node %d sent %v to %d", n.id, m.GetType(), m.GetTo())
			continue
		}
		if c.net.Accepts(from, to) {
			c.net.Send(from, to, c.mem.clone(m))
		}
	}
}

func (n *node) index() int { return int(n.id) - 1 }

// apply applies committed entries to the application.
func (n *node) apply(entries []*pb.Entry) {
	for _, e := range entries {
		n.c.checkApplied(n, e)
		next := applied{index: e.GetIndex(), chain: link(n.app.chain, e), conf: n.app.conf}
		if e.GetType() != pb.EntryNormal {
			next.conf = n.applyConfChange(e)
		}
		n.app = next
		n.c.changed(n)
	}
}

// applyConfChange returns the configuration that e leads to. The application
// refuses a change that leaves no voter, as raft's documentation lets it.
func (n *node) applyConfChange(e *pb.Entry) membership {
	cc := decodeConfChange(e)
	if n.app.conf.leavesNoVoter(cc.AsV2()) {
		return n.app.conf
	}
	n.checkCommitted()
	conf := membershipOf(n.raw.ApplyConfChange(cc))
	n.c.reachConf(n, conf)
	n.checkChanged(conf)
	return conf
}

func decodeConfChange(e *pb.Entry) pb.ConfChangeI {
	if e.GetType() == pb.EntryConfChange {
		cc := &pb.ConfChange{}
		must(proto.Unmarshal(e.GetData(), cc))
		return cc
	}
	cc := &pb.ConfChangeV2{}
	must(proto.Unmarshal(e.GetData(), cc))
	return cc
}

// compact makes a snapshot of the application and drops the log up to keep
// entries before it. Never the one without the other: a leader that has
// neither entry nor snapshot for a peer panics.
func (n *node) compact(keep uint64) {
	log := n.onDisk()
	if t := &n.threads; t.on && (t.hard.GetCommit() < n.app.index || len(t.answers) > 0) {
		// A log that begins behind its commit index could not be loaded, and
		// raft panics if one begins behind what it has heard to be applied.
		return
	}
	if n.app.index > n.snapshot.index {
		_, err := n.disk.CreateSnapshot(n.app.index, n.app.conf.confState(), n.app.data())
		must(err)
		n.snapshot = n.app
		n.durable = n.hardOnDisk() // a snapshot is synced, and the log before it
		n.c.reach(snapshots)
	}
	if i := n.snapshot.index; i > log.base+keep {
		must(n.disk.Compact(i - keep))
		log.compact(i - keep)
		if n.threads.on && i > n.log.base+keep {
			n.log.compact(i - keep)
		}
		n.c.reach(compacts)
	}
}

// crashPoint is how far a crash lets the node get with its pending Ready.
type crashPoint int

const (
	crashBefore  crashPoint = iota // nothing of it is on disk
	crashTorn                      // on a disk that tears writes: the entries are on disk, the hard state is not
	crashWritten                   // all is on disk, nothing was sent or applied
	crashSent                      // and the messages are out
)

var crashPointNames = [...]string{
	crashBefore:  "nothing written",
	crashTorn:    "all written, nothing sent; if the disk tears writes, the entries only",
	crashWritten: "all written, nothing sent",
	crashSent:    "all written and sent, nothing applied",
}

// leadsUnwritten tells whether the node leads in a term of which its disk knows
// nothing: see TestElectedTwiceInATerm.
func (n *node) leadsUnwritten() bool {
	s := n.raw.BasicStatus()
	return s.RaftState == raft.StateLeader && s.HardState.GetTerm() > n.hardOnDisk().GetTerm()
}

// crash stops the node. With lose, what was written without a sync is lost.
func (n *node) crash(at crashPoint, lose bool) {
	seen := crashedIdle
	switch {
	case at == crashBefore:
	case n.threads.on:
		seen = n.crashWorking(at)
	case n.raw.HasReady():
		seen = n.crashIn(at, n.raw.Ready())
	}
	n.hard = n.hardOnDisk()
	if lose && n.hard != n.durable {
		n.hard = n.durable
		must(n.disk.SetHardState(n.hard))
		n.c.reach(losses)
		seen = crashedLost
	}
	n.c.state.crash = seen
	n.threads.crash(n)
	n.raw = nil
	n.role, n.lead, n.waiting = raft.StateFollower, raft.None, 0
	n.c.changed(n)
	n.c.reach(crashes)
}

// crashIn gets to the point with a Ready, and tells how far that was.
func (n *node) crashIn(at crashPoint, rd raft.Ready) crashed {
	n.inspect(&rd)
	if at == crashTorn && n.c.tears {
		if !raft.IsEmptySnap(rd.Snapshot) || len(rd.Entries) == 0 {
			return crashedIdle
		}
		n.appendEntries(rd.Entries)
		n.durable = n.hard // written before them to the same log file
		return crashedTorn
	}
	n.persist(&rd)
	if at == crashSent {
		n.see(&rd)
		n.send(rd.Messages)
		return crashedSent
	}
	return crashedWritten
}

// link extends the hash chain by an entry.
func link(chain uint64, e *pb.Entry) uint64 {
	return ijon.HashUint(chain, entryHash(e))
}

func entryHash(e *pb.Entry) uint64 {
	h := ijon.HashUint(ijon.Hash, e.GetTerm())
	h = ijon.HashUint(h, uint64(e.GetType()))
	data := e.GetData()
	h = ijon.HashUint(h, uint64(len(data)))
	for ; len(data) >= 8; data = data[8:] {
		h = ijon.HashUint(h, binary.LittleEndian.Uint64(data))
	}
	for _, b := range data {
		h = ijon.HashUint(h, uint64(b))
	}
	return h
}

// must stops at a fault of the harness itself.
func must(err error) {
	if err != nil {
		panic(errors.Join(errors.New("harness"), err))
	}
}
