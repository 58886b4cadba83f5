package report

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ijongo/ijongo/cover"
)

// raftData is a report with some of everything: what a campaign of a few
// minutes on a cluster leaves.
func raftData(t testing.TB) Data {
	source, err := os.ReadFile("testdata/node.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	return Data{
		Title:    "FuzzCluster",
		Profile:  raftProfile(),
		Samples:  raftSamples(),
		Failures: raftFailures(),
		Command:  func(first string) string { return "ijongo replay .ijongo/FuzzCluster/coverage/inputs/" + first },
		Source: func(file string) ([]byte, error) {
			if file == "node.go" {
				return source, nil
			}
			return nil, &fs.PathError{Op: "open", Path: file, Err: errors.New("no such file or directory")}
		},
	}
}

const raftPackage = "example.com/raft"

func raftProfile() *cover.Profile {
	m := &maker{random: rand.New(rand.NewSource(1))}
	role := m.item("point", "node", "role", "n.Role", "node.go:18:3", "Follower", "PreCandidate", "Candidate", "Leader")
	lead := m.item("point", "node", "lead", "n.Lead", "node.go:18:3", "none", "self", "other")
	lag := m.item("point", "node", "lag", "n.Last - n.Commit", "node.go:19:3", "0", "1", "2..3", "4..7", "8..15", "16..")
	votes := m.item("point", "node", "quorum", "quorum(n)", "node.go:18:3", "single", "simple", "joint", "joint+learner")
	for _, i := range []*cover.Item{role, lead, lag, votes} {
		m.hit(i, 0.85)
	}
	roleLead := m.cross("node", role, lead)
	m.hit(roleLead, 0.6)
	deep := m.cross("node", role, lag, votes)
	m.hit(deep, 0.45)
	never := m.bin(deep, 3)
	never.Kind, never.Hits, never.First, never.When = cover.Never, 0, "", 0
	m.transitions(role)
	seq := m.item("seq", "node", "deposed", "role == Leader ~> role == Follower => role == Candidate", "node.go:20:3",
		"1/3 role == Leader", "2/3 role == Follower", "3/3 role == Candidate", "vacuous")
	seq.Bins[3].Kind = cover.Info
	for k, n := range []uint64{1843, 1217, 3, 90321} {
		m.set(seq, k, n)
	}
	always := m.item("always", "", "appliedIsCommitted", "n.Applied <= n.Commit", "node.go:40:2", "evaluated", "true", "false")
	always.Bins[0].Kind, always.Bins[2].Kind = cover.Info, cover.Never
	m.set(always, 0, 812345)
	m.set(always, 1, 812344)
	m.set(always, 2, 1)
	sometimes := m.item("sometimes", "", "campaignsBeforeApplying", "n.Applied < n.Commit", "node.go:22:2", "evaluated", "true")
	sometimes.Bins[0].Kind = cover.Info
	sometimes.Rare, sometimes.Doc = true, "needs a snapshot under way"
	return &cover.Profile{
		Module: "example.com/raft", Manifest: "9f2c01d34ab8e671", Runs: 1204377, Time: 10*time.Minute + 12*time.Second,
		Items: append(m.items, m.tracker()), Edges: raftEdges(),
	}
}

// A maker makes items with hits.
type maker struct {
	random *rand.Rand
	items  []*cover.Item
}

func (m *maker) item(kind, group, name, expr, pos string, bins ...string) *cover.Item {
	i := &cover.Item{Kind: kind, Package: raftPackage, Group: group, Name: name, Expr: expr, Pos: pos, Key: kind + "." + name}
	for _, b := range bins {
		i.Bins = append(i.Bins, cover.Bin{Name: b})
	}
	m.items = append(m.items, i)
	return i
}

