package ijon

import (
	"fmt"
	"math"
	"sync"
)

// trace receives the timeline of the run while it is not nil.
var trace func(line string)

// Trace sends the timeline of the runs that follow to f, one line a call,
// without a newline: what the harness logs, and under it, indented, the
// annotations that fired. A nil f ends it. Call it between runs.
func Trace(f func(line string)) {
	trace = f
	notes.text = nil
}

// notes remembers the values behind a hash while there is a timeline, because
// a set or inc gets no more than the hash.
var notes struct {
	sync.Mutex
	text map[uint64]string
}

// maxNotes bounds the notes of a run that hashes much else.
const maxNotes = 1 << 16

// note remembers that out is the hash h with v folded in.
func note(h, out uint64, v interface{}) {
	notes.Lock()
	defer notes.Unlock()
	if notes.text == nil || len(notes.text) == maxNotes {
		notes.text = make(map[uint64]string)
	}
	text := fmt.Sprint(v)
	if before, ok := notes.text[h]; ok && h != Hash {
		text = before + ", " + text
	}
	notes.text[out] = text
}

// noteKey remembers that out is the hash of a tuple for a key.
func noteKey(hash, out, by uint64) {
	text := fmt.Sprintf("[%d] %s", by, values(hash))
	notes.Lock()
	defer notes.Unlock()
	if notes.text != nil {
		notes.text[out] = text
	}
}

// noteContext remembers that out is the hash of a tuple in a context.
func noteContext(hash, out, context uint64) {
	text := fmt.Sprintf("%s in context #%04x", values(hash), uint16(context))
	notes.Lock()
	defer notes.Unlock()
	if notes.text != nil {
		notes.text[out] = text
	}
}

// values is the tuple that was hashed, or the hash if that is not known.
func values(hash uint64) string {
	notes.Lock()
	defer notes.Unlock()
	if text, ok := notes.text[hash]; ok {
		return text
	}
	return fmt.Sprintf("#%04x", uint16(hash))
}

// Tracing tells whether Logf does anything, so that a harness need not
// format what nobody reads.
func Tracing() bool { return trace != nil }

func tracing() bool { return trace != nil }

// Logf adds a line to the timeline.
func Logf(format string, args ...interface{}) {
	if trace != nil {
		trace(fmt.Sprintf(format, args...))
	}
}

func traceSet(id ID, hash uint64) {
	a := describe(id)
	trace(fmt.Sprintf("    ijon %s %s: %s", a.Verb, a.Name, values(hash)))
}

func traceState(id ID, before, now, action uint64) {
	a := describe(id)
	line := fmt.Sprintf("    ijon %s %s: ", a.Verb, a.Name)
	if before != 0 {
		line += values(before) + " => "
	}
	line += values(now)
	if action != 0 {
		line += " by " + values(action)
	}
	trace(line)
}

func traceSlot(id ID, by, ord uint64) {
	a := describe(id)
	if by != 0 {
		trace(fmt.Sprintf("    ijon %s %s [%d]: %s", a.Verb, a.Name, by, a.Format(ord)))
		return
	}
	trace(fmt.Sprintf("    ijon %s %s: %s", a.Verb, a.Name, a.Format(ord)))
}

func traceHit(id ID) {
	a := describe(id)
	trace(fmt.Sprintf("    ijon %s %s: true", a.Verb, a.Name))
}

// traceBin shows a bin of a group that is new in the run. A property shows
// itself, when it is true.
func traceBin(bin uint32) {
	item, info := program.find(bin)
	if item.Group != "" && info.Kind != Info {
		trace(fmt.Sprintf("    ijon %s %s: %s", item.Kind, item.Title(), info.Name))
	}
}

// Format shows the value of a slot of annotation a, given in its ordered
// encoding, as the program saw it.
func (a Annotation) Format(ord uint64) string {
	if ord == 0 {
		return "never"
	}
	if ord != ^uint64(0) {
		ord--
	}
	switch a.Verb {
	case VerbCmp:
		return fmt.Sprint(64 - ord)
	case VerbBits, VerbStrDist:
		return fmt.Sprint(ord)
	case VerbSometimes:
		return fmt.Sprintf("gap %d", ^ord)
	case VerbDist:
		if a.Kind != KindFloat {
			return fmt.Sprint(^ord)
		}
	}
	if a.Verb == VerbMin || a.Verb == VerbStackMin || a.Verb == VerbDist {
		ord = ^ord
	}
	switch a.Kind {
	case KindInt:
		return fmt.Sprint(int64(ord ^ 1<<63))
	case KindFloat:
		if ord>>63 != 0 {
			return fmt.Sprint(math.Float64frombits(ord &^ (1 << 63)))
		}
		return fmt.Sprint(math.Float64frombits(^ord))
	}
	return fmt.Sprint(ord)
}
