package campaign

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// The test binary is its own target: started with a wire.Config in its
// environment it is a small engine that speaks the protocol, and behaves as
// the variable below says.
const behaviour = "IJONGO_TEST_TARGET"

func TestMain(m *testing.M) {
	text, ok := os.LookupEnv(wire.EnvConfig)
	if what, afl := os.LookupEnv(finds); afl && !ok {
		beAFL(what)
	}
	if !ok {
		os.Exit(m.Run())
	}
	t := &target{how: os.Getenv(behaviour), out: os.NewFile(wire.OutFD, "messages"), in: os.NewFile(wire.InFD, "requests")}
	if err := json.Unmarshal([]byte(text), &t.config); err != nil {
		panic(err)
	}
	t.main()
}

type target struct {
	how     string
	config  wire.Config
	shared  *wire.Shared
	cover   *wire.Coverage
	out, in *os.File
	runs    uint64
	queue   *corpus.Queue
	kept    map[string]bool
}

func (t *target) main() {
	switch t.how {
	case "panics in init":
		panic("no configuration")
	case "exits in init":
		fmt.Println("usage: something else")
		os.Exit(3)
	case "ends at once":
		return
	case "has no fuzz function":
		fmt.Println("testing: warning: no tests to run\nPASS")
		return
	case "hangs in init":
		time.Sleep(time.Hour)
	case "writes on descriptor 3":
		fmt.Fprintln(t.out, "hello")
	case "dies before its first run":
		if t.config.Mode == wire.Search {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	if t.config.Mode == wire.Describe {
		t.say(wire.Message{Description: t.describe()})
		return
	}
	shared, err := wire.OpenShared(t.config.Shared)
	if err != nil {
		t.say(wire.Message{Error: err.Error()})
		return
	}
	t.shared = shared
	if t.config.Cover != nil {
		if t.cover, err = wire.MapCoverage(os.NewFile(wire.CovFD, "coverage"), *t.config.Cover); err != nil {
			panic(err)
		}
	}
	if t.config.Mode == wire.Serve {
		t.serve()
		return
	}
	t.search()
}

func (t *target) describe() *wire.Description {
	return &wire.Description{
		Args: []string{"[]byte"}, Seeds: [][]byte{[]byte("seed")}, Layout: wire.Layout{Record: 1},
		Annotations: []wire.Site{{Verb: "max", Name: "term"}},
		Items:       items(t.how), Counters: 2, Module: "example.com/p", Manifest: t.how,
	}
}

// items is a point with a bin for each first letter, and one that nothing hits.
// A program that was changed has one more, at the front, and lacks the bin A.
func items(how string) []ijon.Item {
	letter := ijon.Item{Kind: "point", Group: "input", Name: "letter", Key: "input.point.letter"}
	letter.Goal = "spelling"
	for c := 'A'; c <= 'Z'; c++ {
		letter.Bins = append(letter.Bins, ijon.BinInfo{Name: string(c)})
	}
	letter.Bins = append(letter.Bins, ijon.BinInfo{Name: "digit"})
	if how != "has changed" {
		return []ijon.Item{letter}
	}
	letter.Bins, letter.First = letter.Bins[1:], 1
	fresh := ijon.Item{Kind: "cover", Name: "fresh", Key: "fresh", Bins: []ijon.BinInfo{{Name: "hit"}}}
	return []ijon.Item{fresh, letter}
}

// covered counts a run by its first letter.
func (t *target) covered(input []byte) {
	if t.cover == nil || len(input) == 0 || input[0] < 'A' || input[0] > 'Z' || t.how == "has changed" {
		return
	}
	bin := uint32(input[0] - 'A')
	t.cover.Bins(t.config.Worker)[bin]++
	if edges := t.cover.Edges(t.config.Worker); len(edges) > 0 {
		edges[0]++
	}
	if !t.cover.Claim(bin, t.config.Worker) {
		return
	}
	if t.how == "dies before it says so" && bin == 3 && t.config.Restarts == 0 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	t.say(wire.Message{Covered: &wire.Covered{Name: corpus.Name(input), Bins: []uint32{bin}, First: []uint32{bin}, Input: input}})
}

func (t *target) say(m wire.Message) {
	line, err := wire.Encode(m)
	if err != nil {
		panic(err)
	}
	if _, err := t.out.Write(line); err != nil {
		os.Exit(0) // the campaign is gone
	}
}

func (t *target) serve() {
	d := json.NewDecoder(t.in)
	for {
		var r wire.Request
		if err := d.Decode(&r); err != nil {
			return
		}
		o := t.run(r.Input)
		if r.Trace {
			for _, letter := range r.Input {
				o.Timeline = append(o.Timeline, string(letter))
			}
		}
		t.say(wire.Message{Outcome: &o})
	}
}

// run runs input; play fails, dies and hangs by what letters are in it.
func (t *target) run(input []byte) wire.Outcome {
	t.shared.Start(input, nil)
	t.runs++
	o := t.play(input)
	t.covered(input)
	t.shared.Finish()
	return o
}

func (t *target) play(input []byte) wire.Outcome {
	s := string(input)
	switch {
	case t.how == "panics elsewhere" && strings.Contains(s, "X"):
		go func() { panic(fmt.Sprintf("bad term %d", len(s))) }()
		select {}
	case t.how == "exits" && strings.Contains(s, "X"):
		fmt.Println("last words")
		os.Exit(7)
	case t.how == "is killed" && strings.Contains(s, "X"):
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case t.how == "is killed from outside" && strings.Contains(s, "X") && t.config.Mode == wire.Search:
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case t.how == "is killed now and then" && strings.Contains(s, "X") && (t.config.Mode == wire.Search || t.runs%2 == 0):
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case t.how == "hangs" && strings.Contains(s, "X"):
		time.Sleep(time.Hour)
	case t.how == "is slow once" && strings.Contains(s, "X") && t.config.Mode == wire.Search:
		time.Sleep(time.Hour)
	case t.how == "dies between runs" && strings.Contains(s, "X") && t.config.Mode == wire.Search:
		t.shared.Finish()
		go func() { panic("too late") }()
		select {}
	case t.how == "knows words" && strings.Contains(s, "HANG"):
		time.Sleep(time.Hour)
	case t.how == "knows words" && strings.Contains(s, "BANG"):
		return wire.Outcome{Fault: wire.Violated, Key: "bang", Text: "it was BANG"}
	case t.how == "knows words" && strings.Contains(s, "BOOM"):
		return wire.Outcome{Fault: wire.Violated, Key: "boom", Text: "it was BOOM"}
	case t.how == "dies of its seed" && s == "seed":
		panic("every seed kills me")
	case t.how == "fails on small letters" && strings.Contains(s, "x"):
		return wire.Outcome{Fault: wire.Violated, Key: "small", Text: "too small"}
	case t.how == "fails twice" && strings.Contains(s, "Y"):
		return wire.Outcome{Fault: wire.Violated, Key: "other", Text: "the other oracle"}
	case (t.how == "fails" || t.how == "fails twice") && strings.Contains(s, "X"):
		return wire.Outcome{Fault: wire.Violated, Key: "Leader completeness!", Text: "entry 3 is gone"}
	case t.how == "fails in the search only" && strings.Contains(s, "X") && t.config.Mode == wire.Search:
		return wire.Outcome{Fault: wire.Violated, Key: "ghost", Text: "seen once"}
	case t.how == "fails every other time" && strings.Contains(s, "X") && (t.config.Mode == wire.Search || t.runs%2 == 0):
		return wire.Outcome{Fault: wire.Violated, Key: "coin", Text: "tails"}
	}
	return wire.Outcome{Events: uint32(len(input))}
}

// search runs the corpus, then inputs of random letters. Every input whose
// first letter is rare enters the corpus.
func (t *target) search() {
	files, err := corpus.AllFiles(t.config.Corpus)
	if err == nil {
		t.queue, err = corpus.OpenQueue(t.config.Corpus, t.config.Queue)
	}
	if err != nil {
		t.say(wire.Message{Error: err.Error()})
		return
	}
	t.kept = make(map[string]bool)
	for _, f := range corpus.Live(files) {
		data, err := f.Read()
		if err != nil {
			continue // the campaign reports it
		}
		t.kept[corpus.Name(data)] = true
		if !t.once(data) {
			return
		}
	}
	stopped := make(chan struct{})
	go func() {
		io.Copy(io.Discard, t.in)
		close(stopped)
	}()
	state := t.config.Seed + uint64(t.config.Worker)<<32 + uint64(t.config.Restarts)<<40
	for t.config.Execs == 0 || t.runs < t.config.Execs {
		select {
		case <-stopped:
			t.stats(true)
			return
		default:
		}
		state = state*6364136223846793005 + 1442695040888963407
		input := binary.BigEndian.AppendUint64(nil, state)
		for i := range input {
			input[i] = 'A' + input[i]%26
		}
		if !t.once(input) {
			return
		}
		if input[0] == 'Q' && !t.keep(input) {
			return
		}
	}
	t.stats(true)
}

func (t *target) once(input []byte) bool {
	o := t.run(input)
	if o.Fault != wire.OK {
		o.Input = input
		t.say(wire.Message{Failure: &o})
		if !t.config.KeepOn {
			t.stats(true)
			return false
		}
	}
	if t.runs%1000 == 0 {
		t.stats(false)
	}
	return true
}

func (t *target) keep(input []byte) bool {
	name := corpus.Name(input)
	if t.kept[name] {
		return true
	}
	if _, err := t.queue.Add(input); err != nil {
		t.say(wire.Message{Error: err.Error()})
		return false
	}
	t.kept[name] = true
	t.say(wire.Message{Find: &wire.Find{File: name, Why: "first letter"}})
	return true
}

func (t *target) stats(done bool) {
	t.say(wire.Message{Stats: &wire.Stats{
		Execs: t.runs, Corpus: len(t.kept), Best: []wire.Best{{ID: 0, Value: fmt.Sprint(t.runs)}},
		Checked: t.runs, Equal: t.runs, Done: done,
	}})
}
