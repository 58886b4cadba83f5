package etcdraft

import (
	"encoding/binary"

	ijon "github.com/ijongo/ijongo/runtime"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"
)

// The oracles, by the names that failures are grouped by. See README.md.
const (
	electionSafety     = "election safety: one leader a term"
	logMatching        = "log matching: the same index and term is the same entry behind the same log"
	leaderCompleteness = "leader completeness: a leader has what was committed before its term"
	stateMachineSafety = "state machine safety: every node applies the same entries"
	monotoneTerm       = "a node's term never falls"
	monotoneCommit     = "a node's commit index never falls"
	oneVote            = "one vote a term, also across a restart"
	matchInLog         = "what a leader believes of a peer is in the peer's log"
	convergence        = "liveness: the peers of a healed leader catch up and replicate"
	readsAnswered      = "liveness: a healed leader answers what it was asked as leader"
	staleRead          = "stale read"
	staleReadRemoved   = "stale read by a removed leader"
	staleReadLone      = "known: stale read by a lone voter before its first commit"
	liveness           = "liveness: a healed cluster elects, commits and answers"
)

// history is what the oracles remember of a run, across restarts.
type history struct {
	committed []commitRecord     // by index
	commit    uint64             // highest index known to be committed
	entries   [][]entryRecord    // by index: the entries ever written there
	leaders   []uint64           // by term: the leader
	votes     [maxNodes][]uint64 // by term: the vote of each node
	reads     []readRecord       // by request
	answered  int                // reads answered
}

// A commitRecord is a committed entry.
type commitRecord struct {
	term  uint64 // of the entry
	seen  uint64 // a term in or after which it was committed
	hash  uint64 // of the entry; 0 until a node applies it
	chain uint64 // of the application up to it, likewise
}

// An entryRecord is an entry that some node has written to its log.
type entryRecord struct {
	term, before, hash uint64
	change             bool // of the configuration
}

type readRecord struct {
	commit uint64 // what was committed, anywhere, when it was asked
	leader uint64 // who was asked, if it led; else 0
	term   uint64 // that it led in
	done   bool
}

func (h *history) reset() {
	h.committed = append(h.committed[:0], commitRecord{}, commitRecord{term: 1, seen: 1})
	h.commit = 1
	for i := range h.entries {
		h.entries[i] = h.entries[i][:0]
	}
	h.entries = h.entries[:0]
	h.leaders = h.leaders[:0]
	for i := range h.votes {
		h.votes[i] = h.votes[i][:0]
	}
	h.reads, h.answered = h.reads[:0], 0
}

// at makes table[i] exist and returns its address.
func at(table *[]uint64, i uint64) *uint64 {
	for uint64(len(*table)) <= i {
		*table = append(*table, 0)
	}
	return &(*table)[i]
}

// checkEntry checks an entry that a node is about to write to its log. It
// tells whether the log has a place for it.
func (c *cluster) checkEntry(n *node, e *pb.Entry) bool {
	i := e.GetIndex()
	if i <= n.log.base || i > n.log.last()+1 {
		c.failIn(logMatching, "there is a gap", "node %d writes entry %d to a log of %d to %d", n.id, i, n.log.base+1, n.log.last())
		return false
	}
	before, _ := n.log.term(i - 1)
	r := entryRecord{e.GetTerm(), before, entryHash(e), e.GetType() != pb.EntryNormal}
	h := &c.history
	for uint64(len(h.entries)) <= i {
		if len(h.entries) < cap(h.entries) {
			h.entries = h.entries[:len(h.entries)+1]
		} else {
			h.entries = append(h.entries, nil)
		}
	}
	for _, old := range h.entries[i] {
		if old.term == r.term {
			if old != r {
				c.failIn(logMatching, "the entry is another one", "node %d writes entry %d of term %d behind one of term %d; before it was another entry or behind term %d",
					n.id, i, r.term, r.before, old.before)
			}
			return true
		}
	}
	h.entries[i] = append(h.entries[i], r)
	return true
}

// checkHardState checks what a node goes by against what it was.
func (c *cluster) checkHardState(n *node, old *pb.HardState) {
	hs := n.hard
	if hs.GetTerm() < old.GetTerm() {
		c.fail(monotoneTerm, "node %d went from term %d to %d", n.id, old.GetTerm(), hs.GetTerm())
	}
	if hs.GetCommit() < old.GetCommit() {
		c.fail(monotoneCommit, "node %d went from commit %d to %d", n.id, old.GetCommit(), hs.GetCommit())
	}
	if hs.GetCommit() > old.GetCommit() {
		c.checkCommit(n)
	}
}

