package mutate

import ijon "github.com/ijongo/ijongo/runtime"

// swarmFactors multiply the weights of the kinds, drawn anew for every run:
// a run in which some kinds of event are missing and others abound goes where
// the average run never does.
var swarmFactors = [4]int{0, 1, 4, 16}

// A swarm draws the kinds of the events of one run.
type swarm struct {
	kinds []ijon.Kind
	upTo  []int // cumulative weights of this run
}

func newSwarm(kinds []ijon.Kind) *swarm {
	if len(kinds) > 256 {
		kinds = kinds[:256] // the kind is one byte
	}
	return &swarm{kinds: kinds, upTo: make([]int, len(kinds))}
}

// renew draws new weights.
func (s *swarm) renew(r *RNG) {
	if len(s.kinds) == 0 {
		return
	}
	total := 0
	for i, k := range s.kinds {
		if k.Weight > 0 {
			total += k.Weight * swarmFactors[r.Intn(len(swarmFactors))]
		}
		s.upTo[i] = total
	}
	if total == 0 {
		s.only(r.Intn(len(s.kinds)))
	}
}

// only leaves one kind.
func (s *swarm) only(kind int) {
	for i := range s.upTo {
		s.upTo[i] = 0
		if i >= kind {
			s.upTo[i] = 1
		}
	}
}

// kind draws the first byte of an event.
func (s *swarm) kind(r *RNG) byte {
	if len(s.upTo) == 0 {
		return byte(r.Next())
	}
	n := r.Intn(s.upTo[len(s.upTo)-1])
	for i, upTo := range s.upTo {
		if n < upTo {
			return byte(i)
		}
	}
	return 0
}
