package etcdraft

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// Raft draws its election timeouts from crypto/rand. In an instrumented copy
// raft.ijon redirects the call; this does the same for plain go test, so that
// both play an input alike.
func init() { rand.Reader = ijon.Reader{} }

// tolerance says which violations that unmodified raft shows, and that are
// known, do not fail a run.
var tolerance = os.Getenv("RAFT_KNOWN")

// Tolerances. Without one, those pass that are known upstream.
const (
	failAll     = "fail" // none passes
	passNatural = "pass" // all pass: to look for others, or for those of a mutant
)

// invariants says whether a violated invariant fails a run. Without them a
// fault is found when it does harm.
var invariants = os.Getenv("RAFT_INVARIANTS") != "off"

// alwaysStepDown takes StepDownOnRemoval out of the drawn settings.
var alwaysStepDown = os.Getenv("RAFT_STEPDOWN") == "always"

// tears lets a crash come between the entries and the hard state of a Ready.
// It is off because raft does not stand it: see TestTornWriteBreaksMembership.
var tears = os.Getenv("RAFT_TORN") == "on"

// stepDown switches StepDownOnRemoval on.
func stepDown(s *settings) { s.raft.StepDownOnRemoval = true }

// A cluster is the harness: nodes, network and oracles.
type cluster struct {
	force func(*settings) // changes the drawn settings, in tests; may be nil
	tears bool            // see the variable
	runs  uint64          // begun

	moment
	all     [maxNodes]node
	nodes   []node // those of this run
	net     sim.Network
	mem     arena
	history history
	raft    raftSaver // nil if raft cannot be saved

	ungrouped bool   // sample no group, to measure what that costs
	watch     func() // called when the groups have been sampled, in tests; may be nil

	stepped   func(*node) // called before a node handles a Ready, in tests; may be nil
	digesting bool        // keep digest, in tests
}

// A moment is the part of the state that is copied by assignment when the
// cluster is saved: nothing is written to through a pointer in it.
type moment struct {
	run   uint64 // its number
	conf  settings
	first applied // where every member starts

	violation *sim.Violation
	reached   uint64 // facts, one bit each
	known     int    // known and open violations

	proposals uint64    // proposals and changes made
	applied   uint64    // highest proposal that a node has applied
	epochs    int       // elections won
	dirty     set       // nodes that changed in this event
	digest    uint64    // hash of the run so far
	state     situation // for features
}

func newCluster() *cluster {
	c := &cluster{tears: tears, raft: offeredSaver()}
	if alwaysStepDown {
		c.force = stepDown
	}
	for i := range c.all {
		n := &c.all[i]
		n.c, n.id = c, uint64(i+1)
		n.visitor, n.active = n.checkPeer, n.checkActive
	}
	return c
}

// Begin implements sim.Harness.
func (c *cluster) Begin(config []byte) {
	c.runs++
	c.moment = moment{run: c.runs}
	c.conf.draw(config)
	if c.force != nil {
		c.force(&c.conf)
	}
	c.nodes = c.all[:c.conf.nodes]
	c.net.Reset(c.conf.nodes)
	c.mem.reset()
	c.history.reset()
	if ijon.Tracing() {
		ijon.Logf("%v", &c.conf)
	}
	c.first = applied{index: 1, conf: c.conf.start}
	first := c.first.pack(1)
	for i := range c.nodes {
		n := &c.nodes[i]
		if c.conf.start.members().has(n.id) {
			n.format(first)
		} else {
			n.format(nil)
		}
	}
	c.drainAll()
	c.dirty = 0
}

// Play implements sim.Harness.
func (c *cluster) Play(e sim.Event) *sim.Violation {
	c.dirty = 0
	kinds[e.Kind].play(c, e)
	if ijon.Tracing() {
		c.logDirty()
	}
	if c.dirty != 0 {
		c.observe()
	}
	if c.digesting {
		c.fold()
	}
	return c.violation
}

func (c *cluster) changed(n *node) { c.dirty |= single(n.id) }

// after ends an event on a node. An application handles a Ready after each
// input, or after several, and what one Ready leads to may wait behind the
// next input: of sixteen events one leaves every Ready for later, and two
// handle the first only.
func (c *cluster) after(n *node, e sim.Event) {
	switch e.C & 15 {
	case 15:
	case 13, 14:
		if n.raw.HasReady() {
			n.handle(n.raw.Ready())
		}
	default:
		n.drain()
	}
}

// lazy tells whether after leaves work behind.
func lazy(e sim.Event) bool { return e.C&15 >= 13 }

func (c *cluster) drainAll() {
	for i := range c.nodes {
		if n := &c.nodes[i]; n.up() {
			ijon.Node(int(n.id))
			n.drain()
		}
	}
}

// pick chooses a node by its number, or by its role: the leader of the
// newest term, or of the oldest. If the node is down, the next one that is
// up; nil if none is.
func (c *cluster) pick(b byte) *node {
	var n *node
	switch {
	case b >= 0xc0:
		n = c.leader(false)
	case b >= 0x80:
		n = c.leader(true)
	}
	if n == nil {
		n = c.firstUp(int(b))
	}
	if n != nil {
		ijon.Node(int(n.id))
	}
	return n
}

func (c *cluster) firstUp(i int) *node {
	for range c.nodes {
		if n := &c.nodes[i%len(c.nodes)]; n.up() {
			return n
		}
		i++
	}
	return nil
}

