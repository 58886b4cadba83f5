package ijon

import "sync/atomic"

// on tells whether an engine reads the maps. It is set before the first run.
var on bool

const (
	cellBits = 16
	numCells = 1 << cellBits // hashed cells of set and inc, as in AFL++'s IJON
	pairBits = 16
	numPairs = 1 << pairBits // hashed pairs of held values
	numSlots = 1 << 12       // max slots: (annotation, by) in open addressing
	maxIDs   = 1 << 13       // injected and declared annotations that the maps have room for
)

// maps is the feedback of one run. Each map has a list of what the run has
// touched, so that reading and clearing cost what was touched and no more.
// Elements are accessed atomically: annotations may run on any goroutine.
type maps struct {
	cell     [numCells]uint32
	cellList list

	pair     [numPairs]uint8 // 0 or 1
	pairList list

	slotKey  [numSlots]uint64 // hash of (annotation, by), kept across runs; 0 free
	slotID   [numSlots]uint32
	slotBy   [numSlots]uint64
	slotVal  [numSlots]uint64
	slotAt   [numSlots]uint32
	slotDone [numSlots]uint32 // whether until was true
	slotList list

	held     [maxIDs]uint64 // hash of a set annotation and of the value it holds now; 0 none
	heldList list
	dirty    [maxIDs]uint32 // whether the held value changed in this event

	skips   [maxIDs]uint32 // visits skipped by a panic, kept across runs
	dropped uint32         // slots that found the table full, kept across runs
}

var m maps

// A list is an append-only list that many goroutines may append to. An
// element is added once, so a list never overflows.
type list struct {
	n    uint32
	item [numCells]uint64
}

func (l *list) add(v uint64) {
	i := atomic.AddUint32(&l.n, 1) - 1
	atomic.StoreUint64(&l.item[i], v)
}

func (l *list) len() uint32 { return atomic.LoadUint32(&l.n) }

// at reads an element that another goroutine may be adding, one that outlives
// its run among them.
func (l *list) at(i uint32) uint64 { return atomic.LoadUint64(&l.item[i]) }

// mark packs what a run touched: the element, the annotation, the event.
func mark(element uint32, id ID, event uint32) uint64 {
	return uint64(element) | uint64(uint16(id))<<16 | uint64(event)<<32
}

// touch marks the cell of a situation and tells whether it is new in the run.
func touch(id ID, hash uint64, n uint32) bool {
	c := uint32(mix(hash^uint64(id)<<48)) & (numCells - 1)
	if atomic.LoadUint32(&m.cell[c]) != 0 || !atomic.CompareAndSwapUint32(&m.cell[c], 0, n) {
		return false
	}
	m.cellList.add(mark(c, id, Event()))
	return true
}

func situation(id ID, hash uint64) {
	if touch(id, hash, 1) && tracing() {
		traceSet(id, hash)
	}
}

func count(id ID, hash uint64) {
	c := uint32(mix(hash^uint64(id)<<48)) & (numCells - 1)
	if atomic.AddUint32(&m.cell[c], 1) == 1 {
		m.cellList.add(mark(c, id, Event()))
		if tracing() {
			traceSet(id, hash)
		}
	}
}

// hold is situation that remembers the value, for pairs.
func hold(id ID, hash uint64) {
	v := mix(fold(hash, uint64(id))) | 1
	if atomic.LoadUint64(&m.held[id]) == v {
		return
	}
	if atomic.SwapUint64(&m.held[id], v) == 0 {
		m.heldList.add(uint64(id))
	}
	atomic.StoreUint32(&m.dirty[id], 1)
	situation(id, hash)
}

// pairing tells whether anybody reads the pairs.
var pairing = true

// SetPairing says whether runs are to note pairs. An engine that goes by the
// bins of declared crosses does without them, and without what they cost.
func SetPairing(on bool) { pairing = on }

// pairUp marks the pairs that the values changed in this event form with all
// values that are held. Called by Step and at the end of a run, while other
// goroutines may hold new values.
func pairUp() {
	if !pairing {
		return
	}
	n := atomic.LoadUint32(&m.heldList.n)
	for i := uint32(0); i < n; i++ {
		a := m.heldList.at(i)
		if atomic.LoadUint32(&m.dirty[a]) == 0 {
			continue
		}
		atomic.StoreUint32(&m.dirty[a], 0)
		va := atomic.LoadUint64(&m.held[a])
		for j := uint32(0); j < n; j++ {
			if b := m.heldList.at(j); b != a {
				pair(ID(a), va, atomic.LoadUint64(&m.held[b]))
			}
		}
	}
}

// pair marks that annotation a, which changed, holds va while another one
// holds vb. The sum of two hashes is one, whichever changed.
func pair(a ID, va, vb uint64) {
	p := uint32((va + vb) >> (64 - pairBits))
	if m.pair[p] == 0 {
		m.pair[p] = 1
		m.pairList.add(mark(p, a, Event()))
	}
}

// raise stores ord in the slot of (id, by) if it is better. The order is
// shifted by one so that 0 means never reached; the two best values are one.
func raise(id ID, by, ord uint64) {
	if ord != ^uint64(0) {
		ord++
	}
	i := slot(id, by)
	if i < 0 {
		return
	}
	for {
		old := atomic.LoadUint64(&m.slotVal[i])
		if ord <= old {
			return
		}
		if !atomic.CompareAndSwapUint64(&m.slotVal[i], old, ord) {
			continue
		}
		atomic.StoreUint32(&m.slotAt[i], Event())
		if old == 0 {
			m.slotList.add(uint64(i))
		}
		if tracing() {
			traceSlot(id, by, ord)
		}
		return
	}
}

// slot finds or makes the slot of (id, by); -1 when the table is full.
func slot(id ID, by uint64) int {
	key := mix(uint64(id)+1) ^ mix(by+Hash)
	if key == 0 {
		key = 1
	}
	for n, i := 0, key; n < numSlots; n, i = n+1, i+1 {
		i %= numSlots
		k := atomic.LoadUint64(&m.slotKey[i])
		if k == 0 {
			if atomic.CompareAndSwapUint64(&m.slotKey[i], 0, key) {
				atomic.StoreUint64(&m.slotBy[i], by)
				atomic.StoreUint32(&m.slotID[i], uint32(id))
				return int(i)
			}
			k = atomic.LoadUint64(&m.slotKey[i])
		}
		if k == key {
			return int(i)
		}
	}
	atomic.AddUint32(&m.dropped, 1)
	return -1
}

// retire marks the slot of (id, by), if it has a value.
func retire(id ID, by uint64) {
	if i := slot(id, by); i >= 0 && atomic.LoadUint64(&m.slotVal[i]) != 0 {
		atomic.StoreUint32(&m.slotDone[i], 1)
	}
}

func skip(id ID) { atomic.AddUint32(&m.skips[id], 1) }
