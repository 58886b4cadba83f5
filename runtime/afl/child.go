package afl

import (
	"os"
	"syscall"
)

// A Child is the process that makes the runs.
type Child struct {
	Settings

	Area  []byte   // of the map, for the driver to write to when a run is over; nil without
	Slots []uint64 // of the map, only ever to raise; nil without

	form    form
	cases   cases
	mem     []byte // the map
	edges   []byte // of the map, if the counters are no part of it themselves
	counted []byte // the counters, likewise
	tally   *Tally
}

// A form is a way in which tool, supervisor and child take turns.
type form interface {
	next() bool // waits for the next test case; false when there is none
	done()      // tells that its run is over
}

// Next waits for a test case, which is the child's until Done. The tool has
// cleared the map.
func (c *Child) Next() (input []byte, more bool) {
	if !c.form.next() {
		return nil, false
	}
	c.mem[0] = 1
	return c.cases.read()
}

// Done tells that the run is over, and nothing wrong.
func (c *Child) Done(events uint32) {
	c.close(events)
	c.tally.run()
	c.form.done()
}

// Leave is Done for a process that holds too much: another one goes on.
func (c *Child) Leave(events uint32) {
	c.close(events)
	syscall.Exit(0) // os.Exit is a failure in a test
}

// Fail tells that the run has failed, and why.
func (c *Child) Fail(events uint32, report string) {
	c.close(events)
	os.Stderr.WriteString(report)
	abort()
}

// close is what is to be done at the end of any run. A run that ends the
// process is counted by the supervisor.
func (c *Child) close(events uint32) {
	copy(c.edges, c.counted)
	c.tally.play(events)
}
