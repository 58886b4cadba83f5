package etcdraft

import (
	"math/bits"

	ijon "github.com/ijongo/ijongo/runtime"
	"go.etcd.io/raft/v3"
)

// A feature is a relation between the nodes, or of the run's history, with
// fewer than 64 values: ranks, counts that saturate, distances in powers of
// two. Absolute terms and indices would make every run new and guide nowhere.
type feature struct {
	name  string
	value func(c *cluster, v *view) int
}

const numFeatures = 16

var features = [numFeatures]feature{
	{"roles", (*cluster).roles},
	{"terms", (*cluster).terms},
	{"commit lag", (*cluster).commitLag},
	{"log lag", (*cluster).logLag},
	{"beliefs", (*cluster).beliefs},
	{"configurations", (*cluster).configurations},
	{"leader's place", (*cluster).leaderPlace},
	{"membership", (*cluster).memberships},
	{"two leaders", (*cluster).twoLeaders},
	{"reads", (*cluster).readsPending},
	{"uncommitted tails", (*cluster).tails},
	{"snapshots needed", (*cluster).snapshotsNeeded},
	{"links", (*cluster).links},
	{"votes", (*cluster).votesCast},
	{"unaware", (*cluster).unaware},
	{"history", (*cluster).past},
}

var featureIDs = func() (ids [numFeatures]ijon.ID) {
	for i, f := range features {
		ids[i] = ijon.Declare(ijon.VerbSet, f.name)
	}
	return ids
}()

// Extremes: absolute values are for max slots.
var (
	maxEpochs     = ijon.Declare(ijon.VerbMax, "elections won")
	maxTail       = ijon.Declare(ijon.VerbMax, "uncommitted tail")
	maxDivergence = ijon.Declare(ijon.VerbMax, "divergent entries")
	maxLag        = ijon.Declare(ijon.VerbMax, "commit lag")
)

// A situation is what features remember between events.
type situation struct {
	held     [numFeatures]int // value plus one that was reported last
	view     view
	restored int
}

func (s *situation) reset() { *s = situation{} }

// A view is what several features need, gathered once an event.
type view struct {
	up, down, leaders, campaigning set
	newest, oldest                 *node // leaders; nil if there is none
	minTerm, maxTerm               uint64
	minCommit, maxCommit           uint64
	tail                           uint64 // longest uncommitted one on a node that does not lead
	believed                       set    // who is believed to lead
	ignorant                       int    // nodes that know of no leader
	latest                         *node  // who has applied most
	confs                          int    // different configurations
	disjoint                       bool   // two of them have quorums apart
}

// observe reports the features that an event has changed.
func (c *cluster) observe() {
	s := &c.state
	c.look(&s.view)
	for i := range features {
		if v := features[i].value(c, &s.view) + 1; v != s.held[i] {
			s.held[i] = v
			ijon.Set(featureIDs[i], ijon.HashUint(ijon.Hash, uint64(v)))
		}
	}
	ijon.MaxUint(maxEpochs, uint64(c.epochs))
	ijon.MaxUint(maxLag, s.view.maxCommit-s.view.minCommit)
	if l := s.view.newest; l != nil {
		ijon.MaxUint(maxTail, l.log.last()-l.hard.GetCommit())
		ijon.MaxUint(maxDivergence, c.divergence(l))
	}
}

func (c *cluster) changedNetwork() { c.dirty |= 1 << 7 } // no node has this bit

func (c *cluster) look(v *view) {
	*v = view{minTerm: ^uint64(0), minCommit: ^uint64(0), latest: &c.nodes[0]}
	for i := range c.nodes {
		n := &c.nodes[i]
		v.add(n)
		if n.app.index > v.latest.app.index {
			v.latest = n
		}
		fresh := true
		for k := range i {
			if m := &c.nodes[k]; m.app.conf == n.app.conf {
				fresh = false
			} else if !v.disjoint && m.app.conf.voters != 0 && n.app.conf.voters != 0 {
				v.disjoint = m.app.conf.disjoint(n.app.conf)
			}
		}
		if fresh {
			v.confs++
		}
	}
	v.newest, v.oldest = c.leader(true), c.leader(false)
}

