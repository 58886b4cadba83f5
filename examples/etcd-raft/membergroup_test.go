package etcdraft

import (
	ijon "github.com/ijongo/ijongo/runtime"
	"go.etcd.io/raft/v3"
)

// The points of a node, sampled when an event that changed it has come to
// rest. Several steps of raft may lie between two samples: what one step may
// never do, such as StateLeader=>StateCandidate, is said in raft.ijon.
const (
	nRole = iota
	nLead
	nPlace
	nLag
	numNodePoints
)

// The roles of a node are raft's and, for one that is down, one more.
const downRole = raft.StatePreCandidate + 1

var nodePoints = []coverpoint{
	nRole:  {name: "role", bins: []string{"Follower", "Candidate", "Leader", "PreCandidate", "down"}},
	nLead:  {name: "lead", bins: []string{"none", "self", "other"}},
	nPlace: {name: "place", bins: []string{"voter", "outgoing", "learner", "outside"}},
	nLag:   {name: "lag", bins: powers(4)},
}

const (
	leadNone = iota
	leadSelf
	leadOther
)

// The events of a node, one bit each. The momentary ones are of the sample at
// which they happened.
const (
	evLeads        = iota
	evLeadsRemoved // it leads and has no vote in its own configuration
	evVotes        // it is up and votes by its own configuration
	evOutside      // it is up and no more in its own configuration
	evDown
	evCampaigns // momentary: it is a candidate in a term that is new to it
	evAnswers   // momentary: it leads, removed, and has answered a read
	numNodeEvents
)

const momentary = 1<<evCampaigns | 1<<evAnswers

var nodeEvents = [numNodeEvents]string{
	evLeads: "leads", evLeadsRemoved: "leads, removed", evVotes: "votes", evOutside: "is outside", evDown: "is down",
	evCampaigns: "campaigns", evAnswers: "answers, removed",
}

var memberGroup = ijon.DeclareGroup(ijon.GroupSpec{
	Name:    "member",
	By:      "run, id",
	Clauses: ijon.Clauses{Doc: "a node, at rest after each event that changed it"},
	Points:  pointSpecs(nodePoints),
	Events:  nodeEvents[:],
	Crosses: []ijon.CrossSpec{{
		ItemSpec: ijon.ItemSpec{Name: "stand"},
		Axes:     []ijon.AxisSpec{{Point: nRole}, {Point: nLead}, {Point: nPlace}, {Point: nLag}},
		Ignore:   impossibleStands(),
	}},
	Trans: []ijon.TransSpec{{ItemSpec: ijon.ItemSpec{Name: "role"}, Point: nRole, All: true, Paths: impossibleSteps()}},
	Seqs: []ijon.SeqSpec{
		seq("answers after its removal", evLeads, until(evDown, evLeadsRemoved), until(evDown, evAnswers)),
		seq("campaigns in vain", evCampaigns, until(evLeads, evCampaigns), until(evLeads, evCampaigns)),
		seq("leads again", evLeads, then(evDown), then(evLeads)),
		seq("comes back", evVotes, then(evOutside), then(evVotes), then(evLeads)),
	},
})

func seq(name string, first int, rest ...ijon.SeqStep) ijon.SeqSpec {
	return ijon.SeqSpec{ItemSpec: ijon.ItemSpec{Name: name}, Steps: append([]ijon.SeqStep{{Event: first}}, rest...)}
}

func then(event int) ijon.SeqStep { return ijon.SeqStep{Event: event} }

// until is an event before which the other may not happen.
func until(other, event int) ijon.SeqStep { return ijon.SeqStep{Event: event, Forbid: []int{other}} }

func impossibleStands() (tuples [][]int) {
	for role := range nodePoints[nRole].bins {
		for lead := range nodePoints[nLead].bins {
			for place := range nodePoints[nPlace].bins {
				if !stands(role, lead, place) {
					tuples = append(tuples, []int{role, lead, place, -1})
				}
			}
		}
	}
	return tuples
}

// stands tells whether a node can be in a role with that belief and in that
// place. It believes that it leads exactly while it does, as a candidate it
// believes nobody, and when it is down nothing. What a follower believes comes
// from a message of another node. Who campaigns has a vote, and keeps it while
// it does, because it has applied every change that it knows to be committed.
func stands(role, lead, place int) bool {
	switch raft.StateType(role) {
	case raft.StateLeader:
		return lead == leadSelf
	case raft.StateFollower:
		return lead != leadSelf
	case downRole:
		return lead == leadNone
	}
	return lead == leadNone && place < learner
}

// impossibleSteps: a node that starts is a follower, and in the event that
// starts it neither does its clock go on nor does a message reach it.
func impossibleSteps() (paths []ijon.PathSpec) {
	for _, to := range []raft.StateType{raft.StateCandidate, raft.StateLeader, raft.StatePreCandidate} {
		paths = append(paths, ijon.PathSpec{Kind: ijon.Ignore, Steps: []ijon.StepSpec{{Bin: int(downRole)}, {Bin: int(to)}}})
	}
	return paths
}

// A stand is what was last sampled of a node.
type stand struct {
	bins   [numNodePoints]int
	events uint64
	term   uint64
	known  bool
}

// sampleNodes samples the nodes that the event has changed.
func (c *cluster) sampleNodes() {
	for i := range c.nodes {
		if n := &c.nodes[i]; c.dirty.has(n.id) || n.answers {
			c.sampleNode(n, &c.state.stands[i])
		}
	}
}

func (c *cluster) sampleNode(n *node, last *stand) {
	now := stand{
		bins:  [numNodePoints]int{nRole: n.roleBin(), nLead: n.leadBin(), nPlace: n.place(), nLag: c.behind(n)},
		term:  n.hard.GetTerm(),
		known: true,
	}
	now.events = n.events(last.term)
	n.answers = false
	if now == *last && now.events&momentary == 0 {
		return
	}
	*last = now
	memberGroup.Sample(c.run<<8|n.id, now.events, last.bins[:]...)
}

func (n *node) roleBin() int {
	if !n.up() {
		return int(downRole)
	}
	return int(n.role)
}

func (n *node) leadBin() int {
	switch n.lead {
	case raft.None:
		return leadNone
	case n.id:
		return leadSelf
	}
	return leadOther
}

// behind is how far the node's commit index is behind the cluster's.
func (c *cluster) behind(n *node) int {
	return power(c.history.commit-min(n.hard.GetCommit(), c.history.commit), 4)
}

// events are those that hold of the node; before is its term when it was
// sampled last.
func (n *node) events(before uint64) (events uint64) {
	m := n.app.conf
	leads, votes := n.role == raft.StateLeader, m.votes(n.id)
	for ev, holds := range [numNodeEvents]bool{
		evLeads:        leads,
		evLeadsRemoved: leads && !votes,
		evVotes:        n.up() && votes,
		evOutside:      n.up() && m.voters != 0 && !m.members().has(n.id),
		evDown:         !n.up(),
		evCampaigns:    n.role == raft.StateCandidate && n.hard.GetTerm() > before,
		evAnswers:      leads && !votes && n.answers,
	} {
		if holds {
			events |= 1 << ev
		}
	}
	return events
}
