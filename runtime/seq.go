package ijon

import (
	"errors"
	"fmt"
)

// maxEvents bounds the events of a group: a bit each.
const maxEvents = 64

// A sequence is a nondeterministic automaton in the bits of a word: bit k is
// set while an attempt has seen k events.
type sequence struct {
	steps   []seqStep
	prefix  []uint32 // bin of each step
	vacuous uint32   // bin
	word    int      // of an instance: the state
}

type seqStep struct {
	event, forbid uint64 // bits of the sample
	next          bool
}

// sample moves all attempts, and begins one if the first event holds.
func (q *sequence) sample(words []uint64, events uint64) {
	before := words[q.word]
	now := uint64(0)
	for k := 1; before>>uint(k) != 0; k++ {
		if before>>uint(k)&1 == 0 {
			continue
		}
		step := &q.steps[k]
		if events&step.event != 0 {
			now |= 2 << uint(k)
			hitBin(q.prefix[k])
		}
		if !step.next && events&step.forbid == 0 {
			now |= 1 << uint(k)
		}
	}
	if now>>uint(len(q.steps)) != 0 { // a match
		now = 0
	}
	if events&q.steps[0].event != 0 {
		now |= 2
		hitBin(q.prefix[0])
	} else if before == 0 {
		hitBin(q.vacuous)
	}
	words[q.word] = now
}

func (b *builder) seq(s *SeqSpec) error {
	if err := b.begin("seq", &s.ItemSpec); err != nil {
		return err
	}
	n := len(s.Steps)
	if n < 2 || n > maxPositions {
		return fmt.Errorf("%d steps, want 2 to %d", n, maxPositions)
	}
	q := sequence{word: b.word()}
	for i := range s.Steps {
		step, err := b.seqStep(i, &s.Steps[i])
		if err != nil {
			return fmt.Errorf("step %d: %v", i, err)
		}
		c, err := b.bin(BinInfo{Name: fmt.Sprintf("%d/%d %s", i+1, n, b.spec.Events[s.Steps[i].Event])})
		if err != nil {
			return err
		}
		q.steps, q.prefix = append(q.steps, step), append(q.prefix, uint32(c))
	}
	c, err := b.bin(BinInfo{Name: "vacuous", Kind: Info})
	q.vacuous = uint32(c)
	b.group.seqs = append(b.group.seqs, q)
	return err
}

func (b *builder) seqStep(i int, s *SeqStep) (step seqStep, err error) {
	if step.event, err = b.event(s.Event); err != nil {
		return step, err
	}
	if len(s.Forbid) > 0 && (i == 0 || s.Next) {
		return step, errors.New("nothing lies in between in which an event is forbidden")
	}
	for _, f := range s.Forbid {
		bit, err := b.event(f)
		if err != nil {
			return step, err
		}
		step.forbid |= bit
	}
	step.next = s.Next
	return step, nil
}

func (b *builder) event(i int) (bit uint64, err error) {
	if i < 0 || i >= len(b.spec.Events) {
		return 0, fmt.Errorf("there is no event %d: the group has %d", i, len(b.spec.Events))
	}
	return 1 << uint(i), nil
}
