package etcdraft

import (
	"math/bits"
	"os"

	ijon "github.com/ijongo/ijongo/runtime"
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
	{"links", (*cluster).linkFaults},
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

// A situation is what features and covergroups remember between events.
type situation struct {
	held     [numFeatures]int // value plus one that was reported last
	view     view
	restored int
	added    set     // members that the change being applied adds
	crash    crashed // the last crash
	links    links

	// The last samples of the groups.
	bins    [numPoints]int
	sampled bool
	stands  [maxNodes]stand
}

// blind is random search that pays for no features and no bins.
var blind = os.Getenv("RAFT_FEEDBACK") == "off"

// observe reports the features and bins that an event has changed.
func (c *cluster) observe() {
	if blind {
		return
	}
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
		ijon.MaxUint(maxDivergence, s.view.divergence)
	}
	if c.violation == nil && !c.ungrouped { // what fails an oracle is beyond the bins
		c.sampleNodes()
		c.sample(&s.view)
		if c.watch != nil {
			c.watch()
		}
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
	return 1 + mixed(log2(v.lag, 6), yes(v.ahead))
}

func (c *cluster) beliefs(v *view) int {
	return mixed([2]int{v.believed.size(), 4}, [2]int{v.ignorant, 3},
		yes(v.newest != nil && v.newest.app.conf.quorum(v.followed)))
}

func (c *cluster) configurations(v *view) int {
	m := v.latest.app.conf
	return mixed([2]int{v.confs, 4}, yes(v.disjoint), yes(m.joint()), yes(m.autoLeave))
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
	return 1 + mixed([2]int{v.needed, 3}, [2]int{c.state.restored, 3})
}

func (c *cluster) linkFaults(v *view) int {
	l := &c.state.links
	return mixed(yes(l.cut), yes(l.both), yes(v.newest != nil && v.newest.app.conf.quorum(c.reaches(v.newest)&v.up)))
}

func (c *cluster) votesCast(v *view) int {
	return mixed([2]int{v.candidates.size(), 4}, [2]int{v.votes, 4})
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
