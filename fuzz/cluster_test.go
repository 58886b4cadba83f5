package fuzz

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A cluster is a small protocol for comparing what guides a search: three
// nodes elect leaders, replicate a log, are cut off and restart. Most bins of
// its crosses are rare in random schedules.
type cluster struct {
	nodes    [nodes]node
	commit   int
	restarts int
}

type node struct {
	role role
	term int
	log  int // entries
	own  int // and of those, the ones that only this node has
	cut  bool
}

type role int

const (
	follower role = iota
	candidate
	leader
)

const nodes = 3

var clusterLayout = ijon.Layout{Record: 2, Kinds: []ijon.Kind{
	{Name: "campaign", Weight: 1}, {Name: "append", Weight: 4}, {Name: "replicate", Weight: 6},
	{Name: "cut", Weight: 1}, {Name: "heal", Weight: 2}, {Name: "restart", Weight: 1},
}}

// play plays a schedule; sampled is called after each event on a node.
func play(in []byte, sampled func(c *cluster, n int)) {
	var c cluster
	for ; len(in) >= 2; in = in[2:] {
		n := int(in[1]) % nodes
		c.event(int(in[0])%len(clusterLayout.Kinds), n, int(in[1])/nodes)
		sampled(&c, n)
		ijon.Step()
	}
}

func (c *cluster) event(kind, at, b int) {
	n := &c.nodes[at]
	switch kind {
	case 0:
		c.campaign(n)
	case 1:
		if n.role == leader && n.log < 100 {
			n.log++
			n.own++
		}
	case 2:
		c.replicate(n, &c.nodes[(at+1+b%2)%nodes], 1+b/2%4)
	case 3:
		n.cut = true
	case 4:
		n.cut = false
	case 5:
		n.role = follower
		c.restarts++
	}
}

func (c *cluster) campaign(n *node) {
	if n.role == leader {
		return
	}
	n.term, n.role = n.term+1, candidate
	votes := 1
	for i := range c.nodes {
		if o := &c.nodes[i]; o != n && !o.cut && !n.cut && o.log-o.own <= n.log && o.term < n.term {
			o.term, o.role = n.term, follower
			votes++
		}
	}
	if votes > nodes/2 {
		n.role = leader
	}
}

func (c *cluster) replicate(from, to *node, most int) {
	if from.role != leader || from.cut || to.cut {
		return
	}
	if to.term > from.term {
		from.role, from.term = follower, to.term
		return
	}
	to.role, to.term = follower, from.term
	to.log, to.own = least(to.log-to.own+most, from.log), 0
	if from.own > 0 && to.log > from.log-from.own {
		from.own = from.log - to.log
		c.commit = to.log
	}
}

// The points of the cluster, and how many bins each has.
const (
	pLeaders = iota
	pLag
	pTail
	pCut
	pRestarts
	pRole
	numPoints
)

var points = [numPoints]struct {
	name string
	bins int
}{{"leaders", 3}, {"lag", 5}, {"tail", 5}, {"cut", 4}, {"restarts", 4}, {"role", 3}}

func (c *cluster) sample(n int) (at [numPoints]int) {
	least, most := c.nodes[0].log, 0
	for i := range c.nodes {
		o := &c.nodes[i]
		if o.role == leader && at[pLeaders] < 2 {
			at[pLeaders]++
		}
		if o.cut {
			at[pCut]++
		}
		if o.log < least {
			least = o.log
		}
		if o.log > most {
			most = o.log
		}
	}
	at[pLag] = log2(most-least, 5)
	at[pTail] = log2(c.nodes[n].own, 5)
	at[pRestarts] = log2(c.restarts, 4)
	at[pRole] = int(c.nodes[n].role)
	return at
}

// log2 is the bin of n out of 0, 1, 2..3, 4..7 and so on.
func log2(n, bins int) int { return least(bits.Len(uint(n)), bins-1) }

