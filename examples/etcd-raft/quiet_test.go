package etcdraft

import (
	"fmt"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

const (
	// quietTimeouts bounds each part of the quiet phase, in election timeouts.
	// A healthy cluster needs one or two; votes may split a few times in a row.
	quietTimeouts = 32
	// quietParts is how often the quiet phase goes through its two parts. A
	// leader that has had to finish its own removal leaves the cluster where
	// it was, with a newer configuration.
	quietParts = 3
	// sweeps is how often messages are delivered between two ticks: enough
	// for a proposal or a read to go there and back, twice.
	sweeps = 6
)

// Settle implements sim.Harness. Faults heal: links are mended, connections
// start empty, nodes are up. Time then passes evenly until a proposal made
// after that is applied and a read asked after that is answered.
func (c *cluster) Settle() *sim.Violation {
	c.net.Heal()
	c.net.Clear()
	for i := range c.nodes {
		n := &c.nodes[i]
		if !n.up() {
			n.start()
		}
		n.threads.held = 0
	}
	c.drainAll()
	g := &goal{}
	all := set(1)<<len(c.nodes) - 1
	ticks := quietTimeouts * c.conf.electionTick
	for range quietParts {
		if c.wait(g, ticks, all) {
			return c.converge()
		}
		if c.stuck() {
			break
		}
		if c.wait(g, ticks+c.catchUp(), c.undisturbed()) {
			return c.converge()
		}
	}
	if why := c.entitled(); why != "" {
		if ijon.Tracing() {
			ijon.Logf("       entitled to stall: %s", why)
		}
		c.reach(stalls)
		return c.violation
	}
	missing := g.missing(c)
	c.failIn(liveness, missing, "%d ticks and more without faults, and %s:%s", 2*quietParts*ticks, missing, c.states())
	return c.violation
}

// wait lets time pass on the nodes in clocks until the goal is reached or an
// oracle violated. It tells whether that happened within the ticks.
func (c *cluster) wait(g *goal, ticks int, clocks set) bool {
	for tick := range ticks {
		c.operate(tick)
		c.ask(g, tick)
		if c.exchange(g) {
			return true
		}
		c.tickEach(clocks)
	}
	return false
}

// undisturbed is the nodes whose clocks go on in the second part. Without
// PreVote, a node that cannot win but does not know why keeps campaigning,
// and raises the term ahead of the one that can: the disruptive server of
// section 4.2.3 of Ongaro's thesis, which in this library is not answered
// either. With luck the other overtakes; a bound cannot wait for luck.
func (c *cluster) undisturbed() set {
	clocks := set(0)
	for i := range c.nodes {
		if n := &c.nodes[i]; c.conf.raft.PreVote || n.role == raft.StateLeader || c.electable(n) {
			clocks |= single(n.id)
		}
	}
	return clocks
}

// catchUp is the ticks that a candidate needs to reach the newest term, one
// election a term: who is in a newer term, and no candidate, ignores it until
// then.
func (c *cluster) catchUp() int {
	newest, best := uint64(0), uint64(0)
	for i := range c.nodes {
		n := &c.nodes[i]
		newest = max(newest, n.hard.GetTerm())
		if c.electable(n) {
			best = max(best, n.hard.GetTerm())
		}
	}
	return int(newest-best) * 2 * c.conf.electionTick
}

// A goal is what the quiet phase waits for: that any proposal from number
// proposal on is applied and any read from number read on is answered. 0 is
// not asked yet; read is the number plus one.
type goal struct {
	proposal uint64
	read     int
}

func (g *goal) reached(c *cluster) bool { return g.missing(c) == "" }

func (g *goal) missing(c *cluster) string {
	switch {
	case c.violation != nil:
		return ""
	case g.proposal == 0:
		return "there is no leader"
	case c.applied < g.proposal:
		return "no proposal is applied"
	}
	for _, r := range c.history.reads[g.read-1:] {
		if r.done {
			return ""
		}
	}
	return "no read is answered"
}

// ask proposes and reads on the leader, as a client that retries would.
func (c *cluster) ask(g *goal, tick int) {
	l := c.leader(true)
	if l == nil || tick%4 != 0 && g.proposal != 0 {
		return
	}
	ijon.Node(int(l.id))
	p, r := c.propose(l, 8), c.read(l)
	if g.proposal == 0 {
		g.proposal, g.read = p, r+1
	}
	l.drain()
}

// exchange delivers messages until the goal is reached or few are left.
func (c *cluster) exchange(g *goal) bool {
	all := set(1)<<len(c.nodes) - 1
	for range sweeps {
		if g.reached(c) {
			return true
		}
		if c.net.InFlight() == 0 {
			return false
		}
		c.sweep(all, all)
	}
	return g.reached(c)
}

// operate does what raft leaves to the application and its operator.
func (c *cluster) operate(tick int) {
	l := c.leader(true)
	if l == nil {
		return
	}
	ijon.Node(int(l.id))
	c.reportSnapshots(l)
	grace := 4 * c.conf.electionTick
	// An explicit joint configuration waits for the application to leave it.
	if m := l.app.conf; tick%grace == grace-2 && m.joint() && !m.autoLeave {
		_ = l.raw.ProposeConfChange(&pb.ConfChangeV2{}) // it may be dropped
		l.drain()
	}
	// Without StepDownOnRemoval a removed leader goes on, refuses proposals
	// and keeps the others from an election (etcd-io/raft issue 83): the
	// application must stop it. It is given time to tell its peers of its
	// removal, and started again as one who may only vote.
	if tick%grace == grace-1 && !l.app.conf.votes(l.id) {
		l.crash(crashBefore, false)
		l.start()
		l.drain()
	}
}

// reportSnapshots tells the leader that what it believes to be an outstanding
// snapshot is not: raft waits for the transport's report for ever.
func (c *cluster) reportSnapshots(l *node) {
	l.snapshotting = false
	l.checkProgress()
	if !l.snapshotting {
		return
	}
	for i := range c.nodes {
		if id := c.nodes[i].id; id != l.id {
			l.raw.ReportSnapshot(id, raft.SnapshotFailure)
		}
	}
	l.drain()
}

// stuck tells that nothing but terms can change: who could be elected depends
// on logs and configurations, and those only change where somebody leads. One
// run in 150 gets there, and waited for as long as all others together.
func (c *cluster) stuck() bool { return c.leader(true) == nil && c.entitled() != "" }

// entitled tells why a healed cluster may stall, or "".
func (c *cluster) entitled() string {
	for i := range c.nodes {
		if c.electable(&c.nodes[i]) {
			return ""
		}
	}
	// Known and accepted: a leader that removes itself and stops before its
	// peers learn that the change is committed leaves voters who do not know
	// that they are, or that the old quorum no longer counts.
	return "no node whose own configuration lets it campaign can win"
}

// electable tells whether n, going by its own configuration, may campaign and
// would get a quorum of it if everybody up to whose log n is votes for it.
func (c *cluster) electable(n *node) bool {
	if !n.app.conf.votes(n.id) || c.follows(n) {
		return false
	}
	// Without CheckQuorum and PreVote, raft does not answer a leader of an
	// older term. If a quorum is in newer ones and nobody there campaigns
	// against it, the leader is never told and leads for ever.
	deaf := n.role == raft.StateLeader && !c.conf.raft.CheckQuorum && !c.conf.raft.PreVote
	granted := set(0)
	for i := range c.nodes {
		m := &c.nodes[i]
		if n.log.upToDate(&m.log) && !(deaf && m.hard.GetTerm() > n.hard.GetTerm()) {
			granted |= single(m.id)
		}
	}
	return n.app.conf.quorum(granted)
}

// follows tells whether a node has a leader that keeps it from campaigning: one
// that no node in a newer term answers leads for ever, whether it has a quorum
// or not.
func (c *cluster) follows(n *node) bool {
	if n.role == raft.StateLeader || n.lead == raft.None || c.conf.raft.CheckQuorum || c.conf.raft.PreVote {
		return false
	}
	l := &c.nodes[n.lead-1]
	return l.role == raft.StateLeader && l.hard.GetTerm() == n.hard.GetTerm()
}

func (c *cluster) states() (s string) {
	for i := range c.nodes {
		s += fmt.Sprintf("\n  %v", &c.nodes[i])
	}
	return s
}
