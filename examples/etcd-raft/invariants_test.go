package etcdraft

import (
	"bytes"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"
)

// The invariants: what raft documents of its own state and messages. To break
// one does no harm yet, but it is what harm begins with, and comes far sooner.
const (
	invariant         = "invariant: "
	committedOnQuorum = invariant + "a leader commits what a quorum has on disk, and entries of its term"
	vouchedFor        = invariant + "a follower commits what a leader has vouched for"
	electedByQuorum   = invariant + "a leader has the votes of a quorum, and a candidate its pre-votes"
	campaignRules     = invariant + "who campaigns is a voter, follows nobody, and has applied every change"
	dueVote           = invariant + "a vote that is due is granted"
	oneChange         = invariant + "one change of the configuration at a time"
	progressRules     = invariant + "a leader's progress keeps its own rules"
	transferToVoter   = invariant + "the lead is transferred to a voter"
	stepsDown         = invariant + "a removed leader steps down with StepDownOnRemoval"
	requestsAreLocal  = invariant + "a forwarded request is of no term"
)

// seen is what the invariants remember of a node while it is up.
type seen struct {
	commit  uint64 // commit index that is known to be in order
	vouched uint64 // the highest that a message allows a follower
	due     set    // candidates to whom a vote is due in the next Ready
	granted set    // who has granted a pre-vote in this round of them
	fresh   set    // who has since the last Ready
}

// expect notes what a message that is about to be delivered asks of the node,
// and lets it do.
func (n *node) expect(m *pb.Message) {
	switch m.GetType() {
	case pb.MsgVote, pb.MsgPreVote:
		if n.owesVote(m) {
			n.seen.due |= single(m.GetFrom())
		}
	case pb.MsgPreVoteResp:
		if !m.GetReject() {
			n.seen.granted |= single(m.GetFrom())
			n.seen.fresh |= single(m.GetFrom())
		}
	case pb.MsgApp:
		n.vouch(min(m.GetCommit(), m.GetIndex()+uint64(len(m.GetEntries()))))
	case pb.MsgHeartbeat:
		n.vouch(m.GetCommit())
	case pb.MsgSnap:
		n.vouch(m.GetSnapshot().GetMetadata().GetIndex())
	}
}

func (n *node) vouch(commit uint64) { n.seen.vouched = max(n.seen.vouched, commit) }

// owesVote tells whether the node must grant a vote. It knows that only while
// no Ready waits, and does not see the clock of a lease.
func (n *node) owesVote(m *pb.Message) bool {
	if n.raw.HasReady() {
		return false
	}
	free := false
	switch term, vote := n.hard.GetTerm(), n.hard.GetVote(); {
	case m.GetTerm() > term:
		forced := bytes.Equal(m.GetContext(), transferContext)
		free = !n.c.conf.raft.CheckQuorum || n.lead == raft.None || forced
	case m.GetTerm() == term:
		free = vote == m.GetFrom() || vote == raft.None && n.lead == raft.None
	}
	last, lastTerm := n.log.last(), n.log.lastTerm()
	return free && (m.GetLogTerm() > lastTerm || m.GetLogTerm() == lastTerm && m.GetIndex() >= last)
}

// transferContext marks a campaign at the leader's request, which needs no
// pre-vote and breaks a lease.
var transferContext = []byte("CampaignTransfer")

// inspect checks what a Ready says of raft's memory, before anything of it is
// written.
func (n *node) inspect(rd *raft.Ready) {
	role, term, commit := n.role, n.hard.GetTerm(), n.hard.GetCommit()
	if rd.SoftState != nil {
		role = rd.RaftState
	}
	if !raft.IsEmptyHardState(rd.HardState) {
		term, commit = rd.HardState.GetTerm(), rd.HardState.GetCommit()
	}
	if role == raft.StateLeader {
		n.checkQuorum(term, commit)
		n.checkProposed(term, rd.Entries)
	}
	if role != raft.StateLeader && n.role != raft.StateLeader && commit > max(n.seen.commit, n.seen.vouched) {
		n.c.fail(vouchedFor, "node %d commits entry %d; the last that a leader has vouched for is %d: %v", n.id, commit, n.seen.vouched, n)
	}
	n.seen.commit = commit
	for _, m := range rd.Messages {
		n.inspectMessage(m)
	}
	if n.seen.due != 0 {
		n.c.fail(dueVote, "node %d does not grant the votes of %v: %v", n.id, n.seen.due.ids(), n)
		n.seen.due = 0
	}
	n.seen.fresh = 0
}

