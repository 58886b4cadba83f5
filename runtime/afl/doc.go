// Package afl makes an instrumented test binary a target of AFL++: it speaks
// the protocol of the fork server by itself, in Go alone, from version 4.04c
// to 5.02c.
//
// # Processes
//
// What a tool starts becomes the supervisor, before any code of the user or of
// package testing begins ([Start]). It makes the handshake and starts the
// program a second time, as the child that makes the runs ([Current]), and once
// more whenever that has died. Any other end than by a signal, such as
// os.Exit, it turns into SIGABRT: to AFL++ only a signal is a crash. All
// processes die with the tool, however that ends, each by the signal for the
// death of its parent.
//
// Tool, supervisor and child take turns in one of four forms:
//
//   - pipe: the child answers the tool by itself, and a timeout kills a victim;
//   - futex: the tool and the child share a word of memory, if the tool has it;
//   - stop: the child stops itself, and the supervisor answers;
//   - once: a single run, where there is no fork server.
//
// Pipe is what every version can do. Its difficulty is that a child may die
// between two steps, by a timeout above all. So the tool is told the process id
// of a victim, which does nothing but be killed, and one word in memory says
// whether the run was over before that: whoever changes it first, child or
// supervisor, tells the tool. A child that dies by something else leaves that
// word, which says between which steps, and the offset of a file, which says
// whether its last word to the tool has left (ledger): what is written to the
// tool is never too much or too little.
//
// # Handshake
//
// There is one before 4.20c and one since; a tool is looked at to find out which
// it knows (IJONGO_AFL_PROTOCOL decides instead). 5.02c accepts the old one, but
// with it there is neither a futex nor IJON.
//
// # The map
//
//	0        1, so that no map is empty
//	k        edge counters, k depends on where they are in their page
//	area     65536 bytes of what annotations report, at a multiple of 64
//	slots    512 words of IJON, if the tool knows them
//
// The pages of the counters are the pages of the map (mremap): an increment in
// the program is one in the map, and a crash loses nothing. Where a page is
// larger than 4 KiB they are copied at the end of a run instead. If the tool's
// segment is smaller than the map, what fits is there.
//
// A program that reports nothing but edges has no area: it costs the tool some
// microseconds a run.
//
// # What is not sound
//
//   - A run ends when the fuzz function returns. What it has left running may
//     count for a later one, and if it panics that one is blamed.
//   - What annotations report is in the map when a run is over. Of one that ends
//     its process only the edges are.
//   - A word of the area stands for all that hash to it. Of a value one of eight
//     levels to the octave is seen, if it is more than 512.
//   - A process that the target has started is killed with the child, unless it
//     has left its process group; if the supervisor itself is killed, it may stay.
package afl
