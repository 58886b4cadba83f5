// Package campaign searches a target for failures with many processes, and
// keeps what they find.
//
// # The processes
//
// Code under test may panic on any goroutine, call os.Exit, overflow its
// stack, be killed for its memory, or hang. So it never runs in the campaign's
// own process. Each worker is a target process that is a whole engine by
// itself: it picks, mutates, runs and compares without asking anybody, which
// is why the campaign costs it nothing. The campaign only listens (package
// [github.com/ijongo/ijongo/fuzz/wire]), restarts what dies, and looks at a few
// words of shared memory: which input is running, and the how-manieth.
//
// A worker that dies has left there the input that did it, and which annotations
// its ancestors were kept for. One whose count
// stands still for the timeout in the middle of a run hangs: it is asked for
// its goroutines (SIGQUIT) and killed. A worker that cannot even begin is
// restarted a few times and then given up, with what it printed.
//
// # Suspects and failures
//
// What a worker reports, or dies of, is a suspect. It is run again alone in a
// fresh process ([Runner]), up to 20 times:
//
//   - fails each time: a failure;
//   - fails sometimes, or never: a failure too, with its rate, "12 of 20". It
//     may need what earlier runs left behind;
//   - a hang must again be too slow, with twice the timeout and not counting
//     the time in which the process waited for a core (Linux), and a death by
//     SIGKILL or SIGTERM, or for want of memory, must happen again. Otherwise it
//     is news and no failure: neither a busy machine nor the out-of-memory
//     killer makes one, nor what earlier runs have kept.
//
// A target limits its own memory (RLIMIT_DATA, Linux): beyond it the Go runtime
// gives up with the stack that asked for more. One that holds over half of the
// limit between runs ends in order and a new process goes on.
//
// Failures are grouped by key: the oracle that was violated, or what the
// runtime said and the first function of the user's on the stack. Each is
// recorded as it was found and then again minimised; a smaller input counts
// only if it fails with the same key. A flaky failure is given up to so many
// runs for each candidate that one as good as the first would pass for
// harmless once in twenty times.
//
// # The folder
//
//	w0/queue/          what worker 0 has found, see package corpus; and so on
//	corpus/            inputs of the user, which enter a queue when a campaign begins
//	failures/NAME/     input, original, input.go-fuzz, text, schedule.json, timeline, failure.json
//	suspects/          inputs that ended a process and have not been judged, or did no harm alone
//	build/             instrumented copy and binary; a cache
//	coverage.txt       what all campaigns here have covered, see package cover
//	coverage/inputs/   the first input of each bin
//	coverage/inputs.txt  which bins each input in the queues and coverage/inputs/ hits
//	stats.jsonl        progress and failures, a line of JSON each
//	afl0/              the folder of an instance of AFL++
//	.afl/              what instances begin with, and where their targets count
//	campaign.json      what a replay must know to build the target again
//	lock               held while a process works in the folder
//
// Everything in the folder that has a queue feeds the campaign: workers of
// other campaigns, and instances of AFL++ that have it as their -o. An input in
// the folder crashes of these is a suspect: it is judged once, when nothing else
// is, and its name then noted in the file judged. Several
// campaigns of one target share a folder, on one machine or over a shared file
// system, if each has a name. That called NAME has the queues NAME-w0/queue
// and so on, and keeps build, coverage, stats.jsonl and lock in the folder
// NAME/. What is left in common is written by renames alone, under names that
// the content gives: corpus/, failures/ and suspects/. A kill of one loses
// nothing of the others. campaign.json is that of the campaign which began last.
//
// Inputs are kept in their flat form (package
// [github.com/ijongo/ijongo/fuzz/args]), which is what every engine of a target
// runs. Entries of a folder of an earlier layout, in which corpus/ was the only
// queue, are moved to that of the first worker.
//
// # AFL++
//
// With [Config.AFL] the workers are instances of afl-fuzz, and the folder is
// their sync folder; package afl starts and reads them. What they say crashes
// or hangs takes the way that the crashes of others take, and is judged to the
// last when they have ended. An input that does no harm alone stays in
// suspects/. Before an instance begins again, its folders of crashes and hangs
// are renamed: afl-fuzz deletes what it finds there, or renames it under the eyes
// of who reads it. What the instances keep an observer runs once more, and counts
// what that covers.
//
// # Coverage
//
// All that a campaign knows besides is derived from inputs, and belongs to one
// build of the target, whose manifest is named in it. When the target has
// changed, every input is run again before the search goes on: what cells and
// edges they reach in it, and what is in coverage/inputs.txt, is found anew.
//
// The workers count in memory that they share with the campaign: the hits of
// each bin over all runs, and of each edge how many runs took it. Whoever hits
// a bin first sends its input, whether that enters the corpus or not. The
// campaign writes the sum every few seconds and at the end. The next one in the
// folder goes on from there; if the program has changed since, from what has the
// same keys and names. Runs that end their process are not counted, and a kill
// loses what was covered in the last seconds.
//
// # What is held in memory
//
// A worker holds what guides it and the inputs that it mutates, up to 256 MB of
// them; what is beyond that stays on disk. An input is at most 1 MB, and there is
// a bound to what one can be new in: classes of counts, cells, bins, slots, and
// the situations of the archive. Queues are read a file at a time. The campaign
// holds the counters of edges and bins, and for each input the bins that it hits.
// What a process takes in practice the command bench soak prints.
//
// # Why a crash loses nothing
//
// There is no state that is not in the folder, and no file in it that is
// written in place. Entries and the files of a failure appear by a rename, and
// failure.json appears last; an input that ends its process is in suspects/
// before anything is done about it. stats.jsonl is appended to, and a line cut
// short is ended by the next campaign. An input that is in
// suspects/ when a campaign begins is judged by it, once: it fails, or it does no
// harm and is back in its place in the corpus. The lock belongs to the kernel and goes
// with the process. So a kill at any moment leaves a folder from which the
// next campaign loads all entries, runs them, and goes on. Targets end with
// their campaign: their end of a pipe closes, and on Linux the kernel kills
// those that do not look.
//
// When the disk is full the first write that fails stops the campaign; the
// temporary file of that write is removed, and the input of a failure that
// could not be recorded goes to the system's temporary folder. A corpus file
// that does not match its name is reported and left alone, and the search goes
// on without it. None of this is flushed by force: it is safe against the
// death of processes and not against that of the machine.
//
// # What can be repeated
//
// With one worker, a seed and a number of runs, the corpus and the failures
// are the same to the byte, if the target is deterministic. The campaign adds
// no chance of its own: a worker that dies waits for the verdict before it
// goes on, unless the campaign keeps going, and then nothing that the verdict
// changes is read by the search.
package campaign
