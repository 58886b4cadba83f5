package trial

import "time"

// Eq is the events of one eq, the unit of cost.
const Eq = 200

// A Cost is what a worker has spent. Events of other engines are not counted.
type Cost struct {
	Eq  float64 `json:",omitempty"`
	CPU float64 // seconds
}

// What a campaign is measured by.
const (
	Bugs   = "bugs"   // a failure, which ends it
	States = "states" // the bins and extremes that it reaches
)

// A Cell is what one campaign came to.
type Cell struct {
	Measure string
	Subject string
	Arm     string
	Seed    uint64
	Budget  float64 // eq
	Found   bool
	Key     string `json:",omitempty"` // of the failure
	Cost           // to the find, or until it ended without one
	Runs    uint64 `json:",omitempty"`
	Hits    []Hit  `json:",omitempty"` // first hits, of States
	Best    []Best `json:",omitempty"` // improvements of extremes, of States
	Values  int    `json:",omitempty"` // of set annotations that were seen, of States
	Note    string `json:",omitempty"` // what went wrong
}

// A Hit is when a bin was hit first.
type Hit struct {
	Bin string
	Cost
}

// A Best is when a max annotation had a value that was better than before.
type Best struct {
	Name  string
	Value float64
	Cost
}

func seconds(d time.Duration) float64 { return d.Seconds() }
