package etcdraft

import (
	"flag"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/sim"
)

var (
	schedules = flag.Int("schedules", 400, "random schedules of TestRulesHold")
	inputsOf  = flag.String("campaign", "", "folder of a campaign with inputs for TestRulesHold")
)

// rareBins are those of points for which 400 schedules are too few.
var rareBins = []string{"LLP", "LLPC"}

// TestRulesHold plays random schedules and looks, at every sample, whether a
// rule that leaves tuples out of the crosses is broken, and in the end whether
// every point has been in every bin. With -schedules 20000 -v it tells which
// share of each cross random schedules reach. With -campaign it plays the inputs
// of a campaign as well, which come to states that random ones do not.
func TestRulesHold(t *testing.T) {
	c := newCluster()
	s := newSamples(t, c)
	rng := rand.New(rand.NewSource(1))
	play := func(data []byte) {
		c.playEvents(data)
		if t.Failed() {
			t.Fatalf("input %x", data)
		}
	}
	var data []byte
	for range *schedules {
		data = sim.Random(rng, format.Layout(), 400, data)
		play(data)
	}
	for _, data := range readCorpus(t) {
		play(data)
	}
	for p, point := range clusterPoints {
		for bin, name := range point.bins {
			if !s.bins[p][bin] && !slices.Contains(rareBins, name) {
				t.Errorf("%s is never %s", point.name, name)
			}
		}
	}
	for _, x := range clusterCrosses {
		t.Logf("%-12s %4d of %4d tuples are possible, %4d were reached", x.name, x.size()-len(impossible(x.axes)), x.size(), len(s.tuples[x.name]))
	}
}

// readCorpus reads the inputs that the flag names.
func readCorpus(t *testing.T) (inputs [][]byte) {
	if *inputsOf == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(*inputsOf, "*", "queue", "id:*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no inputs in %s, %v", *inputsOf, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, data)
	}
	return inputs
}

// TestEveryRuleExcludes has each rule leave out a tuple that no other does.
func TestEveryRuleExcludes(t *testing.T) {
	all := rules
	defer func() { rules = all }()
	total := 0
	for _, x := range clusterCrosses {
		total += len(impossible(x.axes))
	}
	for i, r := range all {
		rules = slices.Delete(slices.Clone(all), i, i+1)
		fewer := 0
		for _, x := range clusterCrosses {
			fewer += len(impossible(x.axes))
		}
		if fewer == total {
			t.Errorf("without the rule as many tuples are left out: %s", r.why)
		}
	}
}

// samples checks and collects what is sampled of a cluster.
type samples struct {
	t      *testing.T
	c      *cluster
	bins   [numPoints][]bool
	tuples map[string]map[string]bool // by cross
	run    uint64
	before [maxNodes]stand // of the nodes, in this run
}

func newSamples(t *testing.T, c *cluster) *samples {
	s := &samples{t: t, c: c, tuples: map[string]map[string]bool{}}
	for p, point := range clusterPoints {
		s.bins[p] = make([]bool, len(point.bins))
	}
	for _, x := range clusterCrosses {
		s.tuples[x.name] = map[string]bool{}
	}
	c.watch = s.look
	return s
}

func (s *samples) look() {
	b := &s.c.state.bins
	if r := broken(b, everyPoint()); r != nil {
		s.t.Errorf("not so: %s: %s", r.why, binNames(b, everyPoint()))
	}
	for p, bin := range b {
		if bin >= 0 {
			s.bins[p][bin] = true
		}
	}
	for _, x := range clusterCrosses {
		if tuple := binNames(b, x.axes); tuple != "" {
			s.tuples[x.name][tuple] = true
		}
	}
	s.lookAtNodes()
}

func (s *samples) lookAtNodes() {
	if s.run != s.c.runs {
		s.run, s.before = s.c.runs, [maxNodes]stand{}
	}
	for i, now := range s.c.state.stands {
		if !now.known {
			continue
		}
		role, lead, place := now.bins[nRole], now.bins[nLead], now.bins[nPlace]
		if !stands(role, lead, place) {
			s.t.Errorf("node %d is %s and %s, and believes %s", i+1,
				nodePoints[nRole].bins[role], nodePoints[nPlace].bins[place], nodePoints[nLead].bins[lead])
		}
		for _, path := range impossibleSteps() {
			if s.before[i].known && s.before[i].bins[nRole] == path.Steps[0].Bin && role == path.Steps[1].Bin {
				s.t.Errorf("node %d is %s at once after it was down", i+1, nodePoints[nRole].bins[role])
			}
		}
		s.before[i] = now
	}
}

func everyPoint() (points []int) {
	for p := range numPoints {
		points = append(points, p)
	}
	return points
}

// binNames shows the bins of points; it is empty if one of a cross is not
// sampled.
func binNames(b *[numPoints]int, points []int) string {
	var names []string
	for _, p := range points {
		switch {
		case b[p] >= 0:
			names = append(names, clusterPoints[p].bins[b[p]])
		case len(points) < numPoints:
			return ""
		}
	}
	return strings.Join(names, "*")
}
