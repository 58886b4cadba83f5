// Package fuzz is the engine that an instrumented copy carries: a process of
// the target is a whole search. It has no knowledge of the system under test
// but what package ijon's maps tell after a run.
//
// # Where runs happen
//
// [Hook] stands in for f.Fuzz. The test binary runs in its ordinary mode, so
// that testing reads the seeds, makes the *testing.T and calls a TestMain, and
// the call for the first seed becomes the host of all runs. A run is a plain
// call of the user's function. Runs share a *testing.T until one of them
// leaves something in it; that T is then finished, cleanups included, before
// the run counts as over. t.Fatal, t.Skip, t.Cleanup, t.TempDir, t.Setenv,
// t.Run and t.Context mean what they mean under go test -fuzz, and a run that
// uses none of them costs no goroutine.
//
// # Inputs
//
// Package mutate makes them: schedules for a harness that declares a layout
// (ijon.Schedule), else mere bytes. The second run of a find tells what its
// annotations compare (cmp, dist, strdist, sometimes), for mutants of it. Stats
// has the runs and the finds of the mutants that each change has been part of.
//
// # Arms
//
//   - random: a fresh input. The length is tuned: lengths 100, 200, 400 … are
//     paid like the arms below, in a guided search the long ones only once
//     such a run is a small part of the cost. Random with swarm weights at its
//     best length is hard to beat, so this arm has a third of the cost for
//     certain, and a quarter where bins are declared.
//   - archive: go back to a rare situation and explore from there (Ecoffet,
//     Huizinga, Lehman, Stanley, Clune, "First return, then explore", Nature
//     2021). Cells are the bins of declared crosses, transitions and sequences,
//     and the values of set annotations. Where no such bins are declared, pairs
//     of values that set annotations hold in one event are cells too. The start
//     of an input that leads to a cell is replayed, with a burst of 8 random
//     continuations. The fresh runs that such a search needs besides are those
//     of random. Where the harness saves and loads (ijon.Snapshots) a state
//     stands for the start, so that only the continuations are played; a bounded
//     number of states is kept.
//   - edges and set: change inputs that were new in edges, or in set, inc and
//     bins (Zalewski's AFL).
//   - max: change, or play on from, the run with the best value of a slot
//     (Aschermann, Schumilo, Abbasi, Holz, "IJON", S&P 2020). Where there are
//     states it goes on in many short steps, each from where the one before it
//     got to; else in few long ones.
//
// # Holes
//
// A declared bin that is not covered yet is a hole. Half of the bursts draw one,
// as constrained random tests do that draw among uncovered bins alone (OSVVM's
// intelligent coverage), each as often as its weight says, and begin at a
// cell that is near to it: of a cross a tuple with few other coordinates, of
// transitions one that ends where the hole begins, of a sequence a long prefix.
// Near, rare and cheap to get to are weighed against each other; the other
// bursts go where it is rare and cheap. A bin that must be hit N times is a
// hole until then. With a goal, whatever has not that goal observes.
//
// # What is paid
//
// Arms are given shares of the cost by what they found for their cost of
// late, at least 5 % each, or 3 % where bins are declared. Cost is counted in events, or bytes, and a constant
// for each run: never in time, so that a search depends on nothing but its
// seed. Finds are paid in a currency that all channels share: what a channel
// finds in some time is worth the same in total as what any other one finds
// (edges and max half of it), so a channel that calls much of everything new
// pays little for each, and the first find after a long silence pays much.
// Every arm is paid for whatever its runs find, in any channel.
//
// So random never has less than a third, and the others keep more than their
// floors only while they find. Where bins are declared the floor of archive is
// 55 %, for then they are what the search is for, and that of random 25 %:
// measured on etcd/raft.
//
// # Who is credited
//
// Every input that is kept, in the corpus or the archive, knows the annotations
// that it was kept for and the input that it was made from. A find is credited to
// the reasons of its parent, a failure to those of all its ancestors (which are noted
// beside the input in progress, for the case that the process dies), and what is
// spent on a run to those of what it was made from: of a cell or a slot that is
// one annotation, of an entry of the corpus all that it was new in. So it can be
// said of each what it let in, what that led to, and what it cost.
//
// # Minimisation
//
// [Minimize] removes whole events, then simplifies the rest (Zeller,
// Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002).
//
// # What is sound, and what is not
//
//   - A find enters the corpus only if a second run of it has the same
//     feedback, in every channel. What differed is named in the reports. Second
//     runs of schedules have a tenth of the cost: while more than that is new, as it is at
//     first, what leads to a cell of the archive is believed, and checked by the
//     first run that goes back there. Later, edges and properties that are hit for
//     the first time are checked at once; what else is new, such as another count of
//     an edge, is left to be found again. The second run of a start is over where
//     that ends (ijon.Brief).
//   - With one worker, a seed and a number of runs, a search of a deterministic
//     target is the same every time, to the byte. Time decides only when to
//     report and when to read what other workers found.
//   - The prefix that the archive keeps leads to its cell if the harness calls
//     ijon.Step after each event and does not let later events influence
//     earlier ones. A run of a schedule is seeded by its header alone. When
//     the harness never calls Step, whole inputs are kept.
//   - A run that goes on from a saved state has the feedback of the whole run
//     only if the harness saves and loads all that matters. The check of a find
//     plays the whole input, so what enters the corpus does not depend on it;
//     a harness that is found not to be faithful is not asked to load any more.
//   - Values of set annotations and pairs are hashed into 65536 elements: two
//     situations may be one. Bins are exact.
//   - The hits of a run that ends its process are not counted, nor is what was
//     declared after the campaign had asked for it.
//   - Annotations with more than 256 values, or that call over a quarter of
//     the runs new, are muted: counted no more as finds, what has bins for the
//     next 2048 runs. They are reported.
//   - A process that holds over half of its memory limit between runs ends, and
//     a new one goes on from the corpus: when that happens depends on the
//     collector, so the search of a target that keeps memory is not repeatable.
//   - A failing run teaches the search nothing but its failure.
//   - The runs of a process share its memory: a target that keeps state
//     between runs makes them depend on each other. The check of a find by a
//     second run shows it, unless the state changes rarely.
//
// The package is compiled into the target: it imports std only and keeps to
// the syntax of Go 1.17.
package fuzz
