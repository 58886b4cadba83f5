package campaign

import (
	"fmt"
	"sync"
)

// keep is how much of a target's output is kept at either end.
const keep = 32 << 10

// An output keeps the beginning and the end of what a target prints: a panic
// is at the end, what led to it often at the beginning.
type output struct {
	mu   sync.Mutex
	head []byte
	tail [keep]byte
	n    int // bytes behind the head
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	rest := p
	if room := keep - len(o.head); room > 0 {
		k := min(room, len(rest))
		o.head = append(o.head, rest[:k]...)
		rest = rest[k:]
	}
	for len(rest) > 0 {
		k := copy(o.tail[o.n%keep:], rest)
		o.n += k
		rest = rest[k:]
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.n <= keep {
		return string(o.head) + string(o.tail[:o.n])
	}
	at := o.n % keep
	return fmt.Sprintf("%s\n[... %d bytes left out ...]\n%s%s", o.head, o.n-keep, o.tail[at:], o.tail[:at])
}
