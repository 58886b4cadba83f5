package etcdraft

import "go.etcd.io/raft/v3"

// A view is what several features and coverpoints need, gathered once an
// event.
type view struct {
	up, down, leaders    set
	preparing            set   // pre-candidates
	campaigning          set   // candidates and pre-candidates
	newest, oldest       *node // leaders; nil if there is none
	minTerm, maxTerm     uint64
	minCommit, maxCommit uint64
	tail                 uint64 // longest uncommitted one on a node that does not lead
	believed             set    // who is believed to lead
	ignorant             int    // nodes that know of no leader
	candidates           set    // who has votes in the newest term
	votes                int    // cast in it
	latest               *node  // who has applied most
	confs                int    // different configurations
	disjoint             bool   // two of them have quorums apart

	// Of the newest leader; zero if there is none.
	followed   set    // nodes that believe that it leads
	lag        uint64 // most entries that a member lacks
	ahead      bool   // a log is longer than its own
	needed     int    // members that are behind its log
	divergence uint64 // most entries that a node has and it does not, behind what both have
}

// links is which nodes reach each other; it changes with the network only.
type links struct {
	known bool
	both  bool          // a link is cut both ways
	cut   bool          // a link is cut
	with  [maxNodes]set // nodes with which the node can talk, itself included
}

// changedAround tells that something changed which is of no node.
func (c *cluster) changedAround() { c.dirty |= 1 << 7 } // no node has this bit

func (c *cluster) changedNetwork() {
	c.changedAround()
	c.state.links.known = false
}

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
	for i := range c.nodes {
		v.count(&c.nodes[i])
	}
	if !c.state.links.known {
		c.lookAtLinks()
	}
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
	case raft.StatePreCandidate:
		v.preparing |= single(n.id)
		v.campaigning |= single(n.id)
	case raft.StateCandidate:
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

// count adds what a node is to the newest term and to its leader.
func (v *view) count(n *node) {
	if n.hard.GetTerm() == v.maxTerm && n.hard.GetVote() != raft.None {
		v.candidates |= single(n.hard.GetVote())
		v.votes++
	}
	l := v.newest
	if l == nil {
		return
	}
	if n.lead == l.id {
		v.followed |= single(n.id)
	}
	last, own := n.log.last(), l.log.last()
	v.ahead = v.ahead || last > own
	if l.app.conf.members().has(n.id) && last < own {
		v.lag = max(v.lag, own-last)
		if last < l.log.base {
			v.needed++
		}
	}
	v.divergence = max(v.divergence, n.log.beyond(&l.log))
}

func (c *cluster) lookAtLinks() {
	l := &c.state.links
	*l = links{known: true}
	for f := range c.nodes {
		for t := range c.nodes {
			there, back := c.net.Cut(f, t), c.net.Cut(t, f)
			l.cut = l.cut || there
			l.both = l.both || there && back
			if !there && !back {
				l.with[f] |= single(uint64(t + 1))
			}
		}
	}
}

// reaches is the nodes with which n can talk.
func (c *cluster) reaches(n *node) set { return c.state.links.with[n.index()] }