func (n *node) inspectMessage(m *pb.Message) {
	switch m.GetType() {
	case pb.MsgVoteResp, pb.MsgPreVoteResp:
		if !m.GetReject() && m.GetTo() != n.id {
			n.seen.due &^= single(m.GetTo())
		}
	case pb.MsgStorageAppend:
		for _, r := range m.GetResponses() {
			n.inspectMessage(r)
		}
	case pb.MsgProp, pb.MsgReadIndex:
		if m.GetTerm() != 0 {
			n.c.fail(requestsAreLocal, "node %d forwards a %v of term %d", n.id, m.GetType(), m.GetTerm())
		}
	case pb.MsgPreVote:
		n.seen.granted = n.seen.fresh
	case pb.MsgVote:
		granted := n.seen.granted | single(n.id)
		if n.c.conf.raft.PreVote && !bytes.Equal(m.GetContext(), transferContext) && !n.app.conf.quorum(granted) {
			n.c.failIn(electedByQuorum, "pre-votes are missing", "node %d asks for votes, and %v have granted a pre-vote: %v", n.id, granted.ids(), n)
		}
	}
}

// checkRole checks the role that a node has taken. Its configuration is that
// of the application: changes are applied behind a Ready.
func (n *node) checkRole() {
	switch n.role {
	case raft.StateLeader:
		if n.lead != n.id {
			n.c.failIn(campaignRules, "it leads and follows", "node %d leads and follows %d", n.id, n.lead)
		}
	case raft.StateCandidate, raft.StatePreCandidate:
		if n.lead != raft.None {
			n.c.failIn(campaignRules, "it follows", "node %d campaigns and follows %d", n.id, n.lead)
		}
		if !n.app.conf.votes(n.id) {
			n.c.failIn(campaignRules, "it is no voter", "node %d campaigns with %v", n.id, n.app.conf)
		}
		if i, ok := n.change(n.app.index, n.hard.GetCommit()); ok {
			n.c.failIn(campaignRules, "a change is not applied", "node %d campaigns and has not applied the change of entry %d: %v", n.id, i, n)
		}
	}
}

// change finds a change of the configuration in the node's log, behind after
// and up to last.
func (n *node) change(after, last uint64) (uint64, bool) {
	for i := after + 1; i <= last && i < uint64(len(n.c.history.entries)); i++ {
		term, _ := n.log.term(i)
		for _, r := range n.c.history.entries[i] {
			if r.term == term && r.change {
				return i, true
			}
		}
	}
	return 0, false
}

// checkVotes checks that a new leader was elected: by the votes on disk, and
// those that were sent, of a quorum of its configuration.
func (c *cluster) checkVotes(n *node) {
	term, voters := n.hard.GetTerm(), set(0)
	for i := range c.nodes {
		if v := c.history.votes[i]; term < uint64(len(v)) && v[term] == n.id {
			voters |= single(uint64(i + 1))
		}
	}
	if !n.app.conf.quorum(voters) {
		c.failIn(electedByQuorum, "votes are missing", "node %d leads in term %d with the votes of %v: %v", n.id, term, voters.ids(), n)
	}
}

// checkQuorum checks a leader's commit index, if it has risen: the entry must
// be of its term, and on the disks of a quorum of its configuration.
func (n *node) checkQuorum(term, commit uint64) {
	if commit <= n.seen.commit {
		return
	}
	n.seen.commit = commit
	if t, ok := n.log.term(commit); !ok || t != term {
		n.c.failIn(committedOnQuorum, "the entry is of another term", "leader %d of term %d commits entry %d of term %d: %v", n.id, term, commit, t, n)
		return
	}
	have := set(0)
	for i := range n.c.nodes {
		if p := &n.c.nodes[i]; p.onDisk().agrees(commit, term) {
			have |= single(p.id)
		}
	}
	if !n.app.conf.quorum(have) {
		n.c.failIn(committedOnQuorum, "no quorum has it", "leader %d of term %d commits entry %d, which %v have on disk: %v", n.id, term, commit, have.ids(), n)
	}
}

