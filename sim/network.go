package sim

// MaxNodes bounds the nodes of a network.
const MaxNodes = 16

// MaxQueue bounds the messages that wait on one link; more are lost.
const MaxQueue = 64

// A Network carries messages between nodes 0..n-1. Links are numbered
// from*n + to.
type Network struct {
	n        int
	queues   []queue          // n*n of them, or more
	cut      [MaxNodes]uint32 // cut[from] has bit to if the link is cut
	inFlight int
}

// Reset empties and heals the network, for n nodes.
func (w *Network) Reset(n int) {
	w.Clear()
	w.Heal()
	w.size(n)
}

// size makes w, which is empty, one for n nodes.
func (w *Network) size(n int) {
	w.n = n
	for len(w.queues) < n*n {
		w.queues = append(w.queues, queue{})
	}
}

// CopyFrom makes w equal to src, with a clone of each message. It keeps the
// memory that it has.
func (w *Network) CopyFrom(src *Network, clone func(interface{}) interface{}) {
	w.Clear()
	w.size(src.n)
	w.cut, w.inFlight = src.cut, src.inFlight
	for l := 0; l < src.n*src.n; l++ {
		from, to := &src.queues[l], &w.queues[l]
		for _, msg := range from.msgs[from.head:] {
			to.msgs = append(to.msgs, clone(msg))
		}
	}
}

// Send puts a message on the link. It is lost, and Send tells so, if the link
// is cut or its queue full.
func (w *Network) Send(from, to int, msg interface{}) bool {
	if !w.Accepts(from, to) {
		return false
	}
	w.queues[from*w.n+to].push(msg)
	w.inFlight++
	return true
}

// Accepts tells whether Send would not lose a message on the link, so that a
// harness need not copy one that is lost.
func (w *Network) Accepts(from, to int) bool {
	return !w.Cut(from, to) && w.queues[from*w.n+to].len() < MaxQueue
}

// InFlight is the number of messages that wait.
func (w *Network) InFlight() int { return w.inFlight }

// Waiting is the number of messages that wait on a link.
func (w *Network) Waiting(from, to int) int { return w.queues[from*w.n+to].len() }

// Visit shows every message that waits, link by link, the oldest first.
func (w *Network) Visit(f func(from, to int, msg interface{})) {
	for l := 0; l < w.n*w.n; l++ {
		q := &w.queues[l]
		for i := q.head; i < len(q.msgs); i++ {
			f(l/w.n, l%w.n, q.msgs[i])
		}
	}
}

// Open returns the first link from number a on, cyclically, that has a
// message and is not cut; -1 if there is none.
func (w *Network) Open(a int) int { return w.find(a, true) }

// Busy returns the first link from number a on, cyclically, that has a
// message; -1 if there is none.
func (w *Network) Busy(a int) int { return w.find(a, false) }

func (w *Network) find(a int, open bool) int {
	if w.inFlight == 0 {
		return -1
	}
	links := w.n * w.n
	for i, l := 0, a%links; i < links; i++ {
		if w.queues[l].len() > 0 && !(open && w.Cut(l/w.n, l%w.n)) {
			return l
		}
		if l++; l == links {
			l = 0
		}
	}
	return -1
}

// Link tells the two ends of a link.
func (w *Network) Link(link int) (from, to int) { return link / w.n, link % w.n }

// Take removes the first message of a link, to be delivered or dropped. It
// returns nil if there is none.
func (w *Network) Take(link int) interface{} {
	q := &w.queues[link]
	if q.len() == 0 {
		return nil
	}
	w.inFlight--
	return q.pop()
}

// Duplicate puts clone(the first message of a link) behind the last one.
func (w *Network) Duplicate(link int, clone func(interface{}) interface{}) {
	q := &w.queues[link]
	if n := q.len(); n == 0 || n == MaxQueue {
		return
	}
	q.push(clone(q.msgs[q.head]))
	w.inFlight++
}

// Reorder moves the first message of a link back behind the next k.
func (w *Network) Reorder(link, k int) {
	q := &w.queues[link]
	for i := q.head; i+1 < len(q.msgs) && k > 0; i, k = i+1, k-1 {
		q.msgs[i], q.msgs[i+1] = q.msgs[i+1], q.msgs[i]
	}
}

// Partition cuts the links from the nodes in one set to those in the other,
// and nothing else: a one-way partition. The sets are bit masks.
func (w *Network) Partition(from, to uint32) {
	for i := 0; i < w.n; i++ {
		if from>>uint(i)&1 != 0 {
			w.cut[i] |= to &^ (1 << uint(i))
		}
	}
}

// Heal mends every cut link.
func (w *Network) Heal() { w.cut = [MaxNodes]uint32{} }

// Cut tells whether a link is cut.
func (w *Network) Cut(from, to int) bool { return w.cut[from]>>uint(to)&1 != 0 }

// Clear loses every message that waits.
func (w *Network) Clear() {
	for l := 0; l < w.n*w.n; l++ {
		w.queues[l].clear()
	}
	w.inFlight = 0
}

// A queue is a first-in, first-out list that reuses its memory.
type queue struct {
	msgs []interface{}
	head int
}

func (q *queue) len() int { return len(q.msgs) - q.head }

func (q *queue) push(msg interface{}) {
	if q.head > 0 && len(q.msgs) == cap(q.msgs) {
		n := copy(q.msgs, q.msgs[q.head:])
		q.msgs, q.head = q.msgs[:n], 0
	}
	q.msgs = append(q.msgs, msg)
}

func (q *queue) pop() interface{} {
	msg := q.msgs[q.head]
	q.msgs[q.head] = nil
	if q.head++; q.head == len(q.msgs) {
		q.clear()
	}
	return msg
}

func (q *queue) clear() {
	for i := q.head; i < len(q.msgs); i++ {
		q.msgs[i] = nil
	}
	q.msgs, q.head = q.msgs[:0], 0
}