func (v *view) add(n *node) {
	if !n.up() {
		v.down |= single(n.id)
		return
	}
	v.up |= single(n.id)
	switch n.role {
	case raft.StateLeader:
		v.leaders |= single(n.id)
	case raft.StateCandidate, raft.StatePreCandidate:
		v.campaigning |= single(n.id)
	}
	term, commit := n.hard.GetTerm(), n.hard.GetCommit()
	v.minTerm, v.maxTerm = min(v.minTerm, term), max(v.maxTerm, term)
	v.minCommit, v.maxCommit = min(v.minCommit, commit), max(v.maxCommit, commit)
	if n.role != raft.StateLeader && n.log.last() > commit {
		v.tail = max(v.tail, n.log.last()-commit)
	}
	if n.lead == raft.None {
		v.ignorant++
	} else {
		v.believed |= single(n.lead)
	}
}

// mixed packs small numbers into one, each below its own bound.
func mixed(pairs ...[2]int) int {
	n := 0
	for _, p := range pairs {
		n = n*p[1] + min(p[0], p[1]-1)
	}
	return n
}

func yes(b bool) [2]int {
	if b {
		return [2]int{1, 2}
	}
	return [2]int{0, 2}
}

// log2 is the distance d in powers of two, below bound.
func log2(d uint64, bound int) [2]int { return [2]int{bits.Len64(d), bound} }

func (c *cluster) roles(v *view) int {
	return mixed([2]int{v.leaders.size(), 3}, [2]int{v.campaigning.size(), 3}, [2]int{v.down.size(), 3})
}

func (c *cluster) terms(v *view) int {
	rank := 0
	if v.newest != nil {
		rank = 1
		if v.newest.hard.GetTerm() == v.maxTerm {
			rank = 2
		}
	}
	spread := uint64(0)
	if v.up != 0 {
		spread = v.maxTerm - v.minTerm
	}
	return mixed([2]int{rank, 3}, log2(spread, 5))
}

func (c *cluster) commitLag(v *view) int {
	lag := uint64(0)
	if v.up != 0 {
		lag = v.maxCommit - v.minCommit
	}
	return mixed(log2(lag, 6), yes(v.newest != nil && v.newest.hard.GetCommit() < c.history.commit))
}

func (c *cluster) logLag(v *view) int {
	if v.newest == nil {
		return 0
	}
	l, lag, ahead := v.newest, uint64(0), false
	for i := range c.nodes {
		n := &c.nodes[i]
		if l.app.conf.members().has(n.id) && n.log.last() < l.log.last() {
			lag = max(lag, l.log.last()-n.log.last())
		}
		ahead = ahead || n.log.last() > l.log.last()
	}
	return 1 + mixed(log2(lag, 6), yes(ahead))
}

func (c *cluster) beliefs(v *view) int {
	followed := set(0)
	if v.newest != nil {
		for i := range c.nodes {
			if c.nodes[i].lead == v.newest.id {
				followed |= single(c.nodes[i].id)
			}
		}
	}
	return mixed([2]int{v.believed.size(), 4}, [2]int{v.ignorant, 3},
		yes(v.newest != nil && v.newest.app.conf.quorum(followed)))
}

func (c *cluster) configurations(v *view) int {
	m := v.latest.app.conf
	return mixed([2]int{v.confs, 4}, yes(v.disjoint), yes(m.joint()), yes(m.autoLeave))
}

// place tells what a node is in its own configuration.
func (n *node) place() int {
	m := n.app.conf
	switch {
	case m.voters.has(n.id):
		return 0
	case m.outgoing.has(n.id):
		return 1
	case m.learners.has(n.id):
		return 2
	}
	return 3
}

func (c *cluster) leaderPlace(v *view) int {
	if v.newest == nil {
		return 0
	}
	m := v.newest.app.conf
	return 1 + mixed([2]int{v.newest.place(), 4}, yes(m.joint()), yes(m.autoLeave), [2]int{m.voters.size(), 4})
}

