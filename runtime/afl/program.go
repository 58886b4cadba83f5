package afl

// target names the fuzz function that runs where neither the arguments nor
// the environment say so. The linker sets it (-ldflags=-X).
var target string

// The tool looks for these words in the file, each with a zero behind it:
// there is a map to share, runs share a process, and test cases may come in
// shared memory.
var signatures = [...]string{"__AFL_SHM_ID\x00", "##SIG_AFL_PERSISTENT##\x00", "##SIG_AFL_DEFER_FORKSRV##\x00"}

// A Program is what the protocol needs to know of the program.
type Program struct {
	Cov      []byte   // memory of the edge counters
	First    int      // index in Cov of counter 0: a page at least
	Counters int      // how many there are; a page at least is behind them
	Words    []string // what an input may have to contain
	Plain    bool     // there is nothing but edges to tell
}

// Start looks whether a tool of AFL++ has started the program. If so it does
// not return: it serves the tool, and starts the program once more to make the
// runs. That process is told so by [Current].
func Start(p Program) { start(p) }

// Current is the process that makes runs for a tool, or nil in any other.
func Current() *Child { return current }

var current *Child
