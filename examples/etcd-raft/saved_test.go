package etcdraft

import (
	"flag"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

var saves = flag.Int("saves", 300, "schedules of TestSaved")

// needsSaver skips a test that saves, but in an instrumented copy. README.md says
// how to run it there.
func needsSaver(t testing.TB) {
	if offeredSaver() == nil {
		t.Skip("only an instrumented copy of raft can be saved: see Save and load in README.md")
	}
}

// A witness plays the events of a cluster and keeps a hash of its state after
// each.
type witness struct {
	*cluster
	trace []uint64
	saved map[string]int // states, by what is in them
}

func (w *witness) Play(e sim.Event) *sim.Violation {
	v := w.cluster.Play(e)
	w.trace = append(w.trace, w.hash())
	return v
}

// Save notes what there is to save. It asks raft nothing: that would count edges.
func (w *witness) Save(old any) any {
	c := w.cluster
	w.saved[fmt.Sprintf("%d nodes", c.conf.nodes)]++
	w.saved["under"+className(c.conf.class())]++
	note := func(what string, holds bool) {
		if holds {
			w.saved[what]++
		}
	}
	note("messages", c.net.InFlight() > 0)
	note("async storage", c.conf.raft.AsyncStorageWrites)
	for i := range c.nodes {
		n := &c.nodes[i]
		note("a node that is down", !n.up())
		note("a leader", n.role == raft.StateLeader)
		note("a joint configuration", n.app.conf.joint())
		note("a snapshot", n.snapshot.index > 1)
		note("a compacted log", n.log.base > 1)
		note("a hard state that is not synced", n.hard != n.durable)
		note("reads that wait", n.waiting > 0)
	}
	return c.Save(old)
}

// hash is more of the state than the digest of the run, which it contains:
// messages on the wire, and what oracles, facts, features and groups remember.
func (w *witness) hash() uint64 {
	c := w.cluster
	h := ijon.HashUint(c.digest, c.reached)
	for _, v := range [...]uint64{uint64(c.known), c.proposals, c.applied, uint64(c.epochs), uint64(c.history.answered)} {
		h = ijon.HashUint(h, v)
	}
	for _, v := range c.state.held {
		h = ijon.HashUint(h, uint64(v))
	}
	for _, v := range c.state.bins {
		h = ijon.HashInt(h, int64(v))
	}
	for i := range c.state.stands {
		h = ijon.HashAny(h, c.state.stands[i])
	}
	c.net.Visit(func(from, to int, msg any) {
		m := msg.(*pb.Message)
		for _, v := range [...]uint64{uint64(from<<8 | to), uint64(m.GetType()), m.GetTerm(), m.GetIndex(), m.GetLogTerm(), m.GetCommit()} {
			h = ijon.HashUint(h, v)
		}
		for _, e := range m.GetEntries() {
			h = ijon.HashUint(h, entryHash(e))
		}
	})
	return h
}

// An outcome is all that is seen of a run: the trace from an event on, what was
// violated, and the feedback.
type outcome struct {
	trace     []uint64
	violation string
	hits      []string
	edges     []byte
}

// run plays an input as an engine does and tells what came of it from an event
// on.
func (w *witness) run(p *sim.Player, data []byte) *outcome {
	clear(ijon.Counters())
	w.trace = w.trace[:0]
	ijon.Begin(0)
	v := p.Play(data)
	ijon.End()
	o := &outcome{trace: slices.Clone(w.trace), violation: fmt.Sprint(v), edges: slices.Clone(ijon.Counters())}
	var run ijon.Run
	for _, c := range run.Cells(nil) {
		o.hits = append(o.hits, fmt.Sprint("cell ", c, run.Hits(c.Element)))
	}
	for _, b := range run.Covered(nil) {
		o.hits = append(o.hits, fmt.Sprint("bin ", b, run.BinHits(b.Element)))
	}
	for _, s := range run.Slots(nil) {
		o.hits = append(o.hits, fmt.Sprint("slot ", s))
	}
	slices.Sort(o.hits)
	return o
}

// check compares a run with a part of it, which began at an event.
func (o *outcome) check(t *testing.T, part *outcome, from int) {
	t.Helper()
	if want := o.trace[min(from, len(o.trace)):]; !slices.Equal(part.trace, want) {
		i := 0
		for i < len(want) && i < len(part.trace) && want[i] == part.trace[i] {
			i++
		}
		t.Fatalf("saved after %d events; it differs %d events later (%d were played, want %d)", from, i, len(part.trace), len(want))
	}
	switch {
	case part.violation != o.violation:
		t.Fatalf("saved after %d events: %s, want %s", from, part.violation, o.violation)
	case !slices.Equal(part.hits, o.hits):
		t.Fatalf("saved after %d events: another feedback", from)
	case !slices.Equal(part.edges, o.edges):
		t.Fatalf("saved after %d events: other edges", from)
	}
}

// TestSaved plays random schedules under all settings, saves after a random
// event, plays on to the end, and loads what was saved: again and again, with
// other runs in between, going on otherwise, and saving to the memory from
// which it was loaded. What follows the event must be as it was, each time.
// -saves 10000 takes some minutes.
func TestSaved(t *testing.T) {
	needsSaver(t)
	ijon.Enable()
	w := &witness{cluster: newCluster(), saved: map[string]int{}}
	w.digesting = true
	p := sim.NewPlayer(&format, w)
	defer ijon.Snapshots(nil)
	rng := rand.New(rand.NewSource(1))
	random := func(events int) []byte { return sim.Random(rng, format.Layout(), events, nil) }
	var first, second, third ijon.Saved
	for range *saves {
		events := []int{30, 200, 400, 800}[rng.Intn(4)]
		data := random(events)
		at := 1 + rng.Intn(events)
		ijon.ResumeFrom(nil)
		ijon.SaveAt(at, &first)
		whole := w.run(p, data)
		if !first.Ready() { // a violation ended it before
			continue
		}
		resume := func(from *ijon.Saved, data []byte) *outcome {
			ijon.ResumeFrom(from)
			return w.run(p, data)
		}
		whole.check(t, resume(&first, data), at)
		if rng.Intn(2) == 0 {
			ijon.SaveAt(1+rng.Intn(100), &third)
			resume(nil, random(100))
		}
		// On from there otherwise, and then again.
		resume(&first, append(slices.Clip(data[:len(data)-(events-at)*4]), random(100)[16:]...))
		later := at + rng.Intn(events-at+1)
		ijon.SaveAt(later, &second)
		whole.check(t, resume(&first, data), at)
		if second.Ready() {
			whole.check(t, resume(&second, data), later)
			if third.Ready() {
				resume(&third, random(100))
			}
			ijon.SaveAt(later, &first) // over the state that it begins with
			whole.check(t, resume(&first, data), at)
			whole.check(t, resume(&first, data), later)
		}
	}
	ijon.ResumeFrom(nil)
	t.Logf("saved: %v", w.saved)
	if want := 2 + classes + 9; len(w.saved) != want {
		t.Errorf("saved %d sorts of states, want %d", len(w.saved), want)
	}
}

// TestSavedTimeline compares the timelines, which hold every message and every
// line that raft logs. What the runtime adds is another matter: it names values
// that it has seen before.
func TestSavedTimeline(t *testing.T) {
	needsSaver(t)
	ijon.Enable()
	w := &witness{cluster: newCluster(), saved: map[string]int{}}
	p := sim.NewPlayer(&format, w)
	defer ijon.Snapshots(nil)
	defer ijon.Trace(nil)
	rng := rand.New(rand.NewSource(2))
	var lines []string
	ijon.Trace(func(line string) {
		if !strings.HasPrefix(line, "    ijon ") {
			lines = append(lines, line)
		}
	})
	var state ijon.Saved
	for range 30 {
		data := sim.Random(rng, format.Layout(), 200, nil)
		at := 1 + rng.Intn(200)
		lines = nil
		ijon.ResumeFrom(nil)
		ijon.SaveAt(at, &state)
		w.run(p, data)
		if !state.Ready() {
			continue
		}
		whole := lines
		lines = nil
		ijon.ResumeFrom(&state)
		w.run(p, data)
		if n := len(whole) - len(lines); n < 0 || !slices.Equal(whole[n:], lines) {
			t.Fatalf("saved after %d events: another timeline", at)
		}
	}
	ijon.ResumeFrom(nil)
}

// BenchmarkSave saves and loads the states that random schedules of 400 events
// end in, each a hundred times.
func BenchmarkSave(b *testing.B) {
	needsSaver(b)
	for _, nodes := range []int{3, 5} {
		b.Run(fmt.Sprintf("nodes=%d/save", nodes), func(b *testing.B) {
			var state any
			benchmarkStates(b, nodes, func(c *cluster) { state = c.Save(state) })
		})
		b.Run(fmt.Sprintf("nodes=%d/new", nodes), func(b *testing.B) { // B/op is the size of a state
			benchmarkStates(b, nodes, func(c *cluster) { c.Save(nil) })
		})
		b.Run(fmt.Sprintf("nodes=%d/load", nodes), func(b *testing.B) {
			var state any
			benchmarkStates(b, nodes, func(c *cluster) {
				if s, _ := state.(*savedCluster); s == nil || s.run != c.run {
					b.StopTimer()
					state = c.Save(state)
					b.StartTimer()
				}
				c.Load(state)
			})
		})
	}
}

func benchmarkStates(b *testing.B, nodes int, do func(*cluster)) {
	c := newCluster()
	rng := rand.New(rand.NewSource(1))
	entries, messages, states := 0, 0, 0
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if i%100 == 0 {
			b.StopTimer()
			data := sim.Random(rng, format.Layout(), 400, nil)
			data[8+confNodes] = byte(nodes / 4)
			c.playEvents(data)
			messages += c.net.InFlight()
			for i := range c.nodes {
				entries += len(c.nodes[i].log.terms)
			}
			states++
			b.StartTimer()
		}
		do(c)
	}
	b.ReportMetric(float64(entries)/float64(states), "entries")
	b.ReportMetric(float64(messages)/float64(states), "messages")
}
