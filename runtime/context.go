package ijon

import (
	"bytes"
	"runtime"
	"sync"
	"sync/atomic"
)

// maxContext bounds the contexts that are open at once. Deeper ones fold in
// nothing.
const maxContext = 1024

// context is what ctx folds into set and inc. A function with ctx directives
// opens a frame; the directives in it have levels, by how they are nested, so
// that the end of a block is where a level is left, however it was reached.
var context struct {
	sync.Mutex
	run    uint32 // counts runs: a frame of an earlier one changes nothing
	base   uint32 // depth at which the frame begins
	depth  uint32 // contexts that are open
	folded [maxContext + 1]uint64
	owner  goroutine // the first of the run to open one
}

var (
	ctxNow    uint64 // folded[depth], which set and inc fold in
	xorNow    uint64 // and what xor has made
	looks     uint32 // at contexts, to ask for the goroutine at one in so many
	ambiguous uint32 // whether several goroutines were seen in the contexts of a run
)

// lookEvery is how many uses of a context pass until the goroutine is asked
// for again: to learn which one it is takes microseconds.
const lookEvery = 61

// A Frame is what CtxExit needs to restore the contexts of the caller.
type Frame struct{ run, base, depth uint32 }

// CtxEnter opens the frame of a function that has contexts.
func CtxEnter() Frame {
	if !on {
		return Frame{}
	}
	context.Lock()
	defer context.Unlock()
	f := Frame{context.run, context.base, context.depth}
	context.base = context.depth
	return f
}

// CtxExit, deferred, closes the frame.
func CtxExit(f Frame) {
	if !on {
		return
	}
	context.Lock()
	defer context.Unlock()
	if f.run == context.run {
		context.base = f.base
		setDepth(f.depth)
	}
}

// Ctx opens a context in the frame: everything that Set and Inc report is
// another situation than the same elsewhere, until CtxLeave or CtxExit.
// Level is how many contexts of the frame are open then, this one included.
func Ctx(level int, hash uint64) {
	if !on {
		return
	}
	context.Lock()
	defer context.Unlock()
	noteOwner()
	outer := folded(context.depth)
	for d := context.depth + 1; d < context.base+uint32(level) && d <= maxContext; d++ {
		context.folded[d] = outer // a directive that was jumped over
	}
	d := context.base + uint32(level)
	if d <= maxContext {
		context.folded[d] = mix(outer ^ hash)
	}
	setDepth(d)
}

// CtxLeave ends the contexts of the frame above a level.
func CtxLeave(level int) {
	if !on {
		return
	}
	context.Lock()
	defer context.Unlock()
	if d := context.base + uint32(level); d < context.depth {
		setDepth(d)
	}
}

func folded(depth uint32) uint64 {
	if depth > maxContext {
		depth = maxContext
	}
	return context.folded[depth]
}

func setDepth(d uint32) {
	context.depth = d
	atomic.StoreUint64(&ctxNow, folded(d))
}

// Xor folds a value into every later Set and Inc of the run; the same value a
// second time takes it out again.
func Xor(hash uint64) {
	if !on {
		return
	}
	for {
		old := atomic.LoadUint64(&xorNow)
		if atomic.CompareAndSwapUint64(&xorNow, old, old^hash) {
			return
		}
	}
}

// inContext is a situation as the contexts make it.
func inContext(hash uint64) uint64 {
	c, x := atomic.LoadUint64(&ctxNow), atomic.LoadUint64(&xorNow)
	if c|x == 0 {
		return hash
	}
	if c != 0 && atomic.AddUint32(&looks, 1)%lookEvery == 0 {
		look()
	}
	out := mix(hash ^ mix(c^x))
	if trace != nil {
		noteContext(hash, out, c^x)
	}
	return out
}

// clearContext ends all contexts, for the next run.
func clearContext() {
	context.Lock()
	defer context.Unlock()
	context.run++
	context.base = 0
	context.owner = goroutine{}
	setDepth(0)
	atomic.StoreUint64(&xorNow, 0)
}

func look() {
	context.Lock()
	defer context.Unlock()
	if context.owner != current() {
		atomic.StoreUint32(&ambiguous, 1)
	}
}

// noteOwner looks at the goroutine that opens a context.
func noteOwner() {
	if context.owner == (goroutine{}) {
		context.owner = current()
		return
	}
	if atomic.AddUint32(&looks, 1)%lookEvery == 0 && context.owner != current() {
		atomic.StoreUint32(&ambiguous, 1)
	}
}

// CtxAmbiguous tells whether, in the life of the process, several goroutines
// of one run were seen to use contexts: which context a situation belonged to
// was then a matter of chance. It looks at one use in 61.
func CtxAmbiguous() bool { return atomic.LoadUint32(&ambiguous) == 1 }

// A goroutine is the beginning of a stack trace, up to its number.
type goroutine [32]byte

// current is the goroutine that calls.
func current() (g goroutine) {
	n := runtime.Stack(g[:], false)
	if end := bytes.IndexByte(g[:n], '['); end >= 0 {
		n = end
	}
	for ; n < len(g); n++ {
		g[n] = 0
	}
	return g
}
