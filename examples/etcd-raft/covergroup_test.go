package etcdraft

import (
	"math/bits"

	ijon "github.com/ijongo/ijongo/runtime"
	"go.etcd.io/raft/v3"
)

// The points of the cluster, sampled when an event has come to rest. Those
// behind pBelief are of the newest leader, and not sampled without one.
const (
	pRoles = iota
	pLeaders
	pRank
	pSpread
	pVotes
	pReach
	pDown
	pCrash
	pLag
	pShape
	pVoters
	pUnaware
	pReads
	pBelief
	pPlace
	pBehind
	pTail
	pDivergence
	pSnapshots
	pSettled
	numPoints
)

// A coverpoint is one relation between the nodes, in few bins. Configurations
// are as applied; "the configuration" is that of the newest leader, or without
// one that of the node that has applied most.
type coverpoint struct {
	name  string
	bins  []string
	value func(c *cluster, v *view) int
}

var clusterPoints = [numPoints]coverpoint{
	pRoles:      {"roles", []string{"-", "P", "C", "PC", "L", "LP", "LC", "LPC", "LL", "LLP", "LLC", "LLPC"}, (*cluster).rolesBin},
	pLeaders:    {"leaders", []string{"none", "one", "alike", "apart", "lone"}, (*cluster).leadersBin},
	pRank:       {"rank", []string{"none", "overtaken", "newest"}, (*cluster).rankBin},
	pSpread:     {"spread", powers(4), (*cluster).spreadBin},
	pVotes:      {"votes", []string{"none", "one", "split", "scattered"}, (*cluster).votesBin},
	pReach:      {"reach", []string{"minority", "quorum", "all"}, (*cluster).reachBin},
	pDown:       {"down", []string{"0", "1", "2", "3.."}, (*cluster).downBin},
	pCrash:      {"crash", crashBins(), (*cluster).crashBin},
	pLag:        {"lag", powers(5), (*cluster).lagBin},
	pShape:      {"shape", []string{"simple", "implicit", "explicit"}, (*cluster).shapeBin},
	pVoters:     {"voters", []string{"1", "2", "3", "4.."}, (*cluster).votersBin},
	pUnaware:    {"unaware", []string{"none", "behind", "unborn", "undead", "apart"}, (*cluster).unawareBin},
	pReads:      {"reads", []string{"none", "followers", "leader", "older"}, (*cluster).readsBin},
	pBelief:     {"belief", []string{"nobody", "ghost", "minority", "quorum", "all"}, (*cluster).beliefBin},
	pPlace:      {"place", []string{"voter", "outgoing", "learner", "removed"}, (*cluster).placeBin},
	pBehind:     {"behind", powers(5), (*cluster).behindBin},
	pTail:       {"tail", powers(5), (*cluster).tailBin},
	pDivergence: {"divergence", powers(4), (*cluster).divergenceBin},
	pSnapshots:  {"snapshots", []string{"0", "1", "2.."}, (*cluster).snapshotsBin},
	pSettled:    {"settled", []string{"false", "true"}, (*cluster).settledBin},
}

// A crossed is a cross of points. Its goal is what -goal of ijongo fuzz names.
type crossed struct {
	name, goal string
	axes       []int
}

// size is the number of tuples.
func (x *crossed) size() int {
	n := 1
	for _, p := range x.axes {
		n *= len(clusterPoints[p].bins)
	}
	return n
}

// clusterCrosses are the situations that the search is to reach. Each is about
// one thing that goes wrong in consensus: who may lead, whom it loses, what it
// must send again, what a crash leaves, who may decide, what is overwritten,
// and what a read may see.
var clusterCrosses = []crossed{
	{"election", "election", []int{pRoles, pVotes, pBelief, pReach}},
	{"removal", "membership", []int{pShape, pPlace, pLeaders, pReads, pSettled}},
	{"replication", "replication", []int{pBehind, pTail, pDivergence, pSnapshots}},
	{"recovery", "recovery", []int{pCrash, pDown, pLag, pBelief}},
	{"membership", "membership", []int{pShape, pUnaware, pVoters, pReach, pDown}},
	{"deposition", "election", []int{pLeaders, pSpread, pDivergence, pTail, pReach}},
	{"reading", "reads", []int{pReads, pSettled, pRank, pReach, pBelief, pPlace}},
}

var clusterGroup = ijon.DeclareGroup(ijon.GroupSpec{
	Name:    "cluster",
	Clauses: ijon.Clauses{Doc: "relations between the nodes, at rest after each event that changed one"},
	Points:  pointSpecs(clusterPoints[:]),
	Crosses: crossSpecs(),
})

