// Package wire is what a campaign and its target processes say to each other.
//
// A target is a test binary, started with -test.run=^FuzzXxx$ and the
// variable [EnvConfig] in its environment. It answers on file descriptor 3
// with one JSON [Message] a line; descriptor 4 is the other direction: in
// mode serve [Request] lines, in every mode its end means stop, so that no
// target outlives its campaign. Standard output and error belong to the code
// under test.
//
// The run in progress is in a small file that both sides map ([Shared]): a
// target that dies or hangs leaves there the input that did it. What all runs
// have covered is in another one ([Coverage], descriptor 5), so that counting
// costs no message.
package wire

import (
	"encoding/json"
	"time"

	ijon "github.com/ijongo/ijongo/runtime"
)

// EnvConfig names the environment variable that holds a Config as JSON. A
// test binary without it is an ordinary test binary.
const EnvConfig = "IJONGO_CONFIG"

// The file descriptors of a target process.
const (
	OutFD = 3 // target to campaign: Message lines
	InFD  = 4 // campaign to target: Request lines; closed to stop
	CovFD = 5 // file of Coverage, in mode search with a Cover
)

// What an input may be kept for: an annotation, whose ID is below EdgesID because
// the runtime's maps have room for so many; the counters of the code, all
// together; or an item with bins.
const (
	EdgesID   = 1 << 13
	FirstItem = EdgesID + 1
)

// A Mode is what a target process does.
type Mode string

const (
	// Describe collects the seeds of f.Add and testdata, answers one
	// Description and ends.
	Describe Mode = "describe"
	// Search is a whole engine: pick, mutate, run, compare, until told to
	// stop or Execs or Events are used up. It answers Stats, Find and Failure messages.
	Search Mode = "search"
	// Serve runs each Request and answers one Outcome.
	Serve Mode = "serve"
)

// Config tells a target process what to do.
type Config struct {
	Mode        Mode
	Target      string // FuzzXxx
	Shared      string // path of the Shared file; empty in mode describe
	Corpus      string // folder of queues of corpus entries, see package corpus: all are read, also while searching
	Queue       string // name of the own queue in it, to which finds are added
	Seed        uint64
	Worker      int      // index of this worker
	Workers     int      // how many there are
	Restarts    int      // how often this worker has been restarted
	Execs       uint64   // runs to make; 0 is no limit
	Events      uint64   // schedule records to play, the last run whole; 0 is no limit
	Length      int      // of random inputs, in events or bytes; 0 is self-tuned
	Feedback    []string // channels out of edges, set, max, bins, archive, and pairs; empty is none
	Goal        string   // objective; empty for everything
	MaxLen      int      // longest input in bytes
	MemLimit    int64    `json:",omitempty"` // of the process, in bytes; 0 is none
	KeepOn      bool     // go on after a failure
	Unmuted     bool     `json:",omitempty"` // no annotation says too much
	NoSnapshots bool     `json:",omitempty"` // play every run from its beginning
	Cover       *Size    `json:",omitempty"` // of the Coverage to count in; nil is none
}

// A Message is one line from a target; one field is set.
type Message struct {
	Description *Description `json:",omitempty"`
	Stats       *Stats       `json:",omitempty"`
	Find        *Find        `json:",omitempty"`
	Covered     *Covered     `json:",omitempty"`
	Failure     *Outcome     `json:",omitempty"` // a failing run of the search, with Input
	Outcome     *Outcome     `json:",omitempty"` // answer to a Request
	Spent       *Spent       `json:",omitempty"` // until then, with Stats, Failure and first hits of bins
	Error       string       `json:",omitempty"` // the target cannot go on: a full disk, an unusable corpus folder
}

// Spent is what a search has cost. It is told to whoever measures and decides
// nothing.
type Spent struct {
	Events uint64        // schedule records played
	CPU    time.Duration // of the process
}

// A Description is what a campaign needs to know of a target.
type Description struct {
	Args             []string    // parameter types of the fuzz function behind *testing.T
	Seeds            [][]byte    // f.Add and testdata/fuzz, in the flat form of package args
	Counters         int         // edge counters
	Annotations      []Site      // indexed by annotation ID
	Items            []ijon.Item // what has bins, in the order of the bins
	Module, Manifest string      // path of the main module, and the hash of the copy's manifest.json
	Layout
}

// A Site is an annotation, as runtime.Annotation has it.
type Site struct {
	Verb, Name, Key, Pos string
	Kind                 byte

	Observe, Rare        bool   `json:",omitempty"`
	Cap, AtLeast, Weight int    `json:",omitempty"`
	Goal, Doc            string `json:",omitempty"`
}

