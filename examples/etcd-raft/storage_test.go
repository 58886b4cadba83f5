package etcdraft

import (
	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// threads are the two storage threads of a node with AsyncStorageWrites: one
// writes to the disk, the other applies to the application. Each does its
// messages in order; while it is held it does none. What they answer the node
// may be held as well. The node's hard and log are then what raft has handed
// out, and these what is on disk.
type threads struct {
	on       bool
	hard     *pb.HardState
	log      logIndex
	appends  []*pb.Message
	applies  []*pb.Message
	answers  []*pb.Message
	held     byte
	restored uint64 // entries up to here came, or will come, with a snapshot
}

const (
	heldAppends = 1 << iota
	heldApplies
	heldAnswers
)

func (t *threads) format(n *node) {
	t.on = n.c.conf.async.has(n.id)
	t.hard = n.hard
	t.log.copyFrom(&n.log)
}

func (t *threads) start(n *node) {
	t.appends, t.applies, t.answers = t.appends[:0], t.applies[:0], t.answers[:0]
	t.held, t.restored = 0, 0
}

// crash forgets what the threads have not done; n.hard is on disk already.
func (t *threads) crash(n *node) {
	if t.on {
		t.hard = n.hard
		n.log.copyFrom(&t.log)
		t.start(n)
	}
}

// onDisk is the log that a crash leaves.
func (n *node) onDisk() *logIndex {
	if n.threads.on {
		return &n.threads.log
	}
	return &n.log
}

// hardOnDisk is the hard state that a crash leaves, unless it loses what was
// not synced.
func (n *node) hardOnDisk() *pb.HardState {
	if n.threads.on {
		return n.threads.hard
	}
	return n.hard
}

// note takes note of what a Ready hands to the threads.
func (n *node) note(rd *raft.Ready) {
	if m := rd.Snapshot.GetMetadata(); !raft.IsEmptySnap(rd.Snapshot) {
		n.log.reset(m.GetIndex(), m.GetTerm())
		n.threads.restored = m.GetIndex()
	}
	n.noteEntries(rd.Entries)
	if !raft.IsEmptyHardState(rd.HardState) {
		n.noteHardState(rd.HardState)
	}
}

// dispatch gives each message to the thread or the network that it is for.
func (n *node) dispatch(msgs []*pb.Message) {
	t := &n.threads
	if len(t.appends) > 0 {
		n.c.reach(lateWrites)
	}
	if len(t.applies) > 0 {
		n.c.reach(lateApplies)
	}
	for i, m := range msgs {
		switch m.GetTo() {
		case raft.LocalAppendThread:
			t.appends = append(t.appends, m)
		case raft.LocalApplyThread:
			t.applies = append(t.applies, m)
		default:
			n.send(msgs[i : i+1])
		}
	}
}

// work delivers an answer or has a thread do one message, unless they are
// held, and tells whether there was any.
func (n *node) work() bool {
	t := &n.threads
	switch {
	case len(t.answers) > 0 && t.held&heldAnswers == 0:
		_ = n.raw.Step(pop(&t.answers)) // an error only tells that it was refused
	case len(t.appends) > 0 && t.held&heldAppends == 0:
		n.respond(n.writeNext())
	case len(t.applies) > 0 && t.held&heldApplies == 0:
		n.applyNext()
	default:
		return false
	}
	return true
}

func pop(queue *[]*pb.Message) *pb.Message {
	q := *queue
	m := q[0]
	copy(q, q[1:])
	q[len(q)-1] = nil
	*queue = q[:len(q)-1]
	return m
}

// writeNext writes the next message to disk. Without responses it need not be
// durable.
func (n *node) writeNext() *pb.Message {
	t := &n.threads
	m := pop(&t.appends)
	if s := m.GetSnapshot(); !raft.IsEmptySnap(s) {
		n.installAsync(s)
	}
	for _, e := range m.GetEntries() {
		t.log.write(e)
	}
	must(n.disk.Append(m.GetEntries()))
	// Of its own, and not of the message: see save_test.go.
	hs := &pb.HardState{Term: new(m.GetTerm()), Vote: new(m.GetVote()), Commit: new(m.GetCommit())}
	if !raft.IsEmptyHardState(hs) {
		must(n.disk.SetHardState(hs))
		t.hard = hs
		n.c.checkHardVote(n, hs)
	}
	if len(m.GetResponses()) > 0 {
		n.durable = t.hard
	}
	n.c.changed(n)
	return m
}

// installAsync puts a snapshot on disk and into the application.
func (n *node) installAsync(s *pb.Snapshot) {
	must(n.disk.ApplySnapshot(s))
	n.snapshot = unpack(s)
	n.threads.log.reset(n.snapshot.index, s.GetMetadata().GetTerm())
	n.restore()
}

// respond sends the responses of a message that is written, or leaves them for
// the node itself to work on.
func (n *node) respond(m *pb.Message) {
	responses := m.GetResponses()
	for i, r := range responses {
		if r.GetTo() == n.id {
			n.threads.answers = append(n.threads.answers, r)
		} else {
			n.send(responses[i : i+1])
		}
	}
}

// applyNext applies the entries of the next message. What has come with a
// snapshot since they were handed out is not applied: raft goes by the
// snapshot's configuration already.
func (n *node) applyNext() {
	m := pop(&n.threads.applies)
	entries := m.GetEntries()
	for len(entries) > 0 && entries[0].GetIndex() <= n.threads.restored {
		entries = entries[1:]
	}
	n.apply(entries)
	n.respond(m)
	n.c.changed(n)
}

// crashWorking gets to the point of a crash with what the threads have left
// to do: torn means that one message is written.
func (n *node) crashWorking(at crashPoint) crashed {
	if n.raw.HasReady() {
		n.handle(n.raw.Ready())
	}
	seen := crashedIdle
	for len(n.threads.appends) > 0 {
		m := n.writeNext()
		switch {
		case at == crashTorn:
			return crashedWritten
		case at == crashSent:
			n.respond(m)
			seen = crashedSent
		default:
			seen = crashedWritten
		}
	}
	return seen
}

// storage lets the storage threads of a node that has them wait or work.
func (c *cluster) storage(e sim.Event) {
	n := c.pick(e.A)
	for range c.nodes {
		if n == nil || n.threads.on && n.up() {
			break
		}
		n = c.firstUp(n.index() + 1)
	}
	if n == nil || !n.threads.on {
		return
	}
	ijon.Node(int(n.id))
	if ijon.Tracing() {
		n.logf("%s; %d writes and %d applications wait", storageNames[e.B%8], len(n.threads.appends), len(n.threads.applies))
	}
	n.storage(e.B % 8)
	c.after(n, e)
}

// What a storage event does.
const (
	holdAppends = iota
	holdApplies
	holdAnswers
	holdBoth
	appendOne
	applyOne
	appendAll
	release
)

var storageNames = [...]string{
	holdAppends: "stops writing",
	holdApplies: "stops applying",
	holdAnswers: "does not hear of what is written",
	holdBoth:    "stops writing and applying",
	appendOne:   "writes once",
	applyOne:    "applies once",
	appendAll:   "writes everything",
	release:     "writes and applies again",
}

func (n *node) storage(what byte) {
	t := &n.threads
	switch what {
	case holdAppends:
		t.held |= heldAppends
	case holdApplies:
		t.held |= heldApplies
	case holdAnswers:
		t.held |= heldAnswers
	case holdBoth:
		t.held |= heldAppends | heldApplies
	case release:
		t.held = 0
	}
	// A Ready may hold a snapshot, behind which entries are not applied.
	for n.raw.HasReady() && what >= appendOne && n.c.violation == nil {
		n.handle(n.raw.Ready())
	}
	switch {
	case what == appendOne && len(t.appends) > 0:
		n.respond(n.writeNext())
	case what == applyOne && len(t.applies) > 0:
		n.applyNext()
	}
	for what == appendAll && len(t.appends) > 0 && n.c.violation == nil {
		n.respond(n.writeNext())
	}
}
