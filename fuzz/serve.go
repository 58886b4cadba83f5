package fuzz

import (
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A server is the driver of mode serve: it runs what the campaign asks for.
type server struct {
	link     *link
	run      *runner
	timeline []string
	touch    bool
	declared bool // there are bins, so that pairs guide nothing
	feedback feedback
	cover    *coverage
	failed   error
}

func newServer(r *runner, link *link, cover *coverage) *server {
	return &server{link: link, run: r, cover: cover, declared: newGoals(newNotes(channels{}, "")).declared}
}

func (s *server) next() ([]byte, bool) {
	if s.link.stopped() {
		return nil, false
	}
	request, ok, err := s.link.request()
	if !ok {
		s.failed = err
		return nil, false
	}
	s.timeline, s.touch = nil, request.Touch
	ijon.SetPairing(!request.Touch || !s.declared)
	if request.Trace {
		ijon.Trace(func(line string) { s.timeline = append(s.timeline, line) })
	} else {
		ijon.Trace(nil)
	}
	return request.Input, true
}

func (s *server) done(input []byte, r *result) {
	s.feedback.read()
	if s.cover.add(s.run.counters, &s.feedback) {
		s.link.send(&wire.Message{Covered: s.cover.covered(input, 0)})
	}
	o := &wire.Outcome{
		Fault:    r.fault,
		Key:      r.key,
		Oracle:   r.oracle,
		State:    r.state,
		Text:     r.text,
		Events:   ijon.Event(),
		Hash:     s.feedback.hash(s.run.counters),
		Timeline: s.timeline,
		Skipped:  r.skipped,
	}
	if s.touch {
		o.Touched = s.feedback.touches(s.run.counters)
	}
	s.link.send(&wire.Message{Outcome: o})
}

func (s *server) err() error { return s.failed }
