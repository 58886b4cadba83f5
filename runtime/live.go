package ijon

// maxLive bounds the instances of a group that are known at once. When there
// are more, one that was not sampled for long is forgotten.
const maxLive = 256

const numHeads = 2 * maxLive

// live is the instances of a group and their state, a few words each. It is
// made when the group is declared, so that a sample does not allocate.
type live struct {
	words  int      // of an instance
	state  []uint64 // of all instances
	key    []uint64
	object []interface{} // keeps the instance that is an address from being another one
	next   []int16       // instance with the same hash, plus 1
	head   []int16       // by hash: instance, plus 1
	again  []bool        // whether it was sampled again since the hand was there
	hand   int           // goes round the instances when there are maxLive
	n      int
	forgot bool // one of them, at some time
}

func (l *live) make(words int) {
	l.words = words
	if words == 0 {
		return
	}
	l.state = make([]uint64, words*maxLive)
	l.key = make([]uint64, maxLive)
	l.object = make([]interface{}, maxLive)
	l.next = make([]int16, maxLive)
	l.head = make([]int16, numHeads)
	l.again = make([]bool, maxLive)
}

func headOf(key uint64) uint64 { return mix(key) % numHeads }

// find finds or makes an instance.
func (l *live) find(key uint64, object interface{}) int {
	h := headOf(key)
	for i := l.head[h]; i != 0; i = l.next[i-1] {
		if l.key[i-1] == key {
			l.again[i-1] = true
			return int(i - 1)
		}
	}
	i := l.n
	if i < maxLive {
		l.n++
	} else {
		i = l.oldest()
		l.unlink(i)
		l.forgot = true
	}
	l.again[i] = false
	l.key[i], l.object[i] = key, object
	l.next[i], l.head[h] = l.head[h], int16(i+1)
	words := l.of(i)
	for w := range words {
		words[w] = 0
	}
	return i
}

// oldest is an instance that was not sampled for a turn of the hand, as a page
// is chosen in a cache with second chances.
func (l *live) oldest() int {
	for {
		i := l.hand
		l.hand = (l.hand + 1) % maxLive
		if !l.again[i] {
			return i
		}
		l.again[i] = false
	}
}

// unlink takes an instance out of the list of its hash.
func (l *live) unlink(i int) {
	at := &l.head[headOf(l.key[i])]
	for *at != int16(i+1) {
		at = &l.next[*at-1]
	}
	*at = l.next[i]
}

// of is the state of an instance.
func (l *live) of(i int) []uint64 { return l.state[i*l.words : (i+1)*l.words] }

// clear forgets all instances.
func (l *live) clear() {
	for i := 0; i < l.n; i++ {
		l.head[headOf(l.key[i])] = 0
		l.object[i] = nil
	}
	l.n, l.hand = 0, 0
}
