package etcdraft

import (
	"fmt"
	"math"

	"go.etcd.io/raft/v3"
)

const (
	maxNodes    = 5
	configBytes = 8
	maxPayload  = 40 // bytes of the largest proposal
)

// settings is the configuration of a run, drawn from the header. Every value
// of every byte is a legal configuration.
type settings struct {
	nodes        int
	start        membership
	electionTick int
	async        set         // nodes with AsyncStorageWrites
	raft         raft.Config // without ID, Storage, Applied and AsyncStorageWrites
}

// The configuration bytes.
const (
	confNodes      = iota // nodes: 3 (even) or 5
	confVoters            // voters at the start, 1 to all
	confLearners          // learners at the start, among the rest
	confFlags             // flagPreVote and its siblings
	confMessage           // MaxSizePerMsg and MaxCommittedSizePerReady
	confInflight          // MaxInflightMsgs and MaxInflightBytes; with flagAsync, the nodes that have AsyncStorageWrites
	confUncommited        // MaxUncommittedEntriesSize
	confTimeout           // ElectionTick
)

const (
	flagPreVote = 1 << iota
	flagCheckQuorum
	flagStepDown
	flagNoForwarding // both this and the next: DisableProposalForwarding
	flagNoForwarding2
	flagAsync
)

// nodesOf is how many nodes a run has.
func nodesOf(config []byte) int { return 3 + 2*int(config[confNodes]&1) }

// draw reads the settings from the configuration bytes.
func (s *settings) draw(b []byte) {
	s.nodes = nodesOf(b)
	all := set(1)<<s.nodes - 1
	// Small configurations are where removal bites, so that two voters come
	// as often as all of them.
	voters := [...]int{s.nodes, 2, 3, s.nodes, 1, 2, s.nodes, min(4, s.nodes)}[b[confVoters]%8]
	s.start = membership{voters: set(1)<<voters - 1}
	s.start.learners = set(b[confLearners]) & set(b[confLearners]>>4) & all &^ s.start.voters
	s.async = 0
	if b[confFlags]&flagAsync != 0 {
		s.async = set(b[confInflight]>>3) & all
	}
	// A power of two: any way to reduce a random number to the range gives
	// the same timeout.
	s.electionTick = 4 << (b[confTimeout] & 1)
	sizes := [...]uint64{1, 64, 256, math.MaxUint64}
	// MaxSizePerMsg is never 0: it would make MaxCommittedSizePerReady 0, with
	// which unmodified raft panics or applies nothing.
	perMessage := sizes[b[confMessage]%4]
	flags := b[confFlags]
	s.raft = raft.Config{
		ElectionTick:              s.electionTick,
		HeartbeatTick:             1,
		MaxSizePerMsg:             perMessage,
		MaxCommittedSizePerReady:  [...]uint64{0, 1, 64, math.MaxUint64}[b[confMessage]>>2%4],
		MaxUncommittedEntriesSize: [...]uint64{0, 0, 16, 64}[b[confUncommited]%4],
		MaxInflightMsgs:           [...]int{1, 2, 8, 256}[b[confInflight]%4],
		MaxInflightBytes:          [...]uint64{0, perMessage}[b[confInflight]>>2%2],
		PreVote:                   flags&flagPreVote != 0,
		CheckQuorum:               flags&flagCheckQuorum != 0,
		StepDownOnRemoval:         flags&flagStepDown != 0,
		DisableProposalForwarding: flags&flagNoForwarding != 0 && flags&flagNoForwarding2 != 0,
		ReadOnlyOption:            raft.ReadOnlySafe,
		Logger:                    logger{},
	}
}

// class numbers the settings that coverage is asked for under, one bit each:
// PreVote, CheckQuorum, StepDownOnRemoval, and AsyncStorageWrites on a node.
func (s *settings) class() int {
	n := 0
	for i, on := range [...]bool{s.raft.PreVote, s.raft.CheckQuorum, s.raft.StepDownOnRemoval, s.async != 0} {
		if on {
			n |= 1 << i
		}
	}
	return n
}

const classes = 16

func className(class int) string {
	name := ""
	for i, flag := range [...]string{"PreVote", "CheckQuorum", "StepDownOnRemoval", "AsyncStorageWrites"} {
		if class>>i&1 != 0 {
			name += " " + flag
		}
	}
	if name == "" {
		return " default"
	}
	return name
}

func (s *settings) String() string {
	c := &s.raft
	return fmt.Sprintf("%d nodes, start %v, ElectionTick %d, PreVote %v, CheckQuorum %v, StepDownOnRemoval %v, "+
		"DisableProposalForwarding %v, MaxSizePerMsg %d, MaxCommittedSizePerReady %d, MaxUncommittedEntriesSize %d, "+
		"MaxInflightMsgs %d, MaxInflightBytes %d, AsyncStorageWrites on %v",
		s.nodes, s.start, c.ElectionTick, c.PreVote, c.CheckQuorum, c.StepDownOnRemoval,
		c.DisableProposalForwarding, c.MaxSizePerMsg, c.MaxCommittedSizePerReady, c.MaxUncommittedEntriesSize,
		c.MaxInflightMsgs, c.MaxInflightBytes, s.async.ids())
}