// cross adds the product of points.
func (m *maker) cross(group string, points ...*cover.Item) *cover.Item {
	var names []string
	for _, p := range points {
		names = append(names, p.Name)
	}
	name := strings.Join(names, "*")
	i := m.item("cross", group, name, name, "node.go:20:3")
	i.Bins = []cover.Bin{{}}
	for _, p := range points {
		axis := cover.Axis{Name: p.Name}
		var product []cover.Bin
		for _, b := range p.Bins {
			axis.Bins = append(axis.Bins, b.Name)
		}
		for _, tuple := range i.Bins {
			for k, b := range p.Bins {
				name := strings.TrimPrefix(tuple.Name+"*"+b.Name, "*")
				product = append(product, cover.Bin{Name: name, At: append(append([]int{}, tuple.At...), k)})
			}
		}
		i.Axes, i.Bins = append(i.Axes, axis), product
	}
	return i
}

// transitions adds the transitions between all bins of a point.
func (m *maker) transitions(point *cover.Item) {
	i := m.item("trans", "node", point.Name, "all", "node.go:18:3")
	taken := map[string]uint64{
		"Follower=>PreCandidate": 90211, "PreCandidate=>Candidate": 60812, "Candidate=>Leader": 30410,
		"Leader=>Follower": 12077, "Candidate=>Follower": 8100, "PreCandidate=>Follower": 21190, "Follower=>Candidate": 2,
	}
	for a, from := range point.Bins {
		for b, to := range point.Bins {
			if a != b {
				i.Bins = append(i.Bins, cover.Bin{Name: from.Name + "=>" + to.Name, At: []int{a, b}})
				m.set(i, len(i.Bins)-1, taken[from.Name+"=>"+to.Name])
			}
		}
	}
}

// tracker is an item of another package.
func (m *maker) tracker() *cover.Item {
	i := m.item("point", "progress", "state", "pr.State", "tracker/progress.go:77:2", "Probe", "Replicate", "Snapshot")
	m.items = m.items[:len(m.items)-1]
	i.Package = raftPackage + "/tracker"
	m.set(i, 0, 120)
	m.set(i, 1, 8000)
	m.set(i, 2, 4)
	return i
}

// hit hits a share of the bins, those in front more often than those behind.
func (m *maker) hit(i *cover.Item, share float64) {
	for k := range i.Bins {
		if m.random.Float64() < share*float64(len(i.Bins)-k/2)/float64(len(i.Bins)) {
			m.set(i, k, uint64(m.random.ExpFloat64()*40000/float64(k+1))+1)
		}
	}
}

func (m *maker) set(i *cover.Item, k int, hits uint64) {
	b := m.bin(i, k)
	if b.Hits = hits; hits > 0 {
		b.First = fmt.Sprintf("%016x", m.random.Uint64())
		b.When = time.Duration(m.random.ExpFloat64() * float64(time.Minute))
	}
}

func (m *maker) bin(i *cover.Item, k int) *cover.Bin { return &i.Bins[k] }

func raftEdges() []*cover.Edge {
	edges := []*cover.Edge{
		{Func: "(*Node).Step", Kind: "func", Pos: "node.go:21:44", Hits: 1204377},
		{Func: "(*Node).Step", Kind: "then", Pos: "node.go:22:21", Hits: 40211},
		{Func: "(*Node).Step", Kind: "else", Pos: "node.go:24:9", Hits: 1164166},
		{Func: "(*Node).Step", Kind: "then", Pos: "node.go:24:28", Hits: 811},
		{Func: "(*Node).Step", Kind: "case", Pos: "node.go:28:2", Hits: 30218},
		{Func: "(*Node).Step", Kind: "then", Pos: "node.go:29:46", Hits: 12004},
		{Func: "(*Node).Step", Kind: "else", Pos: "node.go:29:3", Hits: 18214},
		{Func: "(*Node).Step", Kind: "right", Pos: "node.go:29:24", Hits: 0},
		{Func: "(*Node).Step", Kind: "case", Pos: "node.go:33:2", Hits: 900112},
		{Func: "(*Node).Step", Kind: "case", Pos: "node.go:35:2", Hits: 0},
		{Func: "(*Node).Step", Kind: "then", Pos: "node.go:36:52", Hits: 0},
		{Func: "(*Node).Step", Kind: "loop", Pos: "node.go:41:33", Hits: 700310},
		{Func: "(*Node).Step", Kind: "then", Pos: "node.go:42:18", Hits: 0},
		{Func: "(*Node).becomeFollower", Kind: "func", Pos: "node.go:49:50", Hits: 40211},
		{Package: "tracker", Func: "(*Progress).Next", Kind: "func", Pos: "tracker/progress.go:80:30", Hits: 11},
		{Package: "tracker", Func: "(*Progress).Next", Kind: "then", Pos: "tracker/progress.go:81:12", Hits: 0},
	}
	for _, e := range edges {
		if e.Package == "" {
			e.Package = raftPackage
		} else {
			e.Package = raftPackage + "/tracker"
		}
	}
	return edges
}

