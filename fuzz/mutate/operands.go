package mutate

import (
	"bytes"
	"strconv"

	ijon "github.com/ijongo/ijongo/runtime"
)

// What an annotation has compared in the run of an entry is often part of its
// input, copied or as a number: then the other side in its place makes the
// comparison true (Aschermann, Schumilo, Blazytko, Gawlik, Holz, "REDQUEEN:
// fuzzing with input-to-state correspondence", NDSS 2019).

// An exchange is one side of a comparison and what is to stand in its place.
type exchange struct {
	from, to []byte
	scratch  [2][maxForm]byte // for numbers
}

const (
	maxForm = maxDigits + 1 // bytes of a number in any form
	forms   = 9             // of a number: 1, 2, 4 or 8 bytes in both orders, and decimal
)

// comparison draws what a parent's run has compared, with one side as from.
func (h *havoc) comparison() (o *ijon.Operands, swapped bool) {
	list := h.parent.Operands
	if len(list) == 0 {
		if list = h.other.Operands; len(list) == 0 {
			return nil, false
		}
	}
	return &list[h.rng.Intn(len(list))], h.rng.Intn(2) == 0
}

// texts is the exchange of two strings.
func (h *havoc) texts(o *ijon.Operands, swapped bool) *exchange {
	x := &h.exchange
	x.from, x.to = o.TextA.Bytes(), o.TextB.Bytes()
	if swapped {
		x.from, x.to = x.to, x.from
	}
	return x
}

// numbers is the exchange of two numbers in one form; nil if they do not have
// that form. Now and then the second one is the next or the one before, for
// comparisons that are no equalities.
func (h *havoc) numbers(o *ijon.Operands, swapped bool, form int) *exchange {
	a, b := o.A, o.B
	if swapped {
		a, b = b, a
	}
	b += uint64([...]int{0, 0, 0, 0, 1, -1}[h.rng.Intn(6)])
	x := &h.exchange
	x.from, x.to = spell(x.scratch[0][:0], a, form), spell(x.scratch[1][:0], b, form)
	if len(x.from) == 0 || len(x.to) == 0 {
		return nil
	}
	return x
}

// spell writes v in a form, if it fits.
func spell(buf []byte, v uint64, form int) []byte {
	if form == forms-1 {
		return strconv.AppendInt(buf, int64(v), 10)
	}
	width := 1 << uint(form/2)
	if !fits(v, width) {
		return buf
	}
	buf = buf[:width]
	word{buf, form%2 == 1}.set(v)
	return buf
}

// fits tells whether width bytes hold v, with a sign or without one.
func fits(v uint64, width int) bool {
	unused := uint(64 - 8*width)
	return v<<unused>>unused == v || uint64(int64(v<<unused)>>unused) == v
}

// alike finds the string, or at least what it has in common with the one that
// is to take its place; at is -1 if that is nowhere.
func (x *exchange) alike(input []byte, find func(input, part []byte) int) (at, size int) {
	if at := find(input, x.from); at >= 0 {
		return at, len(x.from)
	}
	n := 0
	for n < len(x.from) && n < len(x.to) && x.from[n] == x.to[n] {
		n++
	}
	return find(input, x.to[:n]), n
}

// replacement draws an exchange for what a parent's run has compared, and finds its
// place; at is -1 if there is none. It is nil if nothing was compared.
func (h *havoc) replacement(input []byte, find func(input, part []byte) int) (x *exchange, at, size int) {
	o, swapped := h.comparison()
	if o == nil {
		return nil, -1, 0
	}
	if o.Text {
		x = h.texts(o, swapped)
		at, size = x.alike(input, find)
		return x, at, size
	}
	first := h.rng.Intn(forms)
	for k := 0; k < forms; k++ {
		if x := h.numbers(o, swapped, (first+k)%forms); x != nil {
			if at := find(input, x.from); at >= 0 {
				return x, at, len(x.from)
			}
		}
	}
	return h.numbers(o, swapped, forms-1), -1, 0
}

// operands puts one side of a comparison in the place of the other, or
// anywhere.
func (s *scribe) operands(input []byte) []byte {
	x, at, size := s.replacement(input, s.find)
	switch {
	case x == nil:
		return input
	case at < 0:
		return s.paste(input, x.to)
	}
	return s.put(input, at, at+size, x.to)
}

// find is a place of part in input, looked for from anywhere on; -1 if there
// is none.
func (s *scribe) find(input, part []byte) int {
	if len(part) == 0 {
		return -1
	}
	from := s.rng.Intn(len(input))
	if at := bytes.Index(input[from:], part); at >= 0 {
		return from + at
	}
	return bytes.Index(input, part)
}

// operands puts one side of a comparison in the place of the other in an event,
// behind its kind, or in the header, as far as it fits.
func (s *scheduler) operands(input []byte) []byte {
	x, at, _ := s.replacement(input, s.find)
	if x == nil {
		return input
	}
	if at < 0 {
		at = s.operand(input)
	}
	end := s.header
	if at >= s.header {
		end = s.at((at-s.header)/s.record + 1)
	}
	copy(input[at:end], x.to)
	return input
}

// find is a place of part in an event behind its kind, or in the header; -1 if
// there is none. It is looked for from anywhere on.
func (s *scheduler) find(input, part []byte) int {
	if len(part) == 0 || len(part) > s.header && len(part) >= s.record {
		return -1
	}
	from := s.rng.Intn(len(input))
	if at := s.next(input, part, from); at >= 0 {
		return at
	}
	return s.next(input, part, 0)
}

// next is the first place of part from some byte on.
func (s *scheduler) next(input, part []byte, from int) int {
	for {
		at := bytes.Index(input[from:], part)
		if at < 0 {
			return -1
		}
		if from += at; s.within(from, len(part)) {
			return from
		}
		from++
	}
}

// within tells whether so many bytes are in the header, or in one event behind
// its kind.
func (s *scheduler) within(at, size int) bool {
	if at < s.header {
		return at+size <= s.header
	}
	at = (at - s.header) % s.record
	return at > 0 && at+size <= s.record
}