// Stats is the state of a worker, sent about ten times a second and at the end.
type Stats struct {
	Execs    uint64 // runs of this process
	Events   uint64 // schedule records played
	Corpus   int    // entries
	Edges    int    // edges ever hit
	Cells    int    // cells of set and inc ever hit
	Pairs    int    // archive cells
	Best     []Best // best value of each max-like annotation, without by classes
	Arms     []Arm
	Mutators []Arm    // ways of changing an input; a run counts for all that have made it
	Length   int      // self-tuned length of random schedules, in events
	Checked  uint64   // candidates for the corpus that were run a second time
	Equal    uint64   // and of those, how many gave the same feedback again
	Wobbling []string // annotations and counters that differed, most frequent first
	Muted    []string // annotations that admit too much and only observe, by name
	Skipped  []Skip   // annotations whose expression has panicked
	Crowded  []int    `json:",omitempty"` // items that depend on instances, of which some were forgotten
	Channels []Channel
	Held     int64 `json:",omitempty"` // the process ends because it holds so many bytes between runs; a new one is to go on
	Why      *Why  `json:",omitempty"` // every few seconds, and at the end
	Done     bool  // last message of this process: Execs used up or told to stop
}

// A Channel is a kind of feedback and how many elements were new in it.
type Channel struct {
	Name  string
	Finds uint64
}

// Why is what each annotation has brought in this process. An input that was
// kept for several counts for each of them.
type Why struct {
	Cost    float64 // of all runs, in events or bytes and a constant for each run
	Finds   uint64  // inputs that were kept
	Sampled uint64  // runs whose visits were counted
	Yields  []Yield
}

// A Yield is what an annotation or an item has brought, or the counters of the
// code all together.
type Yield struct {
	Verb     string // "edges" are the counters
	Name     string `json:",omitempty"`
	Expr     string `json:",omitempty"` // if the name does not say it all
	Pos      string `json:",omitempty"`
	Admitted uint64 // inputs kept for it, in the corpus or the archive
	Known    uint64 `json:",omitempty"` // inputs found in the folder that it was a reason for
	Led      uint64 // finds made from such an input
	Failures uint64 // kinds of failures of which such an input is an ancestor
	Runs     uint64 // made from such an input
	Cost     float64
	Visits   uint64 `json:",omitempty"` // in the sampled runs; those of max and its like are not counted
	Values   int    `json:",omitempty"` // distinct ones of a set
	Wobbles  uint64 `json:",omitempty"` // second runs in which it differed
	Muted    bool   `json:",omitempty"` // it says too much and only observes
	Observe  bool   `json:",omitempty"` // it only observes: the user wants it so, or its channel does not guide
}

// A Skip is how many visits of an annotation its expression has panicked in.
type Skip struct {
	ID     int32
	Visits uint64
}

// Best is the best value of a max-like annotation.
type Best struct {
	ID    int32
	Value string
}

// An Arm is one way of making inputs and what it brought.
type Arm struct {
	Name  string
	Share float64 // of the cost, now
	Execs uint64
	Finds uint64
}

// A Find is an entry that has been added to the corpus.
type Find struct {
	File string   // its name, as package corpus has it
	Why  string   // channels, and how many new elements in each
	For  []string `json:",omitempty"` // annotations, at most a few
}

// Covered is what a run of an input covers: one that has been added to the
// corpus or was there, or one that has hit bins that this worker has claimed.
type Covered struct {
	Name  string   // of the input, as package corpus has it
	Bins  []uint32 // in rising order
	Runs  uint64   // of this process until then
	First []uint32 `json:",omitempty"` // of those, the ones that no run had hit before
	Input []byte   `json:",omitempty"` // with First
}

// A Request asks for one run.
type Request struct {
	Input []byte
	Trace bool // answer the timeline
	Touch bool // answer what the run touches
}

// A Fault is how a run failed.
type Fault string

const (
	OK       Fault = ""
	Failed   Fault = "failed"   // t.Fail or its like
	Panic    Fault = "panic"    // on the goroutine of the run
	Violated Fault = "violated" // an oracle named by ijon.Violated or always
	Crash    Fault = "crash"    // the process died
	Exit     Fault = "exit"     // the process ended with os.Exit
	Hang     Fault = "hang"     // longer than the timeout
	Memory   Fault = "memory"   // more than the limit
)

// Touched is what a run brings, in every channel. What is equal has equal
// numbers in each process of one build of a target.
type Touched struct {
	Features []uint64 // edges and cells with the class of their count, pairs and bins
	Slots    []Reach  // max slots
}

// A Reach is the value that a run reached in a max slot.
type Reach struct{ Slot, Value uint64 }

// An Outcome is the result of one run.
type Outcome struct {
	Fault    Fault
	Key      string   // groups failures: the oracle and the state, or the kind and place of the fault
	Oracle   string   `json:",omitempty"` // of Violated
	State    string   `json:",omitempty"` // in which it was, if the harness says so; the key has it too
	Text     string   // what a person reads: oracle, panic value and stack
	Input    []byte   `json:",omitempty"`
	Events   uint32   // events played
	Hash     uint64   // of the whole feedback: equal runs have equal hashes
	Timeline []string `json:",omitempty"`
	Touched  *Touched `json:",omitempty"` // in answer to a Request that wants it
	Skipped  bool     // t.Skip
}

// Encode marshals v as one line.
func Encode(v interface{}) ([]byte, error) {
	b, err := json.Marshal(v)
	return append(b, '\n'), err
}
