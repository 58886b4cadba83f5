package fuzz

import "github.com/ijongo/ijongo/fuzz/mutate"

// An entry is an input that is kept.
type entry struct {
	mutate.Parent
	birth int32  // its number
	base  []byte // the start that its run went on from; nil if that was made anew
}

// maxMarks bounds the marks of an entry; the last ones are kept.
const maxMarks = 8

// marks are the units of the run up to each event in which something of set,
// max or the archive was new. Called before the run is learned.
func (s *seen) marks(f *feedback) (list []int) {
	for i, t := range f.cells {
		if countClass(f.hits[i])&^s.cell[t.Element] != 0 && !s.notes.muted(t.ID) {
			list = addMark(list, int(t.Event)+1)
		}
	}
	for _, r := range f.slots {
		if i, ok := s.slotOf[slotKey(r)]; (!ok || r.Value > s.slots[i].value) && !s.notes.muted(r.ID) {
			list = addMark(list, int(r.Event)+1)
		}
	}
	for _, t := range f.bins {
		if b := s.goals.bin(t.Element); b.wanted && !b.seen && !s.notes.muted(t.ID) {
			list = addMark(list, int(t.Event)+1)
		}
	}
	if until := s.archive.look(f).until; until > 0 {
		list = addMark(list, until)
	}
	return list
}

// addMark keeps list rising, without doubles, and short.
func addMark(list []int, unit int) []int {
	i := len(list)
	for i > 0 && list[i-1] > unit {
		i--
	}
	if i > 0 && list[i-1] == unit {
		return list
	}
	list = append(list, 0)
	copy(list[i+1:], list[i:])
	list[i] = unit
	if len(list) > maxMarks {
		list = list[1:]
	}
	return list
}