func pointSpecs(points []coverpoint) (specs []ijon.PointSpec) {
	for _, p := range points {
		spec := ijon.PointSpec{ItemSpec: ijon.ItemSpec{Name: p.name}}
		for _, bin := range p.bins {
			spec.Bins = append(spec.Bins, ijon.BinInfo{Name: bin})
		}
		specs = append(specs, spec)
	}
	return specs
}

func crossSpecs() (specs []ijon.CrossSpec) {
	for _, x := range clusterCrosses {
		spec := ijon.CrossSpec{ItemSpec: ijon.ItemSpec{Name: x.name, Clauses: ijon.Clauses{Goal: x.goal}}, Ignore: impossible(x.axes)}
		for _, p := range x.axes {
			spec.Axes = append(spec.Axes, ijon.AxisSpec{Point: p})
		}
		specs = append(specs, spec)
	}
	return specs
}

// sample samples the cluster if a bin has changed since the last sample of the
// run: a bin counts how often it was entered.
func (c *cluster) sample(v *view) {
	var bins [numPoints]int
	for i := range clusterPoints {
		if v.newest == nil && i > pBelief {
			bins[i] = ijon.NotSampled
			continue
		}
		bins[i] = clusterPoints[i].value(c, v)
	}
	if s := &c.state; bins != s.bins || !s.sampled {
		s.bins, s.sampled = bins, true
		clusterGroup.Sample(0, 0, s.bins[:]...)
	}
}

// powers names n bins 0, 1, 2..3, 4..7 and so on, the last one open.
func powers(n int) []string {
	names := []string{"0", "1", "2..3", "4..7", "8..15", "16..31"}[:n-1]
	return append(names[:n-1:n-1], []string{"1..", "2..", "4..", "8..", "16.."}[n-2])
}

// power is the bin of d among n of powers.
func power(d uint64, n int) int { return min(bits.Len64(d), n-1) }

// rolesBin is which roles there are, and whether there are two leaders.
func (c *cluster) rolesBin(v *view) int {
	bin := 4 * min(v.leaders.size(), 2)
	if v.preparing != 0 {
		bin |= 1
	}
	if v.campaigning != v.preparing {
		bin |= 2
	}
	return bin
}

const (
	noLeader = iota
	oneLeader
	alikeLeaders // two, whose configurations are the same
	apartLeaders // or not
	loneLeader   // and the older one takes itself for the only voter
)

func (c *cluster) leadersBin(v *view) int {
	switch n := v.leaders.size(); {
	case n < 2:
		return n
	case v.oldest.app.conf.lone():
		return loneLeader
	case v.oldest.app.conf == v.newest.app.conf:
		return alikeLeaders
	}
	return apartLeaders
}

const (
	noRank = iota
	overtaken
	newest
)

// rankBin compares the term of the newest leader with those of all that are up.
func (c *cluster) rankBin(v *view) int {
	switch {
	case v.newest == nil:
		return noRank
	case v.newest.hard.GetTerm() < v.maxTerm:
		return overtaken
	}
	return newest
}

// spreadBin is how far the terms of nodes that are up are apart.
func (c *cluster) spreadBin(v *view) int {
	if v.up == 0 {
		return 0
	}
	return power(v.maxTerm-v.minTerm, 4)
}

// votesBin is for how many nodes somebody voted in the newest term.
func (c *cluster) votesBin(v *view) int { return min(v.candidates.size(), 3) }

const (
	reachesMinority = iota
	reachesQuorum
	reachesAll
)

// reachBin is which members of the configuration are up and can talk with the
// newest leader; without a leader, with the node for which it is most.
func (c *cluster) reachBin(v *view) int {
	m := v.configuration()
	if v.newest != nil {
		return reachOf(m, c.reaches(v.newest)&v.up)
	}
	best := reachesMinority
	for i := range c.nodes {
		if n := &c.nodes[i]; n.up() {
			best = max(best, reachOf(m, c.reaches(n)&v.up))
		}
	}
	return best
}

func reachOf(m membership, s set) int {
	switch {
	case m.members()&^s == 0:
		return reachesAll
	case m.quorum(s):
		return reachesQuorum
	}
	return reachesMinority
}

// configuration is what the cluster goes by.
func (v *view) configuration() membership {
	if v.newest != nil {
		return v.newest.app.conf
	}
	return v.latest.app.conf
}

func (c *cluster) downBin(v *view) int { return min(v.down.size(), 3) }

// crashed tells how the last crash of the run came.
type crashed int

