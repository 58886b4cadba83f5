package ijon

import "sync/atomic"

// A System is what a harness simulates, as one that can be copied. An engine
// that has it goes back to a situation without playing again what led there.
//
// Save and Load are called between events, by Step and by Resume. They must
// copy all that later events depend on, and share nothing with the system that
// either may write to. They should not run code under test, and must not
// touch the feedback by the calls of this package.
type System interface {
	// Save copies the state of the system. It may use the memory of old, a
	// state that is no longer needed, or nil.
	Save(old interface{}) interface{}

	// Load brings the system into a state that was saved in this or another
	// run, any number of times; the state stays as it is. Where an object that
	// covergroups are sampled by is another one afterwards, Load says so with
	// Moved.
	Load(state interface{})
}

// snapshots is what the harness has declared and what the engine wants of it.
var snapshots struct {
	system System

	at   uint32 // number of events after which to save; 0 is never
	into *Saved
	from *Saved // where the run in hand begins; nil is at the beginning

	moved []move
}

type move struct{ from, to interface{} }

// Snapshots declares that the harness can save and load its system. Call it
// before f.Fuzz. A harness that does calls Resume at the beginning of each run.
func Snapshots(s System) { snapshots.system = s }

// CanSave tells whether the harness saves and loads.
func CanSave() bool { return snapshots.system != nil }

// Resume begins a run. It loads the state from which the run goes on and
// returns how many events have been played, which the harness leaves out; 0
// when the run begins at the beginning.
func Resume() (events int) {
	s := snapshots.from
	if s == nil {
		return 0
	}
	snapshots.moved = snapshots.moved[:0]
	snapshots.system.Load(s.system)
	s.restore()
	return int(s.event)
}

// Moved tells, in Load, that the object of a saved state to which the pointer
// from points is the one to which to points in the loaded system.
func Moved(from, to interface{}) {
	if address(from) != address(to) {
		snapshots.moved = append(snapshots.moved, move{from, to})
	}
}

// A Saved is a run up to the end of an event: the system, the feedback and the
// random streams. The memory of one is used again when it is saved to again.
type Saved struct {
	ready  bool
	system interface{}

	event    uint32
	seed     uint64
	node     uint64
	draws    [maxNodes]uint64
	xor      uint64
	counters []Counter
	cells    []savedMark
	pairs    []uint64
	slots    []savedSlot
	held     []savedHeld
	bins     []savedMark
	insts    []savedInstance
	groups   []savedLive
}

type savedMark struct {
	mark uint64
	hits uint64
}

type savedSlot struct {
	index    uint64
	value    uint64
	at, done uint32
}

type savedHeld struct {
	id, value uint64
	dirty     uint32
}

type savedInstance struct{ index, key, now, action uint64 }

// savedLive is the instances of a group.
type savedLive struct {
	state  []uint64
	key    []uint64
	object []interface{}
	again  []bool
	hand   int
}

// Ready tells whether a run has saved to the state.
func (s *Saved) Ready() bool { return s.ready }

// Event is the number of events that led to the state.
func (s *Saved) Event() int { return int(s.event) }

// SaveAt asks the run that begins next to save to s once it has played so many
// events. A run that ends before that, or that is in the context of a ctx
// annotation then, leaves s not ready.
func SaveAt(events int, s *Saved) {
	s.ready = false
	snapshots.at, snapshots.into = uint32(events), s
}

// ResumeFrom makes the run that begins next go on from a state; nil makes it
// begin at the beginning.
func ResumeFrom(s *Saved) { snapshots.from = s }

// save is Step when an engine has asked for the state after this event.
func (s *Saved) save() {
	snapshots.at = 0
	if atomic.LoadUint64(&ctxNow) != 0 {
		return
	}
	s.event, s.xor = Event(), atomic.LoadUint64(&xorNow)
	s.seed, s.node, s.draws = random.seed, random.node, random.draws
	s.counters = append(s.counters[:0], Cov[CovBase:CovBase+numCounters]...)
	s.saveMaps()
	s.saveBins()
	s.saveInstances()
	s.groups = program.saveLive(s.groups)
	s.system = snapshots.system.Save(s.system)
	s.ready = true
}

func (s *Saved) saveMaps() {
	s.cells, s.pairs, s.slots, s.held = s.cells[:0], s.pairs[:0], s.slots[:0], s.held[:0]
	for k, n := uint32(0), m.cellList.len(); k < n; k++ {
		t := m.cellList.at(k)
		s.cells = append(s.cells, savedMark{t, uint64(atomic.LoadUint32(&m.cell[uint16(t)]))})
	}
	for k, n := uint32(0), m.pairList.len(); k < n; k++ {
		s.pairs = append(s.pairs, m.pairList.at(k))
	}
	for k, n := uint32(0), m.slotList.len(); k < n; k++ {
		i := m.slotList.at(k)
		s.slots = append(s.slots, savedSlot{
			i, atomic.LoadUint64(&m.slotVal[i]), atomic.LoadUint32(&m.slotAt[i]), atomic.LoadUint32(&m.slotDone[i]),
		})
	}
	for k, n := uint32(0), m.heldList.len(); k < n; k++ {
		id := m.heldList.at(k)
		s.held = append(s.held, savedHeld{id, atomic.LoadUint64(&m.held[id]), atomic.LoadUint32(&m.dirty[id])})
	}
}

