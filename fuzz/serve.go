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
	feedback feedback
	failed   error
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
	s.timeline = nil
	if request.Trace {
		ijon.Trace(func(line string) { s.timeline = append(s.timeline, line) })
	} else {
		ijon.Trace(nil)
	}
	return request.Input, true
}

func (s *server) done(_ []byte, r *result) {
	s.feedback.read()
	s.link.send(&wire.Message{Outcome: &wire.Outcome{
		Fault:    r.fault,
		Key:      r.key,
		Oracle:   r.oracle,
		State:    r.state,
		Text:     r.text,
		Events:   ijon.Event(),
		Hash:     s.feedback.hash(s.run.counters),
		Timeline: s.timeline,
		Skipped:  r.skipped,
	}})
}

func (s *server) err() error { return s.failed }
