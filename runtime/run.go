package ijon

import "sync/atomic"

// A Touch is one map element that a run has touched.
type Touch struct {
	Element uint32 // index of the cell or pair
	ID      ID     // the annotation; for a pair the one that changed last
	Event   uint32 // number of the event in which it was first touched
}

// A Slot is the best value of an annotation in a run.
type Slot struct {
	ID    ID
	By    uint64 // key of the by clause; 0 without one
	Value uint64 // ordered encoding: greater is better, 0 is never; see Decode
	Event uint32 // number of the event that brought it

	Retired bool // the clause until was true: the value is enough
}

// A Bin tells how often a property, such as cover, sometimes or always, was
// evaluated in a run.
type Bin struct {
	ID        ID
	Evaluated uint32
	True      uint32
}

// Run reads the feedback of the run that ended last. Its methods append to
// buf, so that reading does not allocate once the buffers have grown.
type Run struct{}

// Enable switches the annotation calls on, for the life of the process. An
// engine calls it before its first run.
func Enable() {
	Items() // are known from the first hit on
	stopCoverDir()
	on, counting = true, true
}

// Begin starts a run: it clears what the run before it touched. The seed
// drives Rand until the harness calls Seed. Counters are the engine's to clear.
func Begin(seed uint64) {
	clearFeedback()
	atomic.StoreUint32(&event, 0)
	failure.clear()
	Seed(seed)
}

// clearFeedback forgets what a run touched, in all maps but the counters.
func clearFeedback() {
	for k, n := uint32(0), m.cellList.len(); k < n; k++ {
		t := m.cellList.at(k)
		atomic.StoreUint32(&m.cell[uint16(t)], 0)
	}
	for k, n := uint32(0), m.pairList.len(); k < n; k++ {
		t := m.pairList.at(k)
		m.pair[uint16(t)] = 0
	}
	for k, n := uint32(0), m.slotList.len(); k < n; k++ {
		i := m.slotList.at(k)
		atomic.StoreUint64(&m.slotVal[i], 0)
		atomic.StoreUint32(&m.slotDone[i], 0)
	}
	for k, n := uint32(0), m.heldList.len(); k < n; k++ {
		id := m.heldList.at(k)
		atomic.StoreUint64(&m.held[id], 0)
		atomic.StoreUint32(&m.dirty[id], 0)
	}
	for _, l := range []*list{&m.cellList, &m.pairList, &m.slotList, &m.heldList} {
		atomic.StoreUint32(&l.n, 0)
	}
	clearBins()
	program.forget()
	insts.clear()
	clearContext()
	clearOperands()
}

// End closes the run that Begin started.
func End() {
	pairUp()
	snapshots.at, snapshots.from = 0, nil
}

// Cells appends the cells of set and inc that the run touched. Hits gives
// the count of each.
func (Run) Cells(buf []Touch) []Touch { return appendTouches(buf, &m.cellList) }

// Hits is how often the run hit a cell: at least 1 if it touched it.
func (Run) Hits(cell uint32) uint32 { return atomic.LoadUint32(&m.cell[cell]) }

// Pairs appends the pairs of held set values that the run touched.
func (Run) Pairs(buf []Touch) []Touch { return appendTouches(buf, &m.pairList) }

func appendTouches(buf []Touch, l *list) []Touch {
	for k, n := uint32(0), l.len(); k < n; k++ {
		t := l.at(k)
		buf = append(buf, Touch{Element: uint32(uint16(t)), ID: ID(uint16(t >> 16)), Event: uint32(t >> 32)})
	}
	return buf
}

// Slots appends the max-like slots that the run reached.
func (Run) Slots(buf []Slot) []Slot {
	for k, n := uint32(0), m.slotList.len(); k < n; k++ {
		i := m.slotList.at(k)
		buf = append(buf, Slot{
			ID:    ID(atomic.LoadUint32(&m.slotID[i])),
			By:    atomic.LoadUint64(&m.slotBy[i]),
			Value: atomic.LoadUint64(&m.slotVal[i]),
			Event: atomic.LoadUint32(&m.slotAt[i]),

			Retired: atomic.LoadUint32(&m.slotDone[i]) == 1,
		})
	}
	return buf
}

// Skipped is how many visits of an annotation were skipped, in the life of
// the process, because its expression panicked.
func Skipped(id ID) uint32 { return atomic.LoadUint32(&m.skips[id]) }
