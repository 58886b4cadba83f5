package rewrite

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/ijongo/ijongo/annot"
	ijon "github.com/ijongo/ijongo/runtime"
)

// maxEvents is how many bits a sample has for them.
const maxEvents = 64

// An event is a condition that a sequence is about.
type event struct {
	*member
	cond *annot.Expr
	bit  int
}

// events are the different conditions of the group's sequences, in the order
// of their bits. What reads the same is the same.
func (r *resolver) events() (list []event) {
	for _, m := range r.g.members {
		if m.Seq == nil {
			continue
		}
		for _, ev := range m.Seq.Events {
			for _, cond := range append([]*annot.Expr{ev.Cond}, ev.Not...) {
				if !slices.ContainsFunc(list, func(have event) bool { return have.cond.Text == cond.Text }) {
					list = append(list, event{m, cond, len(list)})
				}
			}
		}
	}
	return list
}

// event checks an event at a place and makes the text of its bit.
func (r *resolver) event(ev event, at *place) string {
	b := r.builder(at, ev.Directive)
	b.names = r.pointNames()
	defer r.take(b, at)
	e, err := r.local(ev.member, ev.cond, at, r.g.points...)
	if err != nil {
		b.errs = append(b.errs, err)
		return ""
	}
	x := b.operand(e)
	if len(b.errs) > 0 {
		return ""
	}
	if x.constant {
		b.fail(e, token.NoPos, "leave it out", "%s is constant", ev.cond.Text)
		return ""
	}
	text := b.boolean(x)
	if followed := at.untested(b); b.wild || len(followed) > 0 {
		text = b.protected("bool", "0 != 0", b.ifNil(followed, "0 != 0")+"return "+text)
	}
	return b.invoke("event", text, fmt.Sprint(uint64(1)<<ev.bit))
}

// seq makes the spec of a sequence.
func (r *resolver) seq(m *member, item ijon.ItemSpec) {
	s := ijon.SeqSpec{ItemSpec: item}
	list := r.events()
	if len(list) > maxEvents {
		r.failAt(m.Pos, "use two groups", "the sequences of group %s have %d events, more than %d", r.g.name, len(list), maxEvents)
		return
	}
	bit := func(cond *annot.Expr) int {
		return slices.IndexFunc(list, func(have event) bool { return have.cond.Text == cond.Text })
	}
	for _, ev := range m.Seq.Events {
		step := ijon.SeqStep{Event: bit(ev.Cond), Next: ev.Op == annot.OpNext}
		for _, not := range ev.Not {
			step.Forbid = append(step.Forbid, bit(not))
		}
		s.Steps = append(s.Steps, step)
	}
	r.g.spec.Events = r.g.spec.Events[:0]
	for _, ev := range list {
		r.g.spec.Events = append(r.g.spec.Events, ev.cond.Text)
	}
	r.g.spec.Seqs = append(r.g.spec.Seqs, s)
}
