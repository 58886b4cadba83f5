package mutate

import ijon "github.com/ijongo/ijongo/runtime"

// changes are those to a schedule that has events.
func (s *scheduler) changes(v Vocabulary) []mutator {
	list := []mutator{
		{"field", 2, s.changeField},
		{"adjust", 1, s.adjustField},
		{"event", 1, s.changeEvent},
		{"insert", 1, s.insert},
		{"delete", 2, s.remove},
		{"repeat", 1, s.repeat},
		{"swap", 1, s.swap},
		{"retime", 1, s.retime},
		{"retarget", 1, s.retarget},
		{"splice", 1, s.splice},
		{"cross", 1, s.cross},
		{"extend", 1, s.regrow},
	}
	if s.header > 0 {
		list = append(list, mutator{"header", 1, s.changeHeader})
	}
	return v.use(list, s.words, mutator{"operands", 1, s.operands}, mutator{"token", 1, s.token})
}

// window is a window of events, mostly a small one.
func (s *scheduler) window(n int) (at, size int) {
	size = 1 + s.rng.Intn(least(n, 1<<uint(s.rng.Intn(7))))
	return s.rng.Intn(n - size + 1), size
}

// part is the bytes of a window.
func (s *scheduler) part(input []byte, at, size int) []byte { return input[s.at(at):s.at(at+size)] }

func (s *scheduler) changeHeader(input []byte) []byte {
	input[s.rng.Intn(s.header)] = byte(s.rng.Next())
	return input
}

// operand is the offset of a byte of an event, its kind only if it has nothing
// else.
func (s *scheduler) operand(input []byte) int {
	at := s.at(s.rng.Intn(s.Units(input)))
	if s.record > 1 {
		at += 1 + s.rng.Intn(s.record-1)
	}
	return at
}

func (s *scheduler) changeField(input []byte) []byte {
	if s.record == 1 {
		input[s.operand(input)] = s.swarm.kind(s.rng)
	} else {
		input[s.operand(input)] = byte(s.rng.Next())
	}
	return input
}

// adjustField adds a little to a byte of an event, or takes it away.
func (s *scheduler) adjustField(input []byte) []byte {
	by := 1 + s.rng.Intn(8)
	if s.rng.Intn(2) == 0 {
		by = -by
	}
	input[s.operand(input)] += byte(by)
	return input
}

func (s *scheduler) changeEvent(input []byte) []byte {
	s.renewEvent(input, s.rng.Intn(s.Units(input)))
	return input
}

func (s *scheduler) renewEvent(input []byte, n int) {
	event := s.part(input, n, 1)
	s.rng.Fill(event)
	event[0] = s.swarm.kind(s.rng)
}

func (s *scheduler) insert(input []byte) []byte {
	if s.room(input) == 0 {
		return input
	}
	at := s.rng.Intn(s.Units(input) + 1)
	input = open(input, s.at(at), s.record)
	s.renewEvent(input, at)
	return input
}

func (s *scheduler) remove(input []byte) []byte {
	at, size := s.window(s.Units(input))
	return remove(input, s.at(at), size*s.record)
}

// repeat plays a window of events again behind itself, up to four times.
func (s *scheduler) repeat(input []byte) []byte {
	at, size := s.window(s.Units(input))
	for times := 1 + s.rng.Intn(4); times > 0 && size <= s.room(input); times-- {
		input = open(input, s.at(at+size), size*s.record)
		copy(input[s.at(at+size):], s.part(input, at, size))
	}
	return input
}

func (s *scheduler) swap(input []byte) []byte {
	n := s.Units(input)
	x, y := s.part(input, s.rng.Intn(n), 1), s.part(input, s.rng.Intn(n), 1)
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
	return input
}

// retime moves a window of events by rotating it with its neighbourhood.
func (s *scheduler) retime(input []byte) []byte {
	n := s.Units(input)
	at, size := s.window(n)
	if size < 2 {
		at, size = 0, n
	}
	rotate(s.part(input, at, size), s.rng.Intn(size)*s.record)
	return input
}

// splice puts a window of another schedule over, or between, the events of
// input: mostly one that ends where the other one came to something new.
func (s *scheduler) splice(input []byte) []byte {
	other := s.other.Data
	m := s.Units(other)
	if m == 0 {
		return input
	}
	from, size := s.window(m)
	if mark := s.mark(s.other); mark > 0 && s.rng.Intn(4) > 0 {
		if from = mark - size; from < 0 {
			from, size = 0, mark
		}
	}
	at := s.rng.Intn(s.Units(input) + 1)
	part := s.part(other, from, size)
	if s.rng.Intn(2) == 0 && size <= s.room(input) {
		input = open(input, s.at(at), len(part))
	}
	copy(input[s.at(at):], part)
	return input
}

