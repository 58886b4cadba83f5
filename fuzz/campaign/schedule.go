package campaign

import (
	"encoding/hex"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// A Schedule is an input as its harness reads it.
type Schedule struct {
	Header string  // hex
	Events []Event `json:",omitempty"`
	Rest   string  `json:",omitempty"` // hex; bytes behind the last whole record
}

// An Event is one record of a schedule.
type Event struct {
	Number int
	Kind   string
	Record string // hex
}

func newSchedule(input []byte, d *wire.Description) Schedule {
	header := min(d.Header, len(input))
	if d.Record == 0 {
		return Schedule{Rest: hex.EncodeToString(input)}
	}
	s := Schedule{Header: hex.EncodeToString(input[:header])}
	rest := input[header:]
	for n := 0; len(rest) >= d.Record; n++ {
		e := Event{Number: n, Record: hex.EncodeToString(rest[:d.Record])}
		if len(d.Kinds) > 0 {
			e.Kind = d.Kinds[int(rest[0])%len(d.Kinds)].Name
		}
		s.Events = append(s.Events, e)
		rest = rest[d.Record:]
	}
	s.Rest = hex.EncodeToString(rest)
	return s
}

// size is the number of events of an input, or of its bytes when its harness
// has no events.
func size(input []byte, d *wire.Description) int {
	if d.Record == 0 {
		return len(input)
	}
	return max(0, len(input)-d.Header) / d.Record
}

// Size is the size of an input and its unit.
func Size(input []byte, d *wire.Description) (n int, unit string) {
	f := Failure{Events: d.Record > 0}
	return size(input, d), f.Unit()
}
