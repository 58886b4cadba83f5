package etcdraft

import (
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"
)

// healthy returns a cluster of three whose node 1 leads, and all of whose
// nodes have applied two proposals.
func healthy(t *testing.T) *cluster {
	t.Helper()
	c := newCluster()
	s := scripted(3, 0).
		do(campaign, node1, 0, 0).rounds(6).
		do("propose", node1, 0, 0).rounds(3).
		do("propose", node1, 0, 0).rounds(3)
	if v := c.playEvents(s); v != nil {
		t.Fatal(v)
	}
	for i := range c.nodes {
		if n := &c.nodes[i]; n.app.index != 4 || n.log.last() != 4 {
			t.Fatalf("not as expected: %v", n)
		}
	}
	return c
}

// playEvents plays an input without its quiet phase.
func (c *cluster) playEvents(data []byte) *sim.Violation {
	config := make([]byte, configBytes)
	format.Configuration(data, config)
	ijon.Seed(format.Seed(data))
	c.Begin(config)
	for i := range format.Events(data) {
		if v := c.Play(format.Event(data, i)); v != nil {
			return v
		}
	}
	return nil
}

// A forgery does to a healthy cluster what a faulty raft would do.
type forgery struct {
	oracle string
	name   string
	forge  func(c *cluster)
}

// forged makes a node handle a Ready that its raft never gave.
func forged(n *node, rd raft.Ready) {
	n.persist(&rd)
	n.see(&rd)
	n.send(rd.Messages)
	if n.c.violation == nil {
		n.apply(rd.CommittedEntries)
	}
}

func entryOf(index, term uint64, data string) []*pb.Entry {
	return []*pb.Entry{{Index: new(index), Term: new(term), Data: []byte(data)}}
}

func hard(term, vote, commit uint64) *pb.HardState {
	return &pb.HardState{Term: new(term), Vote: new(vote), Commit: new(commit)}
}

func leads(id uint64) *raft.SoftState {
	return &raft.SoftState{Lead: id, RaftState: raft.StateLeader}
}