// checkHardVote checks the vote that a node has just written.
func (c *cluster) checkHardVote(n *node, hs *pb.HardState) {
	if v := hs.GetVote(); v != raft.None {
		c.checkVote(n, hs.GetTerm(), v)
	}
}

// checkVote checks a vote against an earlier one of the same node and term.
func (c *cluster) checkVote(n *node, term, vote uint64) {
	v := at(&c.history.votes[n.index()], term)
	if *v != 0 && *v != vote {
		c.fail(oneVote, "node %d voted for %d and %d in term %d", n.id, *v, vote, term)
	}
	*v = vote
}

// checkCommit checks that a node's commit index, which has just risen, is in
// its log and agrees with what is known to be committed there.
func (c *cluster) checkCommit(n *node) {
	h, i := &c.history, n.hard.GetCommit()
	term, ok := n.log.term(i)
	if !ok {
		c.failIn(stateMachineSafety, "behind the end of its log", "node %d commits entry %d and its log ends at %d", n.id, i, n.log.last())
		return
	}
	if i <= h.commit {
		if r := &h.committed[i]; r.term != term {
			c.failIn(stateMachineSafety, "another entry is committed", "node %d commits entry %d of term %d; committed is one of term %d", n.id, i, term, r.term)
		}
		return
	}
	if !n.log.agrees(h.commit, h.committed[h.commit].term) {
		c.failIn(stateMachineSafety, "without what was committed before", "node %d commits entry %d without the committed entry %d of term %d",
			n.id, i, h.commit, h.committed[h.commit].term)
		return
	}
	for k := h.commit + 1; k <= i; k++ {
		t, _ := n.log.term(k) // 0 where a snapshot skipped it
		h.committed = append(h.committed, commitRecord{term: t, seen: n.hard.GetTerm()})
	}
	h.commit = i
	c.reach(commits)
	for k := range c.nodes {
		if l := &c.nodes[k]; l.role == raft.StateLeader && l.hard.GetTerm() > n.hard.GetTerm() {
			c.checkComplete(l)
		}
	}
}

// checkElected checks a node that has become leader.
func (c *cluster) checkElected(n *node) {
	c.checkLeader(n, n.hard.GetTerm())
	c.checkComplete(n)
	c.checkVotes(n)
	c.epochs++
	c.reach(elections)
}

func (c *cluster) checkLeader(n *node, term uint64) {
	l := at(&c.history.leaders, term)
	if *l != 0 && *l != n.id {
		c.fail(electionSafety, "nodes %d and %d both lead in term %d", *l, n.id, term)
	}
	*l = n.id
}

// checkComplete checks a leader's log for the last entry that was surely
// committed in an earlier term.
func (c *cluster) checkComplete(n *node) {
	h, term := &c.history, n.hard.GetTerm()
	i := h.commit
	for i > 0 && h.committed[i].seen >= term {
		i--
	}
	if r := &h.committed[i]; r.term != 0 && !n.log.agrees(i, r.term) {
		t, _ := n.log.term(i)
		c.fail(leaderCompleteness, "node %d leads in term %d without entry %d of term %d, committed by term %d (it has term %d)",
			n.id, term, i, r.term, r.seen, t)
	}
}

// checkApplied checks an entry that a node is about to apply.
func (c *cluster) checkApplied(n *node, e *pb.Entry) {
	i := e.GetIndex()
	if i != n.app.index+1 {
		c.failIn(stateMachineSafety, "out of order", "node %d applies entry %d after %d", n.id, i, n.app.index)
		return
	}
	if i > c.history.commit {
		c.failIn(stateMachineSafety, "not committed", "node %d applies entry %d; only %d is committed", n.id, i, c.history.commit)
		return
	}
	r, hash, chain := &c.history.committed[i], entryHash(e), link(n.app.chain, e)
	if r.hash == 0 {
		r.hash, r.chain = hash, chain
		c.appliedFirst(e)
	}
	if r.hash != hash || r.chain != chain {
		c.failIn(stateMachineSafety, "another entry is applied", "node %d applies another entry %d, of term %d", n.id, i, e.GetTerm())
	}
	c.reach(applies)
}