// checkCommitted checks the commit index of a leader on both sides of a change of
// its configuration: by which one it has committed is known only there.
func (n *node) checkCommitted() {
	s := n.raw.BasicStatus()
	if s.RaftState == raft.StateLeader {
		n.checkQuorum(s.HardState.GetTerm(), s.HardState.GetCommit())
	}
}

// checkProposed checks what a leader appends: no change of the configuration
// while one before it is not applied.
func (n *node) checkProposed(term uint64, entries []*pb.Entry) {
	pending := uint64(0)
	for _, e := range entries {
		if e.GetType() == pb.EntryNormal {
			continue
		}
		if pending == 0 {
			pending, _ = n.change(n.app.index, e.GetIndex()-1)
		}
		if pending != 0 && e.GetTerm() == term {
			n.c.fail(oneChange, "leader %d appends a change as entry %d and has not applied the one before it, entry %d: %v",
				n.id, e.GetIndex(), pending, n)
		}
		pending = e.GetIndex()
	}
}

// checkChanged checks a node that has just changed from its configuration to
// another.
func (n *node) checkChanged(conf membership) {
	old := n.app.conf
	n.app.conf = conf
	n.checkCommitted()
	s := n.raw.BasicStatus()
	if s.RaftState == raft.StateLeader {
		if n.c.conf.raft.StepDownOnRemoval && !conf.votes(n.id) && old.votes(n.id) {
			n.c.fail(stepsDown, "node %d leads on with %v", n.id, conf)
		}
		n.c.state.added = conf.members() &^ old.members()
		n.raw.WithProgress(n.active)
	}
	n.app.conf = old
}

// checkActive checks that a peer that was just added counts as active, so
// that it does not depose the leader before it is heard.
func (n *node) checkActive(id uint64, _ raft.ProgressType, pr tracker.Progress) {
	if n.c.state.added.has(id) && !pr.RecentActive {
		n.c.failIn(progressRules, "a new peer is inactive", "leader %d has just added node %d and takes it for inactive", n.id, id)
	}
}

// checkProgressState checks the invariants that raft documents of the fields.
func (n *node) checkProgressState(id uint64, pr *tracker.Progress) {
	if pr.Match >= pr.Next {
		n.c.failIn(progressRules, "Match is not below Next", "leader %d has Match %d and Next %d of node %d", n.id, pr.Match, pr.Next, id)
	}
}

// stepRejection delivers the rejection of an append and checks that a stale
// one does not move Next: one of an entry that the peer has acknowledged, or,
// while the peer is probed, of another than the last probe.
//
// That Next is PendingSnapshot+1 in StateSnapshot, as the field's comment has
// it, does not hold: a late rejection of that very index moves Next to it.
func (n *node) stepRejection(m *pb.Message) {
	before := n.progress(m.GetFrom())
	_ = n.raw.Step(m) // an error only tells that it was refused
	after := n.progress(m.GetFrom())
	stale := before.Next-1 != m.GetIndex()
	if before.State == tracker.StateReplicate {
		stale = m.GetIndex() <= before.Match
	}
	if stale && m.GetTerm() == n.hard.GetTerm() && before.State == after.State && before.Next != after.Next {
		n.c.failIn(progressRules, "a stale rejection moves Next", "leader %d moves Next of node %d from %d to %d for a stale rejection of entry %d",
			n.id, m.GetFrom(), before.Next, after.Next, m.GetIndex())
	}
}

// progress is what a leader believes of a peer; zero if it does not lead or
// the peer is no member.
func (n *node) progress(id uint64) (p tracker.Progress) {
	n.raw.WithProgress(func(peer uint64, _ raft.ProgressType, pr tracker.Progress) {
		if peer == id && n.role == raft.StateLeader {
			p = pr
		}
	})
	return p
}

// checkTransfer checks whom a leader that was asked to transfer waits for. One
// that has no vote itself, and goes on without StepDownOnRemoval, does not give
// a transfer up when the other one loses its vote: it waits for a timeout.
func (n *node) checkTransfer() {
	s := n.raw.BasicStatus()
	if to := s.LeadTransferee; s.RaftState == raft.StateLeader && n.app.conf.votes(n.id) && to != raft.None && !n.app.conf.votes(to) {
		n.c.fail(transferToVoter, "leader %d refuses proposals until node %d leads: %v", n.id, to, n.app.conf)
	}
}
