// Package sim is the generic part of a simulated cluster: it turns bytes into
// a schedule of events and carries messages between nodes under faults. The
// system under test, its disk, its application and its oracles are the
// harness's own, behind the interface [Harness].
//
// # A schedule
//
// An input is a header and records of a fixed width, one an event:
//
//	bytes 0..7   seed of every random draw, little endian
//	bytes 8..    configuration, as many bytes as Format.Config says
//	then, for each event, four bytes:
//	  byte 0     kind, modulo the number of kinds
//	  bytes 1..3 A, B and C, which the kind reads as it likes
//
// Every input decodes: missing header bytes are zero, and bytes behind the
// last whole record are ignored. There is no count and no length, so that a
// changed byte never shifts the events behind it. The convention for a byte
// that picks one of several things is "the thing with that number, and if it
// is not there the next one that is": a change early in the schedule then
// leaves most of the later choices as they were, where an index into the list
// of what happens to be there would move them all. A kind may say which of A, B
// and C pick a node or a link ([ijon.Kind], and Format.Nodes): an engine can then
// let a part of a schedule happen to other nodes.
//
// # The network
//
// [Network] keeps one queue a link, a link being an ordered pair of nodes.
// Messages wait there until an event delivers or drops the first one, copies
// it to the end, or moves it back. A cut link loses what is sent on it and
// holds what was sent before, so that a healed partition delivers old
// messages. A full queue loses new messages, as the bounded buffer of a real
// transport does.
//
// # Saved states
//
// A harness that is a [Saver] lets the search go back to a situation without
// playing again what led there. [Player] takes care of when: a run then begins
// with Load in place of Begin. What is easily missed is state that lies outside
// of the nodes: messages on the wire ([Network.CopyFrom]), what the oracles and
// features remember, and memory that a later run will use again. A harness
// proves itself by playing schedules whole and from a saved state: all that is
// seen of them must be equal.
//
// # What is sound and what is not
//
// A run is a function of the input alone if the harness is: it must decide
// nothing by map iteration, time or goroutines. Messages are handed over as
// they are; a system that writes into messages needs a harness that copies
// them at Send, and at Duplicate, or else nodes share memory and the harness
// invents faults. There is no clock: time passes in events.
//
// # Restrictions
//
// The package is compiled into targets: Go 1.17 syntax and std only. Nothing
// in it allocates during an event once the buffers have grown.
package sim