// clusterSpec is the group of the points. What observes guides nothing.
func clusterSpec(name string, observe bool) ijon.GroupSpec {
	spec := ijon.GroupSpec{Name: name, By: "node", Clauses: ijon.Clauses{Observe: observe}}
	for _, p := range points {
		s := ijon.PointSpec{ItemSpec: ijon.ItemSpec{Name: p.name}}
		for bin := 0; bin < p.bins; bin++ {
			s.Bins = append(s.Bins, ijon.BinInfo{Name: fmt.Sprint(bin)})
		}
		spec.Points = append(spec.Points, s)
	}
	cross := func(name string, points ...int) {
		s := ijon.CrossSpec{ItemSpec: ijon.ItemSpec{Name: name}}
		for _, p := range points {
			s.Axes = append(s.Axes, ijon.AxisSpec{Point: p})
		}
		spec.Crosses = append(spec.Crosses, s)
	}
	cross("logs", pLeaders, pLag, pTail, pCut)
	cross("roles", pRole, pTail, pCut, pRestarts)
	spec.Trans = []ijon.TransSpec{{ItemSpec: ijon.ItemSpec{Name: "role"}, Point: pRole, All: true}}
	spec.Events = []string{"leads", "cut", "follows"}
	spec.Seqs = []ijon.SeqSpec{{ItemSpec: ijon.ItemSpec{Name: "deposed"}, Steps: []ijon.SeqStep{{Event: 0}, {Event: 1}, {Event: 2}}}}
	return spec
}

func (n *node) events() (bits uint64) {
	for i, holds := range []bool{n.role == leader, n.cut, n.role == follower} {
		if holds {
			bits |= 1 << uint(i)
		}
	}
	return bits
}

var (
	guiding   = ijon.DeclareGroup(clusterSpec("guiding", false))
	observing = ijon.DeclareGroup(clusterSpec("observing", true))
	held      = func() (ids [numPoints]ijon.ID) {
		for i, p := range points {
			ids[i] = ijon.Declare(ijon.VerbSet, "held "+p.name)
		}
		return ids
	}()
)

// guided samples the group whose crosses guide.
func guided(_ *testing.T, in []byte) {
	play(in, func(c *cluster, n int) {
		at := c.sample(n)
		guiding.Sample(uint64(n), c.nodes[n].events(), at[:]...)
	})
}

// paired holds the points as sets, of which pairs guide.
func paired(_ *testing.T, in []byte) {
	play(in, func(c *cluster, n int) {
		at := c.sample(n)
		observing.Sample(uint64(n), c.nodes[n].events(), at[:]...)
		for i, id := range held {
			ijon.Set(id, ijon.HashInt(ijon.Hash, int64(at[i])))
		}
	})
}

// TestDeclaredBinsAreFoundSooner gives all searches the same runs.
func TestDeclaredBinsAreFoundSooner(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		config := wire.Config{Seed: seed, Execs: 2000, MaxLen: 800}
		random := conduct(t, t, config, clusterLayout, guided).goalsSeen()
		config.Feedback = everyChannel
		pairs := conduct(t, t, config, clusterLayout, paired).goalsSeen()
		crosses := conduct(t, t, config, clusterLayout, guided).goalsSeen()
		t.Logf("seed %d: random covers %d bins, pairs of points %d, crosses %d", seed, random, pairs, crosses)
		if crosses <= pairs || crosses <= random {
			t.Errorf("seed %d: crosses do not help", seed)
		}
	}
}

// goalsSeen is how many goals the search has hit.
func (c *campaign) goalsSeen() (n int) {
	for _, b := range c.search.seen.goals.bins {
		if b.wanted && b.seen {
			n++
		}
	}
	return n
}

// BenchmarkGuidance is the bins that a search of 1000 runs of at most 400
// events covers, one search an operation: with random schedules, with pairs of
// points as cells, with the bins of crosses, and of those towards holes too.
func BenchmarkGuidance(b *testing.B) {
	for _, arm := range []struct {
		name     string
		feedback []string
		play     func(*testing.T, []byte)
		holes    int
	}{
		{"random", nil, guided, 0},
		{"pairs", everyChannel, paired, 0},
		{"crosses", everyChannel, guided, 0},
		{"holes", everyChannel, guided, 50},
	} {
		b.Run(arm.name, func(b *testing.B) {
			sum := 0
			hostTest(b, func(t *testing.T) {
				for seed := 1; seed <= b.N; seed++ {
					config := wire.Config{Seed: uint64(seed), Execs: 1000, MaxLen: 800, Feedback: arm.feedback}
					c := conductAs(b, t, config, clusterLayout, arm.play, func(s *search) { s.holes = arm.holes })
					sum += c.goalsSeen()
				}
			})
			b.ReportMetric(float64(sum)/float64(b.N), "bins")
		})
	}
}