// leader returns the leader of the newest term, or of the oldest; nil if
// there is none.
func (c *cluster) leader(newest bool) *node {
	var l *node
	for i := range c.nodes {
		n := &c.nodes[i]
		if n.role == raft.StateLeader && (l == nil || n.hard.GetTerm() > l.hard.GetTerm() == newest) {
			l = n
		}
	}
	return l
}

// deliver hands the first message of a link to its node. It returns nil if
// the node is down: the message is then lost.
func (c *cluster) deliver(link int) *node {
	m := c.net.Take(link).(*pb.Message)
	_, to := c.net.Link(link)
	n := &c.nodes[to]
	if ijon.Tracing() {
		ijon.Logf("       deliver %s", describe(m))
	}
	if !n.up() {
		return nil
	}
	ijon.Node(int(n.id))
	n.acked = n.acked || m.GetType() == pb.MsgAppResp
	n.expect(m)
	switch {
	case m.GetType() == pb.MsgAppResp && m.GetReject():
		n.stepRejection(m)
		return n
	case m.GetType() == pb.MsgTransferLeader:
		defer n.checkTransfer()
	}
	// An error only tells that the message was refused.
	_ = n.raw.Step(m)
	return n
}

// propose proposes the next numbered payload of the given size on a node and
// returns its number.
func (c *cluster) propose(n *node, size int) uint64 {
	c.proposals++
	data := c.mem.buffer(size)
	clear(data)
	for i := range 8 {
		data[i] = byte(c.proposals >> (8 * i))
	}
	if ijon.Tracing() {
		n.logf("proposes %x", data)
	}
	_ = n.raw.Propose(data) // it may be dropped
	return c.proposals
}

// read asks for a linearizable read on a node and returns its number.
func (c *cluster) read(n *node) int {
	id := len(c.history.reads)
	r := readRecord{commit: c.history.commit}
	if n.role == raft.StateLeader {
		r.leader, r.term = n.id, n.hard.GetTerm()
	}
	c.history.reads = append(c.history.reads, r)
	context := c.mem.buffer(8)
	for i := range context {
		context[i] = byte(id >> (8 * i))
	}
	if ijon.Tracing() {
		n.logf("asks for read %d; %d is committed", id, c.history.commit)
	}
	n.waiting++
	n.raw.ReadIndex(context)
	c.changedAround()
	return id
}

// appliedFirst notes that an entry has been applied somewhere.
func (c *cluster) appliedFirst(e *pb.Entry) {
	data := e.GetData()
	if e.GetType() != pb.EntryNormal || len(data) < 8 {
		return
	}
	id := uint64(0)
	for i := range 8 {
		id |= uint64(data[i]) << (8 * i)
	}
	c.applied = max(c.applied, id)
}

// fail reports a violated oracle. Only the first of a run counts.
func (c *cluster) fail(oracle, format string, args ...any) { c.failIn(oracle, "", format, args...) }

// failIn is fail for an oracle that can be violated in several ways. The way
// says what was done and nothing of the roles, the configuration or the history
// that it was done in: any fault shows in most of those.
func (c *cluster) failIn(oracle, way, format string, args ...any) {
	if !invariants && strings.HasPrefix(oracle, invariant) {
		return
	}
	if bin, ok := c.natural(oracle); bin != 0 {
		c.known++
		ijon.Cover(bin)
		if ok {
			return
		}
	}
	if c.violation == nil {
		c.violation = &sim.Violation{Oracle: oracle, State: way, Detail: fmt.Sprintf(format, args...)}
	}
}

// natural returns the bin of a violation that unmodified raft shows under the
// settings of the run, and tells whether it passes; 0 for any other.
func (c *cluster) natural(oracle string) (bin ijon.ID, pass bool) {
	switch {
	case oracle == staleReadLone:
		return loneBin, tolerance != failAll
	case oracle == staleReadRemoved && !c.conf.raft.StepDownOnRemoval:
		return removedBin, tolerance == passNatural
	}
	return 0, false
}

// fold adds the state of every node to the digest of the run.
func (c *cluster) fold() {
	h := ijon.HashUint(c.digest, uint64(c.net.InFlight()))
	for i := range c.nodes {
		n := &c.nodes[i]
		for _, v := range [...]uint64{
			n.hard.GetTerm(), n.hard.GetVote(), n.hard.GetCommit(), uint64(n.role), n.lead,
			n.log.base, n.log.last(), n.log.lastTerm(), n.onDisk().last(), uint64(len(n.threads.applies)<<8 | len(n.threads.answers)), n.app.index, n.app.chain, uint64(n.app.conf.members()),
		} {
			h = ijon.HashUint(h, v)
		}
		h = ijon.HashBool(h, n.up())
	}
	c.digest = h
}

// logDirty writes the nodes that changed to the timeline.
func (c *cluster) logDirty() {
	for i := range c.nodes {
		if n := &c.nodes[i]; c.dirty.has(n.id) {
			ijon.Logf("       %v", n)
		}
	}
}

// logf writes what a node does to the timeline.
func (n *node) logf(format string, args ...any) {
	ijon.Logf("       node %d "+format, append([]any{n.id}, args...)...)
}

func (n *node) String() string {
	role := strings.TrimPrefix(n.role.String(), "State")
	if !n.up() {
		role = "down"
	}
	return fmt.Sprintf("node %d: %s of term %d, leader %d, commit %d, log %d to %d, applied %d, %v",
		n.id, role, n.hard.GetTerm(), n.lead, n.hard.GetCommit(), n.log.base+1, n.log.last(), n.app.index, n.app.conf)
}

func describe(m *pb.Message) string {
	return raft.DescribeMessage(m, func(b []byte) string { return fmt.Sprintf("%x", b) })
}