func (c *cluster) memberships(v *view) int {
	m := v.latest.app.conf
	return mixed([2]int{m.voters.size(), 6}, [2]int{(m.learners | m.next).size(), 3}, [2]int{m.outgoing.size(), 3})
}

func (c *cluster) twoLeaders(v *view) int {
	if v.leaders.size() < 2 {
		return v.leaders.size()
	}
	o := v.oldest
	return 2 + mixed(yes(o.app.conf == v.newest.app.conf), [2]int{o.place(), 4}, yes(o.app.conf.lone()),
		yes(o.hard.GetCommit() < v.newest.hard.GetCommit()))
}

func (c *cluster) readsPending(v *view) int {
	pending := log2(uint64(len(c.history.reads)-c.history.answered), 4)
	if v.newest == nil {
		return mixed(pending)
	}
	term, _ := v.newest.log.term(v.newest.hard.GetCommit())
	return 4 + mixed(pending, yes(term == v.newest.hard.GetTerm()), yes(v.newest.app.conf.lone()))
}

func (c *cluster) tails(v *view) int {
	if v.newest == nil {
		return mixed(log2(v.tail, 6))
	}
	return 6 + mixed(log2(v.tail, 6), log2(v.newest.log.last()-v.newest.hard.GetCommit(), 6))
}

func (c *cluster) snapshotsNeeded(v *view) int {
	if v.newest == nil {
		return 0
	}
	needed := 0
	for i := range c.nodes {
		n := &c.nodes[i]
		if v.newest.app.conf.members().has(n.id) && n.log.last() < v.newest.log.base {
			needed++
		}
	}
	return 1 + mixed([2]int{needed, 3}, [2]int{c.state.restored, 3})
}

func (c *cluster) links(v *view) int {
	cut, both, reach := 0, false, set(0)
	for f := range c.nodes {
		for t := range c.nodes {
			if c.net.Cut(f, t) {
				cut++
				both = both || c.net.Cut(t, f)
			}
		}
	}
	if v.newest != nil {
		for t := range c.nodes {
			if l := v.newest.index(); !c.net.Cut(l, t) && !c.net.Cut(t, l) {
				reach |= single(c.nodes[t].id)
			}
		}
	}
	return mixed(yes(cut > 0), yes(both), yes(v.newest != nil && v.newest.app.conf.quorum(reach&v.up)))
}

func (c *cluster) votesCast(v *view) int {
	candidates, cast := set(0), 0
	for i := range c.nodes {
		if n := &c.nodes[i]; n.hard.GetTerm() == v.maxTerm && n.hard.GetVote() != raft.None {
			candidates |= single(n.hard.GetVote())
			cast++
		}
	}
	return mixed([2]int{candidates.size(), 4}, [2]int{cast, 4})
}

// unaware counts the nodes whose own configuration is not the latest one:
// those that are in it and do not know, and those that believe they are.
func (c *cluster) unaware(v *view) int {
	m := v.latest.app.conf
	behind, unborn, undead := 0, 0, 0
	for i := range c.nodes {
		n := &c.nodes[i]
		if n.app.conf == m {
			continue
		}
		behind++
		switch own, latest := n.app.conf.votes(n.id), m.votes(n.id); {
		case latest && !own:
			unborn++
		case own && !latest:
			undead++
		}
	}
	return mixed([2]int{behind, 4}, [2]int{unborn, 3}, [2]int{undead, 3})
}

// past is which of the rarer things have happened in the run.
func (c *cluster) past(*view) int {
	n := 0
	for i, f := range [...]fact{joints, removals, restores, losses, crashes} {
		n |= int(c.reached>>f&1) << i
	}
	return n<<1 | min(c.epochs/2, 1)
}

// divergence is the most entries that a node has and the leader does not,
// behind what both have.
func (c *cluster) divergence(l *node) uint64 {
	most := uint64(0)
	for i := range c.nodes {
		n := &c.nodes[i]
		d := uint64(0)
		for k := n.log.last(); k > n.log.base && k > l.log.base; k-- {
			t, ok := l.log.term(k)
			if own, _ := n.log.term(k); ok && t == own {
				break
			}
			d++
		}
		most = max(most, d)
	}
	return most
}
