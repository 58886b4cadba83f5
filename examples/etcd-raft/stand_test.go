package etcdraft

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"

	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
)

// raftStands are the tuples of role, leader and vote in which raft leaves a node
// when it has handled a message.
//
// A follower has any vote: of the term in which it lost an election (self), in
// which it voted for a node that it does not follow (other), or none. A
// pre-candidate keeps what it had, and forgets its leader. A candidate has
// voted for itself, and so has who becomes leader.
//
// The cross node.stand of cover.ijon counts the same at the exit of Step. Raft's own
// test suite comes to three more, because tests set fields by hand: a
// candidate and a leader with neither vote nor leader in TestRecvMsgBeat, and
// a leader that has voted and knows no leader in TestRecvMsgVote.
var raftStands = []string{
	"StateFollower*none*none", "StateFollower*none*self", "StateFollower*none*other",
	"StateFollower*other*none", "StateFollower*other*self", "StateFollower*other*other",
	"StateCandidate*none*self",
	"StateLeader*self*self",
	"StatePreCandidate*none*none", "StatePreCandidate*none*self", "StatePreCandidate*none*other",
}

// TestStands plays random schedules and asks raft itself, whenever it has
// something to say: all of these come, and no others.
func TestStands(t *testing.T) {
	c := newCluster()
	seen := map[string]bool{}
	c.stepped = func(n *node) {
		s := n.raw.BasicStatus()
		seen[fmt.Sprintf("%v*%s*%s", s.RaftState, n.whom(s.Lead), n.whom(s.HardState.GetVote()))] = true
	}
	rng := rand.New(rand.NewSource(1))
	for range 100 {
		c.playEvents(sim.Random(rng, format.Layout(), 400, nil))
	}
	got, want := slices.Sorted(maps.Keys(seen)), slices.Sorted(slices.Values(raftStands))
	if !slices.Equal(got, want) {
		t.Errorf("nodes stood\n%q, want\n%q", got, want)
	}
}

// whom names another node as seen by this one.
func (n *node) whom(id uint64) string {
	switch id {
	case raft.None:
		return "none"
	case n.id:
		return "self"
	}
	return "other"
}
