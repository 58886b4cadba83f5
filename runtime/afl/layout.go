package afl

import "unsafe"

const (
	areaSize = 1 << 16 // bytes for what is not an edge, as IJON has it
	slotSize = 4096    // bytes of IJON's max slots
	mapMost  = 8 << 20 // that the first handshake can say
	unit     = 64      // the tool rounds the size of a map up to this
	edgeMost = mapMost - areaSize - slotSize
)

// A layout says where things are in the map:
//
//	0       1, so that no map is empty
//	k       edge counters
//	area    65536 bytes of set, inc, bins and levels, if there may be any
//	slots   512 words of IJON, if the tool knows them and there is an area
type layout struct {
	k     int // index of counter 0
	edges int // counters that there is room for
	area  int
	room  int // size of the area
}

// layoutOf puts counter 0 where it is in the pages of the counters' memory,
// so that these may become pages of the map. They do if k is positive.
func layoutOf(p Program, s *Settings, page int) layout {
	l := layout{k: p.First - p.head(page), edges: p.Counters}
	if l.k < 1 {
		l.k = 1
	}
	if l.k+l.edges > edgeMost {
		l.edges = edgeMost - l.k
	}
	l.area = roundUp(l.k+l.edges, unit)
	if !p.Plain && s.annotated() {
		l.room = areaSize
	}
	return l
}

// size is that of the map.
func (l layout) size(slots bool) int {
	if slots {
		return l.area + l.room + slotSize
	}
	return l.area + l.room
}

// head is the number of bytes of Cov before the first whole page.
func (p Program) head(page int) int {
	at := int(uintptr(unsafe.Pointer(&p.Cov[0])) % uintptr(page))
	return (page - at) % page
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
