package etcdraft

import (
	"crypto/rand"
	"flag"
	"math/big"
	mathrand "math/rand"
	"reflect"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

var inputs = flag.Int("inputs", 2000, "inputs of TestReplay")

// TestReplay plays random inputs, then plays them in reverse order on the
// same cluster: the state of every node after every event must be the same.
// So nothing of a run reaches the next one, and nothing but the input decides.
// -inputs 10000 takes about twenty seconds.
func TestReplay(t *testing.T) {
	const length = 200
	c := newCluster()
	c.digesting = true
	p := sim.NewPlayer(&format, c)
	rng := mathrand.New(mathrand.NewSource(1))
	data := make([][]byte, *inputs)
	digests := make([]uint64, *inputs)
	distinct := map[uint64]bool{}
	for i := range data {
		data[i] = sim.Random(rng, format.Layout(), length, nil)
		play(p, data[i])
		digests[i] = c.digest
		distinct[c.digest] = true
	}
	if len(distinct) < len(data)*99/100 {
		t.Errorf("%d inputs have %d traces: the digest sees too little", len(data), len(distinct))
	}
	for i := len(data) - 1; i >= 0; i-- {
		if play(p, data[i]); c.digest != digests[i] {
			t.Fatalf("input %d has another trace the second time: %x", i, data[i])
		}
	}
}

// TestTimelineIsDeterministic compares the timelines of two clusters, which
// hold every message and every line that raft logs.
func TestTimelineIsDeterministic(t *testing.T) {
	rng := mathrand.New(mathrand.NewSource(2))
	defer ijon.Trace(nil)
	for range 20 {
		data := sim.Random(rng, format.Layout(), 200, nil)
		var lines [2][]string
		for i := range lines {
			ijon.Trace(func(line string) { lines[i] = append(lines[i], line) })
			play(sim.NewPlayer(&format, newCluster()), data)
		}
		if !reflect.DeepEqual(lines[0], lines[1]) {
			t.Fatalf("two timelines of one input: %x", data)
		}
	}
}

// TestMessagesAreCopied looks at messages on the wire in random runs: each is
// what was sent, shares no memory with it, and survives that raft writes into
// the original.
func TestMessagesAreCopied(t *testing.T) {
	c := newCluster()
	rng := mathrand.New(mathrand.NewSource(3))
	types := map[pb.MessageType]int{}
	for range 1000 {
		c.playEvents(sim.Random(rng, format.Layout(), 50, nil))
		c.net.Visit(func(_, _ int, msg any) {
			m := msg.(*pb.Message)
			types[m.GetType()]++
			cp := c.mem.clone(m)
			if !proto.Equal(m, cp) {
				t.Fatalf("copied\n%v\nas\n%v", m, cp)
			}
			if addr, ok := shared(m, cp); ok {
				t.Fatalf("a %v shares %s with its copy", m.GetType(), addr)
			}
		})
	}
	for _, typ := range []pb.MessageType{
		pb.MsgApp, pb.MsgAppResp, pb.MsgVote, pb.MsgVoteResp, pb.MsgSnap, pb.MsgHeartbeat, pb.MsgProp, pb.MsgReadIndex,
	} {
		if types[typ] == 0 {
			t.Errorf("no %v was seen", typ)
		}
	}
	m := &pb.Message{To: new(uint64(1)), Entries: []*pb.Entry{{Data: []byte("a")}}}
	cheap := &pb.Message{To: new(uint64(1)), Entries: m.Entries}
	if _, ok := shared(m, cheap); !ok {
		t.Error("a shallow copy is not told from a deep one")
	}
}

// shared tells whether two values reach common memory through exported
// fields, and through which.
func shared(a, b any) (string, bool) {
	seen := map[uintptr]bool{}
	reach(reflect.ValueOf(a), "", func(p uintptr, _ string) bool { seen[p] = true; return false })
	path := ""
	reach(reflect.ValueOf(b), "", func(p uintptr, at string) bool {
		if seen[p] {
			path = at
		}
		return seen[p]
	})
	return path, path != ""
}

// reach visits the address of everything that v points to, until found.
func reach(v reflect.Value, at string, visit func(uintptr, string) bool) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && (visit(v.Pointer(), at+"*") || reach(v.Elem(), at, visit))
	case reflect.Slice:
		if v.Cap() > 0 && visit(v.Pointer(), at+"[]") {
			return true
		}
		for i := range v.Len() {
			if reach(v.Index(i), at, visit) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && reach(v.Field(i), at+"."+f.Name, visit) {
				return true
			}
		}
	}
	return false
}

// TestTimeoutsComeFromTheRun compares raft's first election timeout with what
// the node's random stream gives. It holds in plain go test, where init sets
// crypto/rand.Reader, and in an instrumented copy, where raft.ijon redirects
// the call: so both play an input alike.
func TestTimeoutsComeFromTheRun(t *testing.T) {
	seen := map[int]bool{}
	for seed := range uint64(40) {
		ijon.Seed(seed)
		ijon.Node(1)
		drawn, err := rand.Int(ijon.Reader{}, big.NewInt(4))
		must(err)
		ijon.Seed(seed)
		ijon.Node(1)
		raw := lonely(t, membership{voters: 3}, hard(1, 0, 1), nil) // it has drawn
		ticks := 0
		for ; !raw.HasReady(); ticks++ {
			raw.Tick()
		}
		if want := 4 + int(drawn.Int64()); ticks != want {
			t.Errorf("seed %d: a timeout of %d ticks, want %d", seed, ticks, want)
		}
		seen[ticks] = true
	}
	if len(seen) != 4 {
		t.Errorf("timeouts drawn: %v, want each of 4 to 7", seen)
	}
}