var forgeries = []forgery{
	{electionSafety, "a second leader of the term", func(c *cluster) {
		forged(&c.nodes[1], raft.Ready{SoftState: leads(2)})
	}},
	{electionSafety, "a second sender of heartbeats of the term", func(c *cluster) {
		term := c.nodes[1].hard.GetTerm()
		forged(&c.nodes[1], raft.Ready{Messages: []*pb.Message{
			{Type: pb.MsgHeartbeat.Enum(), From: new(uint64(2)), To: new(uint64(3)), Term: new(term)}}})
	}},
	{logMatching, "another entry of the same index and term", func(c *cluster) {
		l := &c.nodes[1].log
		forged(&c.nodes[1], raft.Ready{Entries: entryOf(l.last(), l.lastTerm(), "forged")})
	}},
	{logMatching, "an entry behind a gap", func(c *cluster) {
		l := &c.nodes[1].log
		forged(&c.nodes[1], raft.Ready{Entries: entryOf(l.last()+2, l.lastTerm(), "forged")})
	}},
	{leaderCompleteness, "a leader without a committed entry", func(c *cluster) {
		n := &c.nodes[1]
		forged(n, raft.Ready{
			Entries:   entryOf(n.log.last(), n.hard.GetTerm()+1, ""),
			HardState: hard(n.hard.GetTerm()+1, 2, n.hard.GetCommit()),
			SoftState: leads(2),
		})
	}},
	{stateMachineSafety, "another entry is applied", func(c *cluster) {
		n := &c.nodes[1]
		n.app.index--
		forged(n, raft.Ready{CommittedEntries: entryOf(n.app.index+1, n.hard.GetTerm(), "forged")})
	}},
	{stateMachineSafety, "an entry is applied twice", func(c *cluster) {
		n := &c.nodes[1]
		forged(n, raft.Ready{CommittedEntries: entryOf(n.app.index, n.hard.GetTerm(), "")})
	}},
	{stateMachineSafety, "an entry is applied that is not committed", func(c *cluster) {
		n := &c.nodes[1]
		forged(n, raft.Ready{CommittedEntries: entryOf(n.app.index+1, n.hard.GetTerm(), "")})
	}},
	{stateMachineSafety, "another entry is committed", func(c *cluster) {
		n := &c.nodes[1]
		n.hard = hard(n.hard.GetTerm(), n.hard.GetVote(), n.log.last()-1)
		forged(n, raft.Ready{
			Entries:   entryOf(n.log.last(), n.hard.GetTerm()+1, ""),
			HardState: hard(n.hard.GetTerm()+1, 0, n.log.last()),
		})
	}},
	{stateMachineSafety, "an entry is committed that is not there", func(c *cluster) {
		n := &c.nodes[1]
		forged(n, raft.Ready{HardState: hard(n.hard.GetTerm(), n.hard.GetVote(), n.log.last()+1)})
	}},
	{stateMachineSafety, "a snapshot of another state", func(c *cluster) {
		n := &c.nodes[1]
		a := applied{index: n.app.index, chain: n.app.chain + 1, conf: n.app.conf}
		forged(n, raft.Ready{Snapshot: a.pack(n.hard.GetTerm())})
	}},
	{monotoneTerm, "the term falls", func(c *cluster) {
		n := &c.nodes[1]
		forged(n, raft.Ready{HardState: hard(n.hard.GetTerm()-1, 0, n.hard.GetCommit())})
	}},
	{monotoneCommit, "the commit index falls", func(c *cluster) {
		n := &c.nodes[1]
		forged(n, raft.Ready{HardState: hard(n.hard.GetTerm(), n.hard.GetVote(), n.hard.GetCommit()-1)})
	}},
	{oneVote, "the vote on disk changes", func(c *cluster) {
		n := &c.nodes[1]
		forged(n, raft.Ready{HardState: hard(n.hard.GetTerm(), 3, n.hard.GetCommit())})
	}},
	{oneVote, "the vote changes over a crash", func(c *cluster) {
		n := &c.nodes[1]
		n.crash(crashBefore, false)
		n.hard = hard(n.hard.GetTerm(), 0, n.hard.GetCommit())
		must(n.disk.SetHardState(n.hard))
		n.start()
		must(n.raw.Step(&pb.Message{
			Type: pb.MsgVote.Enum(), From: new(uint64(3)), To: new(uint64(2)), Term: new(n.hard.GetTerm()),
			Index: new(n.log.last()), LogTerm: new(n.log.lastTerm()),
		}))
		n.drain()
	}},
	{oneVote, "a vote that is not the one on disk is sent", func(c *cluster) {
		n := &c.nodes[1]
		forged(n, raft.Ready{Messages: []*pb.Message{
			{Type: pb.MsgVoteResp.Enum(), From: new(uint64(2)), To: new(uint64(3)), Term: new(n.hard.GetTerm())}}})
	}},
	{matchInLog, "a leader believes too much of a peer", func(c *cluster) {
		l := &c.nodes[0]
		must(l.raw.Propose([]byte("12345678")))
		l.drain() // on its disk, not yet in the peer's
		l.checkPeer(2, raft.ProgressTypePeer, tracker.Progress{Match: l.log.last(), Next: l.log.last() + 1})
	}},
	{matchInLog, "a peer forgets what it acknowledged", func(c *cluster) {
		n := &c.nodes[1]
		n.log.terms = n.log.terms[:1]
		c.nodes[0].checkProgress()
	}},
	{staleRead, "a read that is answered with too old an index", func(c *cluster) {
		id := c.read(&c.nodes[0])
		forged(&c.nodes[0], raft.Ready{ReadStates: []raft.ReadState{
			{Index: c.history.commit - 1, RequestCtx: []byte{byte(id), 0, 0, 0, 0, 0, 0, 0}}}})
	}},
	{staleRead, "a forwarded read that is answered so", func(c *cluster) {
		id := c.read(&c.nodes[1])
		forged(&c.nodes[0], raft.Ready{Messages: []*pb.Message{{
			Type: pb.MsgReadIndexResp.Enum(), From: new(uint64(1)), To: new(uint64(2)), Index: new(c.history.commit - 1),
			Entries: []*pb.Entry{{Data: []byte{byte(id), 0, 0, 0, 0, 0, 0, 0}}},
		}}})
	}},
	{"message to a node of the cluster", "a message to nobody", func(c *cluster) {
		forged(&c.nodes[0], raft.Ready{Messages: []*pb.Message{{Type: pb.MsgHeartbeat.Enum(), To: new(uint64(9)), Term: c.nodes[0].hard.Term}}})
	}},
}

func TestOraclesCanFail(t *testing.T) {
	for _, f := range append(forgeries, invariantForgeries...) {
		t.Run(f.name, func(t *testing.T) {
			c := healthy(t)
			f.forge(c)
			if c.violation == nil || c.violation.Oracle != f.oracle {
				t.Errorf("got %v, want %s", c.violation, f.oracle)
			}
		})
	}
}

// TestLivenessCanFail gives raft an election timeout that never passes.
func TestLivenessCanFail(t *testing.T) {
	c := newCluster()
	c.force = func(s *settings) { s.raft.ElectionTick = 1 << 20 }
	v := sim.NewPlayer(&format, c).Play(scripted(3, 0))
	if v == nil || v.Oracle != liveness {
		t.Errorf("got %v, want %s", v, liveness)
	}
}
