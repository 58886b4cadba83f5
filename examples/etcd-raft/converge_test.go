package etcdraft

import (
	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/tracker"
)

const (
	convergeTicks  = 4    // a heartbeat, a probe, a snapshot, and what is behind it
	convergeSweeps = 1000 // one message may hold one entry
)

// converge looks at the leader that the quiet phase has come to. Its transport
// reports every peer unreachable, wrongly; then its clock alone goes on, so
// that nobody campaigns. If it still leads it must have found all members to
// have its whole log, replicate to them, and have answered what it was asked since it
// leads.
func (c *cluster) converge() *sim.Violation {
	l := c.leader(true)
	if c.violation != nil || l == nil {
		return c.violation
	}
	term := l.hard.GetTerm()
	ijon.Node(int(l.id))
	for i := range c.nodes {
		if id := c.nodes[i].id; id != l.id {
			l.raw.ReportUnreachable(id)
		}
	}
	l.drain()
	for range convergeTicks {
		c.reportSnapshots(l)
		c.tickEach(single(l.id))
		c.deliverAll()
	}
	if l.role == raft.StateLeader && l.hard.GetTerm() == term && c.violation == nil {
		c.checkConverged(l)
		c.checkAnswered(l)
	}
	return c.violation
}

// deliverAll delivers until nothing waits.
func (c *cluster) deliverAll() {
	all := set(1)<<len(c.nodes) - 1
	for range convergeSweeps {
		if c.net.InFlight() == 0 || c.violation != nil {
			return
		}
		c.sweep(all, all)
	}
}

// checkConverged checks that a leader replicates to all members that listen.
func (c *cluster) checkConverged(l *node) {
	l.raw.WithProgress(func(id uint64, _ raft.ProgressType, pr tracker.Progress) {
		if id == l.id || c.deaf(l, &c.nodes[id-1]) {
			return
		}
		if pr.State != tracker.StateReplicate || pr.Match != l.log.last() {
			c.failIn(convergence, "in "+pr.State.String(), "leader %d has node %d in %v with Match %d and Next %d:%s",
				l.id, id, pr.State, pr.Match, pr.Next, c.states())
		}
	})
}

// deaf tells whether n does not answer l: without CheckQuorum and PreVote raft
// does not answer a leader of an older term.
func (c *cluster) deaf(l, n *node) bool {
	return !c.conf.raft.CheckQuorum && !c.conf.raft.PreVote && n.hard.GetTerm() > l.hard.GetTerm()
}

// checkAnswered checks that a leader has answered the reads that it was asked
// since it leads. In a configuration of itself alone, raft may lose them, and
// without a quorum that hears it a leader waits for ever.
func (c *cluster) checkAnswered(l *node) {
	hear := set(0)
	for i := range c.nodes {
		if n := &c.nodes[i]; !c.deaf(l, n) {
			hear |= single(n.id)
		}
	}
	if (l.app.conf.voters|l.app.conf.outgoing)&^single(l.id) == 0 || !l.app.conf.quorum(hear) {
		return
	}
	for i, r := range c.history.reads {
		if !r.done && r.leader == l.id && r.term == l.hard.GetTerm() {
			c.fail(readsAnswered, "leader %d of term %d has not answered read %d:%s", l.id, r.term, i, c.states())
			return
		}
	}
}
