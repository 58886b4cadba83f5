package mutate

import (
	"encoding/binary"
	"strconv"
)

// changes are those to an input that has bytes: the ones of AFL++'s havoc
// (Fioraldi, Maier, Eißfeldt, Heuse, "AFL++", WOOT 2020).
func (s *scribe) changes(v Vocabulary) []mutator {
	return v.use([]mutator{
		{"flip", 3, s.flip},
		{"byte", 4, s.overwrite},
		{"add", 3, s.add},
		{"interesting", 2, s.interesting},
		{"negate", 1, s.negate},
		{"delete", 3, s.delete},
		{"insert", 2, s.insert},
		{"fill", 1, s.fill},
		{"clone", 2, s.clone},
		{"switch", 1, s.exchange},
		{"shuffle", 1, s.shuffle},
		{"number", 1, s.number},
		{"splice", 1, s.splice},
		{"cross", 1, s.cross},
	}, s.words, mutator{"operands", 2, s.operands}, mutator{"token", 1, s.token})
}

// block is a block of n bytes, mostly a small one.
func (s *scribe) block(n int) (at, size int) {
	size = 1 + s.rng.Intn(least(n, 1<<uint(s.rng.Intn(10))))
	return s.rng.Intn(n - size + 1), size
}

func (s *scribe) flip(input []byte) []byte {
	input[s.rng.Intn(len(input))] ^= 1 << uint(s.rng.Intn(8))
	return input
}

func (s *scribe) overwrite(input []byte) []byte {
	input[s.rng.Intn(len(input))] = byte(s.rng.Next())
	return input
}

func (s *scribe) negate(input []byte) []byte {
	input[s.rng.Intn(len(input))] ^= 0xff
	return input
}

// A word is bytes of the input as a number.
type word struct {
	bytes []byte
	big   bool
}

// word is a number of 1, 2, 4 or 8 bytes somewhere in input.
func (s *scribe) word(input []byte) word {
	width := 1 << uint(s.rng.Intn(4))
	if width > len(input) {
		width = 1
	}
	at := s.rng.Intn(len(input) - width + 1)
	return word{input[at : at+width], s.rng.Intn(2) == 0}
}

func (w word) value() uint64 {
	var all [8]byte
	if w.big {
		copy(all[8-len(w.bytes):], w.bytes)
		return binary.BigEndian.Uint64(all[:])
	}
	copy(all[:], w.bytes)
	return binary.LittleEndian.Uint64(all[:])
}

func (w word) set(v uint64) {
	var all [8]byte
	if w.big {
		binary.BigEndian.PutUint64(all[:], v)
		copy(w.bytes, all[8-len(w.bytes):])
		return
	}
	binary.LittleEndian.PutUint64(all[:], v)
	copy(w.bytes, all[:])
}

// add adds a little to a number, or takes it away.
func (s *scribe) add(input []byte) []byte {
	w := s.word(input)
	w.set(w.value() + uint64(s.rng.Intn(71)) - 35)
	return input
}

// interesting are values next to which programs decide.
var interesting = [...]uint64{
	0, 1, ^uint64(0), 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000,
	0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1<<63 - 1, 1 << 63,
	10, 16, 32, 64, 100, 127, 1000, 1024, 4096,
}

func (s *scribe) interesting(input []byte) []byte {
	s.word(input).set(interesting[s.rng.Intn(len(interesting))])
	return input
}

func (s *scribe) delete(input []byte) []byte {
	at, size := s.block(len(input))
	return remove(input, at, size)
}

// insert inserts a few random bytes.
func (s *scribe) insert(input []byte) []byte {
	size := least(1+s.rng.Intn(firstBytes), s.room(input))
	at := s.rng.Intn(len(input) + 1)
	input = open(input, at, size)
	s.rng.Fill(input[at : at+size])
	return input
}

