package etcdraft

import (
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"
)

// invariantForgeries break an invariant each, on the cluster of healthy: node
// 1 leads, and the last entry is applied everywhere. What a stale rejection
// moves can only be shown by a faulty raft: testdata/witness.
var invariantForgeries = []forgery{
	{committedOnQuorum, "a leader commits what it alone has", func(c *cluster) {
		l := &c.nodes[0]
		term, next := l.hard.GetTerm(), l.log.last()+1
		l.log.write(entryOf(next, term, "")[0])
		l.inspect(&raft.Ready{HardState: hard(term, 1, next)})
	}},
	{committedOnQuorum, "a leader commits an entry of an earlier term", func(c *cluster) {
		l := &c.nodes[0]
		term, next := l.hard.GetTerm(), l.log.last()+1
		for i := range c.nodes {
			c.nodes[i].log.write(entryOf(next, term-1, "")[0])
		}
		l.inspect(&raft.Ready{HardState: hard(term, 1, next)})
	}},
	{vouchedFor, "a follower commits more than it was told", func(c *cluster) {
		n := &c.nodes[1]
		n.inspect(&raft.Ready{HardState: hard(n.hard.GetTerm(), n.hard.GetVote(), n.log.last()+1)})
	}},
	{electedByQuorum, "a leader that has only its own vote", func(c *cluster) {
		n := &c.nodes[1]
		forged(n, raft.Ready{HardState: hard(n.hard.GetTerm()+1, 2, n.hard.GetCommit()), SoftState: leads(2)})
	}},
	{electedByQuorum, "a candidate without pre-votes", func(c *cluster) {
		c.conf.raft.PreVote = true
		c.nodes[1].inspect(&raft.Ready{Messages: []*pb.Message{{Type: pb.MsgVote.Enum(), To: new(uint64(3))}}})
	}},
	{campaignRules, "a candidate that follows a leader", func(c *cluster) {
		forged(&c.nodes[1], raft.Ready{SoftState: &raft.SoftState{Lead: 1, RaftState: raft.StateCandidate}})
	}},
	{campaignRules, "a candidate that is no voter", func(c *cluster) {
		c.nodes[1].app.conf.voters &^= single(2)
		forged(&c.nodes[1], raft.Ready{SoftState: &raft.SoftState{RaftState: raft.StateCandidate}})
	}},
	{campaignRules, "a candidate with a change to apply", func(c *cluster) {
		n := &c.nodes[1]
		change := changeOf(n.log.last()+1, n.hard.GetTerm())
		n.noteEntries(change)
		n.hard = hard(n.hard.GetTerm(), 0, change[0].GetIndex())
		forged(n, raft.Ready{SoftState: &raft.SoftState{RaftState: raft.StateCandidate}})
	}},
	{dueVote, "no answer to a candidate of a newer term", func(c *cluster) {
		n := &c.nodes[1]
		n.expect(&pb.Message{
			Type: pb.MsgVote.Enum(), From: new(uint64(3)), Term: new(n.hard.GetTerm() + 1),
			Index: new(n.log.last()), LogTerm: new(n.log.lastTerm()),
		})
		n.inspect(&raft.Ready{})
	}},
	{oneChange, "two changes at once", func(c *cluster) {
		l := &c.nodes[0]
		next := l.log.last() + 1
		l.inspect(&raft.Ready{Entries: append(changeOf(next, l.hard.GetTerm()), changeOf(next+1, l.hard.GetTerm())...)})
	}},
	{progressRules, "Next at Match", func(c *cluster) {
		c.nodes[0].checkPeer(2, raft.ProgressTypePeer, tracker.Progress{Match: 4, Next: 4})
	}},
	{progressRules, "a new peer that counts as inactive", func(c *cluster) {
		c.state.added = single(2)
		c.nodes[0].checkActive(2, raft.ProgressTypePeer, tracker.Progress{})
	}},
	{transferToVoter, "a transfer to one who is none", func(c *cluster) {
		l := &c.nodes[0]
		l.raw.TransferLeader(2)
		l.app.conf.voters &^= single(2)
		l.checkTransfer()
	}},
	{stepsDown, "a removed leader leads on", func(c *cluster) {
		c.conf.raft.StepDownOnRemoval = true
		c.nodes[0].checkChanged(membership{voters: single(2) | single(3)})
	}},
	{requestsAreLocal, "a read that is forwarded with a term", func(c *cluster) {
		c.nodes[1].inspect(&raft.Ready{Messages: []*pb.Message{{Type: pb.MsgReadIndex.Enum(), To: new(uint64(1)), Term: new(uint64(2))}}})
	}},
	{convergence, "a peer that lacks an entry", func(c *cluster) {
		l := &c.nodes[0]
		must(l.raw.Propose([]byte("12345678")))
		l.drain()
		c.checkConverged(l)
	}},
	{readsAnswered, "a read that is not answered", func(c *cluster) {
		c.read(&c.nodes[0])
		c.checkAnswered(&c.nodes[0])
	}},
}

func changeOf(index, term uint64) []*pb.Entry {
	e := entryOf(index, term, "")
	e[0].Type = pb.EntryConfChange.Enum()
	return e
}
