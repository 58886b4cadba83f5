package etcdraft

import (
	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// confChange proposes a change of the configuration on a node. B is the
// change and C whom it is about, out of those that it makes sense for in the
// configuration that the node has applied. With the top bit of C whoever is to
// go is the leader itself, if it can be.
func (c *cluster) confChange(e sim.Event) {
	n := c.pick(e.A)
	if n == nil {
		return
	}
	t := c.targets(n, e.C)
	cc := t.change(e.B)
	if n.app.conf.joint() && !n.app.conf.autoLeave && e.B&0x80 == 0 {
		cc = &pb.ConfChangeV2{} // what a joint configuration is waiting for
	}
	if cc == nil {
		return
	}
	c.proposals++
	if ijon.Tracing() {
		n.logf("proposes %s", raft.DescribeConfChange(cc))
	}
	_ = n.raw.ProposeConfChange(cc) // it may be dropped
	c.after(n, e)
}

// targets are the nodes that a change may be about; 0 where there is none.
type targets struct {
	voter   uint64 // is a voter
	other   uint64 // is no voter: a learner, or no member
	outside uint64 // is no member
	learner uint64 // is a learner
}

func (c *cluster) targets(n *node, b byte) targets {
	m := n.app.conf
	all := set(1)<<len(c.nodes) - 1
	k := int(b >> 4 & 7)
	t := targets{
		voter:   m.voters.choose(k),
		other:   (all &^ m.voters).choose(k),
		outside: (all &^ m.members()).choose(k),
		learner: m.learners.choose(k),
	}
	if b&0x80 != 0 && m.voters.has(n.lead) {
		t.voter = n.lead
	}
	return t
}

// change makes the change; nil if nobody is there whom it could be about.
func (t targets) change(op byte) pb.ConfChangeI {
	switch op % 12 {
	case 0, 1, 2:
		return one(pb.ConfChangeRemoveNode, t.voter)
	case 3, 4:
		return one(pb.ConfChangeAddNode, t.other)
	case 5:
		return one(pb.ConfChangeAddLearnerNode, t.outside)
	case 6:
		return one(pb.ConfChangeAddLearnerNode, t.voter) // demote
	case 7:
		return one(pb.ConfChangeAddNode, t.learner) // promote
	case 8:
		return joint(pb.ConfChangeTransitionAuto, t.remove(), t.add())
	case 9:
		return joint(pb.ConfChangeTransitionJointImplicit, t.remove(), t.add())
	case 10:
		return joint(pb.ConfChangeTransitionJointExplicit, t.demote(), t.add())
	}
	return joint(pb.ConfChangeTransitionJointExplicit, t.remove())
}

func one(typ pb.ConfChangeType, id uint64) pb.ConfChangeI {
	if id == 0 {
		return nil
	}
	return &pb.ConfChange{Type: typ.Enum(), NodeId: new(id)}
}

func (t targets) remove() *pb.ConfChangeSingle { return step(pb.ConfChangeRemoveNode, t.voter) }
func (t targets) add() *pb.ConfChangeSingle    { return step(pb.ConfChangeAddNode, t.other) }
func (t targets) demote() *pb.ConfChangeSingle { return step(pb.ConfChangeAddLearnerNode, t.voter) }

func step(typ pb.ConfChangeType, id uint64) *pb.ConfChangeSingle {
	return &pb.ConfChangeSingle{Type: typ.Enum(), NodeId: new(id)}
}

// joint makes a change of several steps, without those about nobody.
func joint(transition pb.ConfChangeTransition, steps ...*pb.ConfChangeSingle) pb.ConfChangeI {
	cc := &pb.ConfChangeV2{Transition: transition.Enum()}
	for _, s := range steps {
		if s.GetNodeId() != 0 {
			cc.Changes = append(cc.Changes, s)
		}
	}
	if len(cc.Changes) == 0 {
		return nil
	}
	return cc
}