// checkRestored checks the application state that came with a snapshot.
func (c *cluster) checkRestored(n *node) {
	i := n.app.index
	if i > c.history.commit {
		c.failIn(stateMachineSafety, "a snapshot of what is not committed", "node %d restores a snapshot of entry %d; only %d is committed", n.id, i, c.history.commit)
		return
	}
	if r := &c.history.committed[i]; r.chain != n.app.chain {
		c.failIn(stateMachineSafety, "a snapshot of another state", "node %d restores a snapshot of entry %d with another state", n.id, i)
	}
}

// checkSent checks what a message says of its sender.
func (c *cluster) checkSent(n *node, m *pb.Message) {
	switch m.GetType() {
	case pb.MsgApp, pb.MsgHeartbeat, pb.MsgSnap:
		c.checkLeader(n, m.GetTerm())
	case pb.MsgVoteResp:
		if !m.GetReject() {
			c.checkVote(n, m.GetTerm(), m.GetTo())
		}
	case pb.MsgReadIndexResp:
		c.checkReadIndex(n, m.GetEntries()[0].GetData(), m.GetIndex())
	}
}

// checkRead checks an answer that reached the node that asked.
func (c *cluster) checkRead(n *node, rs *raft.ReadState) {
	c.checkReadIndex(n, rs.RequestCtx, rs.Index)
	if ijon.Tracing() {
		n.logf("has read %d answered with index %d", binary.LittleEndian.Uint64(rs.RequestCtx), rs.Index)
	}
	r := &c.history.reads[binary.LittleEndian.Uint64(rs.RequestCtx)]
	if !r.done {
		r.done = true
		n.waiting = max(n.waiting-1, 0)
		c.history.answered++
		c.reach(answers)
	}
}

// checkReadIndex checks an answer when the leader gives it (what is on the
// wire may be delivered) and when it arrives. It tells the ways to a stale
// read that are known apart from others. A stale answer was reported when it
// was sent, so that one that is found on arrival is the node's own, from when
// it led last.
func (c *cluster) checkReadIndex(n *node, context []byte, index uint64) {
	n.answers = true
	c.changedAround()
	r := &c.history.reads[binary.LittleEndian.Uint64(context)]
	asked := r.commit
	if index >= asked {
		return
	}
	r.commit = index // one report is enough
	oracle, led := staleRead, c.history.led(n.id)
	switch term, _ := n.log.term(index); {
	case !n.app.conf.votes(n.id):
		oracle = staleReadRemoved
	case n.app.conf.lone() && term < led:
		oracle = staleReadLone
	}
	c.fail(oracle, "node %d, leader of term %d with voters %v, answers a read with index %d; entry %d was committed when it was asked",
		n.id, led, n.app.conf.voters.ids(), index, asked)
}

// led is the last term that a node led in; 0 if it never led.
func (h *history) led(id uint64) uint64 {
	for t := len(h.leaders) - 1; t >= 0; t-- {
		if h.leaders[t] == id {
			return uint64(t)
		}
	}
	return 0
}

// checkProgress checks what a leader believes of its peers.
func (n *node) checkProgress() {
	n.raw.WithProgress(n.visitor)
}

func (n *node) checkPeer(id uint64, _ raft.ProgressType, pr tracker.Progress) {
	if pr.State == tracker.StateSnapshot {
		n.snapshotting = true
	}
	n.checkProgressState(id, &pr)
	if id > uint64(n.c.conf.nodes) {
		return
	}
	// A new leader takes its own log for written, which it is when it counts:
	// for entries of its term.
	if t, _ := n.log.term(pr.Match); id == n.id && t != n.hard.GetTerm() {
		return
	}
	n.c.checkMatch(n, &n.c.nodes[id-1], pr.Match)
}

func (c *cluster) checkMatch(leader, peer *node, match uint64) {
	// A peer in a newer term may have overwritten the entry; so may one that
	// crashed before it could write down that it was in a newer term.
	log := peer.onDisk()
	if t := leader.hard.GetTerm(); match == 0 || peer.hard.GetTerm() > t || log.lastTerm() > t {
		return
	}
	term, ok := leader.log.term(match)
	if !ok && match <= c.history.commit { // the leader has compacted it
		term, ok = c.history.committed[match].term, true
	}
	if !ok || !log.agrees(match, term) {
		c.fail(matchInLog, "leader %d of term %d believes that node %d has entry %d of term %d; its log ends at %d",
			leader.id, leader.hard.GetTerm(), peer.id, match, term, log.last())
	}
}
