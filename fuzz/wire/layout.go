package wire

import ijon "github.com/ijongo/ijongo/runtime"

// A Layout is what a harness has declared of its inputs, as data.
type Layout struct {
	Header int        // bytes before the first record
	Record int        // bytes of a record; 0 is none
	Kinds  []KindInfo // of event
	Nodes  *Nodes     `json:",omitempty"` // nil if it is not known, or no function of one byte
	Words  [][]byte   `json:",omitempty"` // constants of the code, and those of the user's dictionary
}

// A KindInfo is one kind of event.
type KindInfo struct {
	Name   string
	Weight int
	Fields []ijon.Field `json:",omitempty"`
}

// Nodes is the number of nodes in a run, as one byte of its header says.
type Nodes struct {
	At int   // of the byte
	Of []int // its 256 values
}

// Declared is the layout as the harness has declared it.
func (l *Layout) Declared() ijon.Layout {
	d := ijon.Layout{Header: l.Header, Record: l.Record}
	for _, k := range l.Kinds {
		d.Kinds = append(d.Kinds, ijon.Kind{Name: k.Name, Weight: k.Weight, Fields: k.Fields})
	}
	if n := l.Nodes; n != nil {
		d.Nodes = func(header []byte) int { return n.Of[header[n.At]] }
	}
	return d
}