const (
	neverCrashed   crashed = iota
	crashedIdle            // with nothing to write, or before it was written
	crashedWritten         // with a Ready on disk and nothing sent
	crashedSent            // with a Ready on disk and its messages out
	crashedLost            // and what was not synced was lost
	crashedTorn            // with the entries of a Ready on disk and not its hard state
)

// crashBins has no bin for what cannot happen: see the variable tears.
func crashBins() []string {
	bins := []string{"none", "idle", "written", "sent", "lost"}
	if tears {
		bins = append(bins, "torn")
	}
	return bins
}

func (c *cluster) crashBin(*view) int {
	if c.state.crash == crashedTorn && !tears { // a test tears on its own
		return ijon.Outside
	}
	return int(c.state.crash)
}

// lagBin is how far the commit indexes of nodes that are up are apart.
func (c *cluster) lagBin(v *view) int {
	if v.up == 0 {
		return 0
	}
	return power(v.maxCommit-v.minCommit, 5)
}

const (
	simpleShape = iota
	implicitShape
	explicitShape
)

// shapeBin is whether the configuration is joint, and how it is to be left.
func (c *cluster) shapeBin(v *view) int {
	switch m := v.configuration(); {
	case !m.joint():
		return simpleShape
	case m.autoLeave:
		return implicitShape
	}
	return explicitShape
}

func (c *cluster) votersBin(v *view) int {
	return min(max(v.configuration().voters.size(), 1), 4) - 1
}

const (
	allAware     = iota
	someBehind   // a node's configuration is not the latest
	someUnborn   // it votes by the latest one and does not know
	someUndead   // it votes by its own and no more by the latest
	quorumsApart // two configurations have quorums without a common node
)

// unawareBin compares the configurations of the nodes with the latest one, as
// far as they have one.
func (c *cluster) unawareBin(v *view) int {
	if v.disjoint {
		return quorumsApart
	}
	m, bin := &v.latest.app.conf, allAware
	for i := range c.nodes {
		n := &c.nodes[i]
		switch own := &n.app.conf; {
		case *own == *m || own.voters == 0 && !m.votes(n.id):
		case own.votes(n.id) && !m.votes(n.id):
			bin = max(bin, someUndead)
		case m.votes(n.id) && !own.votes(n.id):
			bin = max(bin, someUnborn)
		default:
			bin = max(bin, someBehind)
		}
	}
	return bin
}

const (
	noReads = iota
	readsOfFollowers
	readsOfLeader // of the newest
	readsOfOlder  // of a leader that is not the newest
)

// readsBin is who waits for the answer to a read.
func (c *cluster) readsBin(v *view) int {
	bin := noReads
	for i := range c.nodes {
		switch n := &c.nodes[i]; {
		case n.waiting == 0:
		case n == v.newest:
			bin = max(bin, readsOfLeader)
		case n.role == raft.StateLeader:
			bin = readsOfOlder
		default:
			bin = max(bin, readsOfFollowers)
		}
	}
	return bin
}

const (
	believeNobody = iota
	believeGhost  // somebody, and no leader
	believedByMinority
	believedByQuorum
	believedByAll
)

// beliefBin is which of the nodes that are up follow the newest leader.
func (c *cluster) beliefBin(v *view) int {
	switch {
	case v.believed == 0:
		return believeNobody
	case v.newest == nil:
		return believeGhost
	case v.followed == v.up:
		return believedByAll
	case v.newest.app.conf.quorum(v.followed):
		return believedByQuorum
	}
	return believedByMinority
}

// The places of a node in its own configuration.
const (
	voter = iota
	outgoingVoter
	learner
	outsider
)

func (n *node) place() int {
	m := &n.app.conf
	switch {
	case m.voters.has(n.id):
		return voter
	case m.outgoing.has(n.id):
		return outgoingVoter
	case m.learners.has(n.id):
		return learner
	}
	return outsider
}

// placeBin is the worst place of a leader.
func (c *cluster) placeBin(v *view) int {
	return max(v.newest.place(), v.oldest.place())
}

func (c *cluster) behindBin(v *view) int { return power(v.lag, 5) }

// tailBin is how much the leader has not committed.
func (c *cluster) tailBin(v *view) int {
	return power(v.newest.log.last()-v.newest.hard.GetCommit(), 5)
}

func (c *cluster) divergenceBin(v *view) int { return power(v.divergence, 4) }

func (c *cluster) snapshotsBin(v *view) int { return min(v.needed, 2) }

// settledBin is whether the leader has committed an entry of its own term,
// without which it may not answer reads.
func (c *cluster) settledBin(v *view) int {
	l := v.newest
	if t, _ := l.log.term(l.hard.GetCommit()); t == l.hard.GetTerm() {
		return 1
	}
	return 0
}