// fill overwrites a block with, or inserts, one byte many times.
func (s *scribe) fill(input []byte) []byte {
	at, size := s.block(len(input))
	b := input[s.rng.Intn(len(input))]
	if s.rng.Intn(2) == 0 {
		b = byte(s.rng.Next())
	}
	if s.rng.Intn(2) == 0 && size <= s.room(input) {
		input = open(input, at, size)
	}
	for i := at; i < at+size; i++ {
		input[i] = b
	}
	return input
}

// clone copies a block over, or between, other bytes.
func (s *scribe) clone(input []byte) []byte {
	at, size := s.block(len(input))
	return s.paste(input, input[at:at+size])
}

// exchange lets two blocks change places that follow each other.
func (s *scribe) exchange(input []byte) []byte {
	at, size := s.block(len(input))
	rotate(input[at:at+size], s.rng.Intn(size))
	return input
}

func (s *scribe) shuffle(input []byte) []byte {
	at, size := s.block(len(input))
	p := input[at : at+size]
	for i := range p {
		j := s.rng.Intn(i + 1)
		p[i], p[j] = p[j], p[i]
	}
	return input
}

// maxDigits bounds the decimal numbers that are changed: those of 64 bits.
const maxDigits = 20

// number changes a decimal number in the text, or writes one.
func (s *scribe) number(input []byte) []byte {
	at, end := digits(input, s.rng.Intn(len(input)))
	v := uint64(0)
	for _, d := range input[at:end] {
		v = 10*v + uint64(d-'0')
	}
	switch s.rng.Intn(5) {
	case 0:
		v++
	case 1:
		v--
	case 2:
		v *= 2
	case 3:
		v /= 2
	default:
		v = s.rng.Next() >> uint(s.rng.Intn(64))
	}
	var text [maxDigits]byte
	return s.put(input, at, end, strconv.AppendUint(text[:0], v, 10))
}

// digits is the decimal number nearest behind a place, at most maxDigits long;
// empty at the place if there is none.
func digits(input []byte, from int) (at, end int) {
	for at = from; at < len(input) && !isDigit(input[at]); at++ {
	}
	if at == len(input) {
		return from, from
	}
	for at > 0 && isDigit(input[at-1]) {
		at--
	}
	for end = at; end < len(input) && end < at+maxDigits && isDigit(input[end]); end++ {
	}
	return at, end
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// put replaces bytes by others, as far as there is room.
func (s *scribe) put(input []byte, at, end int, by []byte) []byte {
	if more := len(by) - (end - at); more > s.room(input) {
		return input
	} else if more > 0 {
		input = open(input, end, more)
	} else if more < 0 {
		input = remove(input, end+more, -more)
	}
	copy(input[at:], by)
	return input
}

// splice puts a block of another input over, or between, the bytes of input.
func (s *scribe) splice(input []byte) []byte {
	other := s.other.Data
	if len(other) == 0 {
		return input
	}
	at, size := s.block(len(other))
	return s.paste(input, other[at:at+size])
}

// cross goes on with the rest of another input.
func (s *scribe) cross(input []byte) []byte {
	other := s.other.Data
	if len(other) == 0 {
		return input
	}
	input = input[:s.rng.Intn(len(input)+1)]
	rest := other[s.rng.Intn(len(other)):]
	return append(input, rest[:least(len(rest), s.room(input))]...)
}

// token puts a word of the dictionary over, or between, the bytes of input.
func (s *scribe) token(input []byte) []byte {
	return s.paste(input, s.words[s.rng.Intn(len(s.words))])
}

// paste puts a block over, or between, the bytes of input. The block may be
// one of input itself.
func (s *scribe) paste(input, block []byte) []byte {
	at := s.rng.Intn(len(input) + 1)
	if s.rng.Intn(2) == 0 && len(block) <= s.room(input) {
		// At the end first: opening a gap would move a block of input itself.
		end := len(input)
		input = append(input, block...)
		rotate(input[at:], end-at)
		return input
	}
	copy(input[at:], block)
	return input
}
