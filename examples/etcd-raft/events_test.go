package etcdraft

import (
	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// A kind is a kind of event. Where one node does something, the low half of C
// tells how much of what follows from it the node handles at once; see after.
type kind struct {
	name   string
	weight int
	play   func(c *cluster, e sim.Event)
	fields []ijon.Field // what A, B and C pick, as far as that is a node or a link
}

var (
	onNode = []ijon.Field{ijon.FieldNodeOrRole}
	onPair = []ijon.Field{ijon.FieldNodeOrRole, ijon.FieldNode}
	onFrom = []ijon.Field{ijon.FieldNodeOrRole, ijon.FieldNodeOrRole} // the second one's high bit is how it went
	onDown = []ijon.Field{ijon.FieldNode}
	onLink = []ijon.Field{ijon.FieldLink}
)

// kinds is set by init, because the events need it to tell their number.
var kinds []kind

func init() {
	kinds = []kind{
		{"tick", 10, (*cluster).tick, onNode},              // A picks a node, B how often
		{"tick-all", 4, (*cluster).tickAll, nil},           // B how often
		{"deliver", 30, (*cluster).deliverSome, onLink},    // A picks a link, B how many
		{"flush", 8, (*cluster).flush, onNode},             // A picks a node, B to it, from it, or everything
		{"drop", 2, (*cluster).drop, onLink},               // A picks a link, B how many
		{"duplicate", 1, (*cluster).duplicate, onLink},     // A picks a link
		{"reorder", 2, (*cluster).reorder, onLink},         // A picks a link, B how far back
		{"partition", 2, (*cluster).partition, onNode},     // A picks a node, B a direction or a set
		{"heal", 2, (*cluster).heal, nil},                  //
		{"propose", 8, (*cluster).proposeOne, onNode},      // A picks a node, B a size
		{"read", 6, (*cluster).readOne, onNode},            // A picks a node
		{"conf-change", 6, (*cluster).confChange, onNode},  // A picks a node, B a change, C whom
		{"crash", 2, (*cluster).crash, onNode},             // A picks a node, B the point, what is lost, for how long
		{"restart", 2, (*cluster).restart, onDown},         // A picks a node
		{"compact", 2, (*cluster).compact, onNode},         // A picks a node, B how much stays
		{"transfer", 1, (*cluster).transfer, onNode},       // A picks a node, B whom
		{"campaign", 1, (*cluster).campaign, onNode},       // A picks a node
		{"forget", 1, (*cluster).forget, onNode},           // A picks a node
		{"unreachable", 1, (*cluster).unreachable, onPair}, // A picks a node, B whom
		{"snap-status", 1, (*cluster).snapStatus, onFrom},  // A picks a node, B whom and how it went
		{"storage", 4, (*cluster).storage, onNode},         // A picks a node, B what its storage threads do
	}
	for _, k := range kinds {
		format.Kinds = append(format.Kinds, ijon.Kind{Name: k.name, Weight: k.weight, Fields: k.fields})
	}
}

// format is the layout of an input.
var format = sim.Format{Config: configBytes, Nodes: nodesOf}

// many is how often a tick is repeated: mostly once; enough for a heartbeat
// and its answer; and so often that every election timeout passes.
func (c *cluster) many(b byte) int {
	e := c.conf.electionTick
	return [...]int{1, 1, 1, 2, 2, e / 2, e, 2 * e}[b%8]
}

func (c *cluster) tick(e sim.Event) {
	n := c.pick(e.A)
	if n == nil {
		return
	}
	times := c.many(e.B)
	if ijon.Tracing() {
		n.logf("ticks %d times", times)
	}
	for range times {
		n.raw.Tick()
		if !lazy(e) {
			n.drain()
		}
	}
	c.after(n, e)
}

func (c *cluster) tickAll(e sim.Event) {
	times := c.many(e.B)
	if ijon.Tracing() {
		ijon.Logf("       every node ticks %d times", times)
	}
	for range times {
		c.tickEach(set(1)<<len(c.nodes) - 1)
	}
}

func (c *cluster) tickEach(clocks set) {
	for i := range c.nodes {
		if n := &c.nodes[i]; n.up() && clocks.has(n.id) {
			ijon.Node(int(n.id))
			n.raw.Tick()
			n.drain()
		}
	}
}

func (c *cluster) deliverSome(e sim.Event) {
	link := c.net.Open(int(e.A))
	if link < 0 {
		return
	}
	from, to := c.net.Link(link)
	for k := [...]int{1, 1, 1, 2, 4, sim.MaxQueue}[e.B%6]; k > 0 && c.net.Waiting(from, to) > 0; k-- {
		if n := c.deliver(link); n != nil {
			c.after(n, e)
		}
	}
}

// flush delivers what waits at this moment: to a node, from a node, or
// everywhere. What that leads to waits for the next event.
func (c *cluster) flush(e sim.Event) {
	all := set(1)<<len(c.nodes) - 1
	from, to := all, all
	if n := c.pick(e.A); n != nil {
		switch e.B % 4 {
		case 0:
			to = single(n.id)
		case 1:
			from = single(n.id)
		}
	}
	c.sweep(from, to)
}

// sweep delivers what waits at this moment on the links between two sets.
func (c *cluster) sweep(from, to set) {
	var waiting [maxNodes * maxNodes]int
	n := len(c.nodes)
	for l := range n * n {
		f, t := c.net.Link(l)
		if from.has(uint64(f+1)) && to.has(uint64(t+1)) && !c.net.Cut(f, t) {
			waiting[l] = c.net.Waiting(f, t)
		}
	}
	for l := range n * n {
		for range waiting[l] {
			if n := c.deliver(l); n != nil {
				n.drain()
			}
		}
	}
}

func (c *cluster) drop(e sim.Event) {
	link := c.net.Busy(int(e.A))
	if link < 0 {
		return
	}
	for range [...]int{1, 1, 2, sim.MaxQueue}[e.B%4] {
		m := c.net.Take(link)
		if m == nil {
			return
		}
		if ijon.Tracing() {
			ijon.Logf("       drop %s", describe(m.(*pb.Message)))
		}
	}
}

func (c *cluster) duplicate(e sim.Event) {
	if link := c.net.Busy(int(e.A)); link >= 0 {
		c.net.Duplicate(link, c.copyMessage)
	}
}

func (c *cluster) reorder(e sim.Event) {
	if link := c.net.Busy(int(e.A)); link >= 0 {
		c.net.Reorder(link, 1+int(e.B%8))
	}
}

// partition replaces the cuts that there are by others: round one node, or
// between a set of nodes and the rest; in both directions, or in one.
func (c *cluster) partition(e sim.Event) {
	side := uint32(e.C)
	if e.B&4 == 0 {
		if n := c.pick(e.A); n != nil {
			side = uint32(single(n.id))
		}
	}
	all := uint32(1)<<len(c.nodes) - 1
	c.net.Heal()
	if e.B&3 != 1 {
		c.cut(side&all, all&^side)
	}
	if e.B&3 != 2 {
		c.cut(all&^side, side&all)
	}
	c.changedNetwork()
}

func (c *cluster) cut(from, to uint32) {
	if ijon.Tracing() {
		ijon.Logf("       cut from %v to %v", set(from).ids(), set(to).ids())
	}
	c.net.Partition(from, to)
}

func (c *cluster) heal(sim.Event) {
	c.net.Heal()
	c.changedNetwork()
}

func (c *cluster) proposeOne(e sim.Event) {
	if n := c.pick(e.A); n != nil {
		c.propose(n, [...]int{8, 8, 16, maxPayload}[e.B%4])
		c.after(n, e)
	}
}

func (c *cluster) readOne(e sim.Event) {
	if n := c.pick(e.A); n != nil {
		c.read(n)
		c.after(n, e)
	}
}

func (c *cluster) crash(e sim.Event) {
	n := c.pick(e.A)
	if n == nil || tolerance == passNatural && n.leadsUnwritten() {
		return
	}
	at, lose, again := crashPoint(e.B&3), e.B&4 != 0, e.B&8 != 0
	if ijon.Tracing() {
		n.logf("crashes; of a pending Ready: %s; what was not synced is lost: %v; restarts at once: %v", crashPointNames[at], lose, again)
	}
	n.crash(at, lose)
	if again {
		n.start()
		n.drain()
	}
}

// restart starts the first node from A on that is down.
func (c *cluster) restart(e sim.Event) {
	for i := range c.nodes {
		n := &c.nodes[(int(e.A)+i)%len(c.nodes)]
		if !n.up() {
			if ijon.Tracing() {
				n.logf("restarts")
			}
			n.start()
			c.after(n, e)
			c.reach(restarts)
			return
		}
	}
}

func (c *cluster) compact(e sim.Event) {
	if n := c.pick(e.A); n != nil {
		if ijon.Tracing() {
			n.logf("makes a snapshot at %d and compacts its log", n.app.index)
		}
		n.compact([...]uint64{0, 0, 1, 4}[e.B%4])
		c.changed(n)
	}
}

func (c *cluster) transfer(e sim.Event) {
	n := c.pick(e.A)
	if n == nil {
		return
	}
	if to := n.app.conf.members().choose(int(e.B)); to != 0 {
		if ijon.Tracing() {
			n.logf("is asked to transfer the lead to node %d", to)
		}
		n.raw.TransferLeader(to)
		n.checkTransfer()
		c.after(n, e)
	}
}

func (c *cluster) campaign(e sim.Event) {
	if n := c.pick(e.A); n != nil {
		if ijon.Tracing() {
			n.logf("is told to campaign")
		}
		_ = n.raw.Campaign()
		c.after(n, e)
	}
}

func (c *cluster) forget(e sim.Event) {
	if n := c.pick(e.A); n != nil {
		if ijon.Tracing() {
			n.logf("is told to forget its leader")
		}
		_ = n.raw.ForgetLeader()
		c.after(n, e)
	}
}

func (c *cluster) unreachable(e sim.Event) {
	if n := c.pick(e.A); n != nil {
		to := uint64(e.B)%uint64(len(c.nodes)) + 1
		if ijon.Tracing() {
			n.logf("is told that node %d is unreachable", to)
		}
		n.raw.ReportUnreachable(to)
		c.after(n, e)
	}
}

func (c *cluster) snapStatus(e sim.Event) {
	n := c.pick(e.A)
	if n == nil {
		return
	}
	status := raft.SnapshotFinish
	if e.B&0x80 != 0 {
		status = raft.SnapshotFailure
	}
	to := uint64(e.B)%uint64(len(c.nodes)) + 1
	if ijon.Tracing() {
		n.logf("is told that its snapshot reached node %d: %v", to, status == raft.SnapshotFinish)
	}
	n.raw.ReportSnapshot(to, status)
	c.after(n, e)
}

func (c *cluster) copyMessage(m interface{}) interface{} { return c.mem.clone(m.(*pb.Message)) }