func raftSamples() (samples []Sample) {
	random := rand.New(rand.NewSource(2))
	counts := []Count{{"corpus", 9}, {"edges", 400}, {"cells", 0}, {"pairs", 0}, {"bins", 3}}
	term, gap := uint64(1), 40
	for n := range 306 {
		for k := range counts {
			if random.Float64() < 4/(1+float64(n)/6) {
				counts[k].N += uint64(random.Intn(20 * (k + 1)))
			}
		}
		if random.Intn(12) == 0 {
			term += uint64(random.Intn(3))
			gap = max(0, gap-random.Intn(4))
		}
		failures := 0
		if n > 200 {
			failures = 1
		}
		samples = append(samples, Sample{
			Elapsed: time.Duration(n) * 2 * time.Second, Runs: uint64(n) * 3936, Failures: failures,
			Counts: append([]Count{}, counts...),
			Best:   []Best{{"max", "termAtElection", strconv.FormatUint(term, 10)}, {"sometimes", "campaignsBeforeApplying", "gap " + strconv.Itoa(gap)}},
			Arms:   []Arm{{"random", 0.3 + 0.2*random.Float64()}, {"archive", 0.3}, {"edges", 0.1}, {"max", 0.08}},
		})
	}
	return samples
}

func raftFailures() []Failure {
	return []Failure{{
		Title:   "stale read: node 2 answered index 4, committed was 5",
		Key:     "stale read",
		Note:    "20 of 20 runs, 32 events (found with 411)",
		Text:    "node 2 answered a linearizable read with index 4\n\tcommitted was 5 when it was asked",
		Command: "ijongo replay .ijongo/FuzzCluster/failures/stale-read-1b2c3d4e",
		Timeline: []string{
			"   0 tick     1      election timeout",
			"   1 deliver  1→2    MsgVote term 2",
			"   2 deliver  2→1    MsgVoteResp term 2",
			"   3 propose  1      remove node 1",
			"   4 read     1      ctx 7",
			"     ijon max terms: 2",
			"violated: stale read",
		},
	}}
}

// largeData is a report of about so many bins: crosses of 500, a third of
// them holes.
func largeData(bins int) Data {
	m := &maker{random: rand.New(rand.NewSource(3))}
	const per = 500
	for n := 0; n*per < bins; n++ {
		group := "group" + strconv.Itoa(n%7)
		x := m.cross(group, numbered("state", "S", 10), numbered("lag", "L", 10), numbered("kind"+strconv.Itoa(n), "K", 5))
		x.Key += strconv.Itoa(n)
		m.hit(x, 0.9)
	}
	return Data{
		Title: "large", Profile: &cover.Profile{Module: "example.com/large", Runs: 1, Time: time.Minute, Items: m.items},
		Command: func(first string) string { return "ijongo replay .ijongo/FuzzLarge/coverage/inputs/" + first },
	}
}

// numbered is a point with n bins.
func numbered(name, prefix string, n int) *cover.Item {
	i := &cover.Item{Name: name}
	for k := range n {
		i.Bins = append(i.Bins, cover.Bin{Name: prefix + strconv.Itoa(k)})
	}
	return i
}

// oneCross is a report of one cross of two points with many bins.
func oneCross(a, b int) Data {
	m := &maker{random: rand.New(rand.NewSource(4))}
	m.hit(m.cross("wide", numbered("a", "A", a), numbered("b", "B", b)), 0.7)
	return Data{Profile: &cover.Profile{Module: "example.com/wide", Items: m.items}, Command: func(first string) string { return "ijongo replay " + first }}
}