// mark is the number of events up to and with one of an entry that brought
// something new; 0 if none is known.
func (s *scheduler) mark(e *Parent) int {
	if len(e.Marks) == 0 {
		return 0
	}
	return least(e.Marks[s.rng.Intn(len(e.Marks))], s.Units(e.Data))
}

// cross goes on with the rest of another schedule from some event on: from the
// same event of it, or from any.
func (s *scheduler) cross(input []byte) []byte {
	other := s.other.Data
	n, m := s.Units(input), s.Units(other)
	if m == 0 {
		return input
	}
	at := s.rng.Intn(n + 1)
	if mark := s.mark(s.parent); mark > 0 && s.rng.Intn(2) == 0 {
		at = least(mark, n)
	}
	from := at
	if from >= m || s.rng.Intn(2) == 0 {
		from = s.rng.Intn(m)
	}
	input = input[:s.at(at)]
	return append(input, s.part(other, from, least(m-from, s.room(input)))...)
}

// regrow goes on in a new way from an event near the end.
func (s *scheduler) regrow(input []byte) []byte {
	n := s.Units(input)
	s.swarm.renew(s.rng)
	at := n - s.rng.Intn(least(n, BurstMax)+1)
	return s.Grow(input[:s.at(at)], 1+s.rng.Intn(BurstMax))
}

// retarget lets the events of a window happen to others: two nodes change
// places in all of them, or one takes the place of the other. Where the harness
// does not say which bytes pick a node, two values of a byte do.
func (s *scheduler) retarget(input []byte) []byte {
	n := s.Units(input)
	at, size := s.window(n)
	if s.rng.Intn(4) == 0 {
		size = n - at // from here on
	}
	t := turn{both: s.rng.Intn(2) == 0}
	if nodes := s.layout.Nodes; nodes != nil {
		if t.nodes = nodes(input[:s.header]); t.nodes < 2 {
			return input
		}
		t.a = s.rng.Intn(t.nodes)
		t.b = (t.a + 1 + s.rng.Intn(t.nodes-1)) % t.nodes
		for ; size > 0; at, size = at+1, size-1 {
			event := s.part(input, at, 1)
			t.event(event, s.layout.Kinds[int(event[0])%len(s.layout.Kinds)].Fields)
		}
		return input
	}
	column := s.operand(input) - s.header
	column %= s.record
	part := s.part(input, at, size)
	t.a = int(part[s.rng.Intn(size)*s.record+column])
	t.b = int(part[s.rng.Intn(size)*s.record+column])
	if t.a == t.b {
		t.b = s.rng.Intn(256)
	}
	for i := column; i < len(part); i += s.record {
		part[i] = byte(t.of(int(part[i])))
	}
	return input
}

// A turn puts a in the place of b, and with both also b in the place of a.
type turn struct {
	a, b  int
	both  bool
	nodes int
}

func (t *turn) of(v int) int {
	switch {
	case v == t.b:
		return t.a
	case v == t.a && t.both:
		return t.b
	}
	return v
}

// event turns the fields of an event that pick nodes.
func (t *turn) event(event []byte, fields []ijon.Field) {
	for i, f := range fields {
		if 1+i >= len(event) {
			return
		}
		v := int(event[1+i])
		switch {
		case f == ijon.FieldNode, f == ijon.FieldNodeOrRole && v < ijon.FirstRole:
			event[1+i] = t.moved(event[1+i], v%t.nodes, t.of(v%t.nodes))
		case f == ijon.FieldLink:
			link := v % (t.nodes * t.nodes)
			event[1+i] = t.moved(event[1+i], link, t.of(link/t.nodes)*t.nodes+t.of(link%t.nodes))
		}
	}
}

// moved is a byte that picked one thing and now picks another one.
func (t *turn) moved(b byte, from, to int) byte {
	if from == to {
		return b
	}
	return byte(to)
}

// token overwrites bytes of an event with a word of the dictionary.
func (s *scheduler) token(input []byte) []byte {
	word := s.words[s.rng.Intn(len(s.words))]
	at := s.at(s.rng.Intn(s.Units(input))) + 1 + s.rng.Intn(s.record-len(word))
	copy(input[at:], word)
	return input
}

// rotate moves the first n bytes to the end.
func rotate(p []byte, n int) {
	reverse(p[:n])
	reverse(p[n:])
	reverse(p)
}

func reverse(p []byte) {
	for i, j := 0, len(p)-1; i < j; i, j = i+1, j-1 {
		p[i], p[j] = p[j], p[i]
	}
}
