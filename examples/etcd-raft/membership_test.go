package etcdraft

import (
	"fmt"
	"math/bits"

	pb "go.etcd.io/raft/v3/raftpb"
)

// A set is a set of nodes, one bit a node: bit i is node i+1.
type set uint8

func (s set) has(id uint64) bool { return id != 0 && s>>(id-1)&1 != 0 }
func (s set) size() int          { return bits.OnesCount8(uint8(s)) }

func single(id uint64) set { return 1 << (id - 1) }

func setOf(ids []uint64) (s set) {
	for _, id := range ids {
		s |= single(id)
	}
	return s
}

func (s set) ids() (ids []uint64) {
	for id := uint64(1); id <= maxNodes; id++ {
		if s.has(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// choose returns the k-th member, k modulo the size; 0 for the empty set.
func (s set) choose(k int) uint64 {
	if s == 0 {
		return 0
	}
	for k %= s.size(); ; k-- {
		low := s & -s
		if k == 0 {
			return uint64(bits.TrailingZeros8(uint8(low))) + 1
		}
		s &^= low
	}
}

// A membership is a configuration as the application has applied it.
type membership struct {
	voters, outgoing set
	learners, next   set
	autoLeave        bool
}

func membershipOf(cs *pb.ConfState) membership {
	return membership{
		voters:    setOf(cs.GetVoters()),
		outgoing:  setOf(cs.GetVotersOutgoing()),
		learners:  setOf(cs.GetLearners()),
		next:      setOf(cs.GetLearnersNext()),
		autoLeave: cs.GetAutoLeave(),
	}
}

func (m membership) confState() *pb.ConfState {
	return &pb.ConfState{
		Voters:         m.voters.ids(),
		VotersOutgoing: m.outgoing.ids(),
		Learners:       m.learners.ids(),
		LearnersNext:   m.next.ids(),
		AutoLeave:      new(m.autoLeave),
	}
}

func (m membership) String() string {
	s := fmt.Sprintf("voters %v", m.voters.ids())
	if m.joint() {
		s += fmt.Sprintf(" and %v", m.outgoing.ids())
	}
	if l := m.learners | m.next; l != 0 {
		s += fmt.Sprintf(", learners %v", l.ids())
	}
	return s
}

func (m membership) joint() bool { return m.outgoing != 0 }

// votes tells whether the node is a voter in either half.
func (m membership) votes(id uint64) bool { return (m.voters | m.outgoing).has(id) }

func (m membership) members() set { return m.voters | m.outgoing | m.learners | m.next }

// lone tells whether one voter decides alone.
func (m membership) lone() bool { return m.voters.size() == 1 && !m.joint() }

// quorum tells whether s is a majority of both halves.
func (m membership) quorum(s set) bool {
	return (s&m.voters).size() > m.voters.size()/2 &&
		(!m.joint() || (s&m.outgoing).size() > m.outgoing.size()/2)
}

// disjoint tells whether the two configurations have quorums without a
// common node: half of each may lie outside the other's.
func (m membership) disjoint(o membership) bool {
	return apart(m.voters, o.voters) && (!m.joint() || apart(m.outgoing, o.voters)) &&
		(!o.joint() || apart(m.voters, o.outgoing))
}

// apart tells whether a majority of a and one of b fit beside each other.
func apart(a, b set) bool {
	return a.size()/2+1+b.size()/2+1 <= (a | b).size()
}

// leavesNoVoter tells whether a change would remove the last voter, which
// raft panics on and an application must therefore refuse to apply.
func (m membership) leavesNoVoter(cc *pb.ConfChangeV2) bool {
	voters := m.voters
	for _, c := range cc.GetChanges() {
		switch c.GetType() {
		case pb.ConfChangeAddNode:
			voters |= single(c.GetNodeId())
		case pb.ConfChangeRemoveNode, pb.ConfChangeAddLearnerNode:
			voters &^= single(c.GetNodeId())
		}
	}
	return voters == 0
}