func (s *Saved) saveBins() {
	program.settle()
	s.bins = s.bins[:0]
	for k, n := uint32(0), covered.len(); k < n; k++ {
		mark := covered.at(k)
		s.bins = append(s.bins, savedMark{mark, atomic.LoadUint64(&hits[uint32(mark)])})
	}
}

func (s *Saved) saveInstances() {
	s.insts = s.insts[:0]
	for k, n := uint32(0), insts.list.len(); k < n; k++ {
		i := insts.list.at(k)
		s.insts = append(s.insts, savedInstance{
			i, atomic.LoadUint64(&insts.key[i]), atomic.LoadUint64(&insts.now[i]), atomic.LoadUint64(&insts.action[i]),
		})
	}
}

// restore is the feedback of the run that led to the state, as if that had
// just been played. What the run has reported before it called Resume is
// forgotten.
func (s *Saved) restore() {
	clearFeedback()
	copy(Cov[CovBase:CovBase+numCounters], s.counters)
	atomic.StoreUint32(&event, s.event)
	atomic.StoreUint64(&xorNow, s.xor)
	random.seed, random.node, random.draws = s.seed, s.node, s.draws
	s.restoreMaps()
	for _, b := range s.bins {
		covered.add(uint32(b.mark), uint32(b.mark>>32))
		atomic.StoreUint64(&hits[uint32(b.mark)], b.hits)
	}
	for _, i := range s.insts {
		insts.list.add(i.index)
		atomic.StoreUint64(&insts.key[i.index], i.key)
		atomic.StoreUint64(&insts.now[i.index], i.now)
		atomic.StoreUint64(&insts.action[i.index], i.action)
	}
	program.restoreLive(s.groups, snapshots.moved)
}

func (s *Saved) restoreMaps() {
	for _, c := range s.cells {
		m.cellList.add(c.mark)
		atomic.StoreUint32(&m.cell[uint16(c.mark)], uint32(c.hits))
	}
	for _, p := range s.pairs {
		m.pairList.add(p)
		m.pair[uint16(p)] = 1
	}
	for _, v := range s.slots {
		m.slotList.add(v.index)
		atomic.StoreUint64(&m.slotVal[v.index], v.value)
		atomic.StoreUint32(&m.slotAt[v.index], v.at)
		atomic.StoreUint32(&m.slotDone[v.index], v.done)
	}
	for _, h := range s.held {
		m.heldList.add(h.id)
		atomic.StoreUint64(&m.held[h.id], h.value)
		atomic.StoreUint32(&m.dirty[h.id], h.dirty)
	}
}

// saveLive copies the instances of all groups to the memory of old.
func (r *registry) saveLive(old []savedLive) []savedLive {
	r.Lock()
	groups := r.groups
	r.Unlock()
	for len(old) < len(groups) {
		old = append(old, savedLive{})
	}
	for k, g := range groups {
		if g.live.words == 0 {
			continue
		}
		g.mu.Lock()
		g.live.save(&old[k])
		g.mu.Unlock()
	}
	return old
}

func (r *registry) restoreLive(saved []savedLive, moved []move) {
	r.Lock()
	groups := r.groups
	r.Unlock()
	for k, g := range groups {
		if g.live.words == 0 || k >= len(saved) {
			continue
		}
		g.mu.Lock()
		g.live.restore(&saved[k], moved)
		g.mu.Unlock()
	}
}

func (l *live) save(s *savedLive) {
	s.state = append(s.state[:0], l.state[:l.n*l.words]...)
	s.key = append(s.key[:0], l.key[:l.n]...)
	s.object = append(s.object[:0], l.object[:l.n]...)
	s.again = append(s.again[:0], l.again[:l.n]...)
	s.hand = l.hand
}

func (l *live) restore(s *savedLive, moved []move) {
	l.clear()
	copy(l.state, s.state)
	copy(l.key, s.key)
	copy(l.object, s.object)
	copy(l.again, s.again)
	l.n, l.hand = len(s.key), s.hand
	for i := range s.object {
		if s.object[i] != nil {
			l.move(i, moved)
		}
		h := headOf(l.key[i])
		l.next[i], l.head[h] = l.head[h], int16(i+1)
	}
}

// move makes an instance the one that its object is now.
func (l *live) move(i int, moved []move) {
	for _, v := range moved {
		if address(v.from) == l.key[i] {
			l.key[i], l.object[i] = address(v.to), v.to
			return
		}
	}
}
