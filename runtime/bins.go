package ijon

import "sync/atomic"

// counting tells whether anybody reads the bins: an engine, or whoever asked
// for coverage. It is set before the first run.
var counting bool

// hits counts how often each bin was hit: in the run, or in the life of a
// process that writes coverage.
var hits = &ownHits

var ownHits [maxBins]uint64

// covered lists the bins that were hit, as bin | event<<32.
var covered binList

type binList struct {
	n    uint32
	item [maxBins]uint64
}

func (l *binList) add(bin, event uint32) {
	i := atomic.AddUint32(&l.n, 1) - 1
	atomic.StoreUint64(&l.item[i], uint64(bin)|uint64(event)<<32)
}

func (l *binList) len() uint32 { return atomic.LoadUint32(&l.n) }

// at reads a mark that a goroutine which outlives its run may be writing.
func (l *binList) at(i uint32) uint64 { return atomic.LoadUint64(&l.item[i]) }

// hitBin counts a hit and tells whether it is the first.
func hitBin(bin uint32) bool {
	if atomic.AddUint64(&hits[bin], 1) != 1 {
		return false
	}
	firstHit(bin)
	return true
}

func firstHit(bin uint32) {
	covered.add(bin, Event())
	if c := coverage; c != nil {
		c.note(bin)
	}
	if tracing() {
		traceBin(bin)
	}
}

// clearBins sets the bins that were hit to zero, for the next run. Coverage
// is of all runs.
func clearBins() {
	if coverage != nil {
		return
	}
	for i, n := uint32(0), covered.len(); i < n; i++ {
		atomic.StoreUint64(&hits[uint32(covered.at(i))], 0)
	}
	atomic.StoreUint32(&covered.n, 0)
}

// Covered appends the bins that the run hit: Element is the number of the bin,
// ID the index of its item in Items.
func (Run) Covered(buf []Touch) []Touch {
	program.settle()
	program.Lock()
	defer program.Unlock()
	for i, n := uint32(0), covered.len(); i < n; i++ {
		mark := covered.at(i)
		bin := uint32(mark)
		buf = append(buf, Touch{Element: bin, ID: ID(program.owner[bin]), Event: uint32(mark >> 32)})
	}
	return buf
}

// BinHits is how often the run hit a bin.
func (Run) BinHits(bin uint32) uint64 {
	program.settle()
	return atomic.LoadUint64(&hits[bin])
}
