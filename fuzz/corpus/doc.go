// Package corpus keeps inputs in folders, one file an entry.
//
// An entry's file holds the bytes of the input and nothing else. What an entry
// is called are the first 16 hex digits of their SHA-256 ([Name]), so that a
// file whose content has changed is known by its name, and an entry that two
// writers have found is one.
//
// A file appears under its name by a rename, complete. A writer that is
// killed leaves at most a temporary file, which begins with a dot and never
// loads; [Sweep] removes it. Nothing is flushed to the disk by force: what a
// power failure tears is reported as a [BadEntry], and costs that entry.
//
// # Sets
//
// In a folder without an order ([Add], [Load]) the file of an entry is called
// as the entry. Files with other names are the user's own and are never
// written to.
//
// # Queues
//
// What a search finds goes into queues, which are laid out as those of AFL++,
// so that both feed each other: in a common folder each writer has one of its
// own, WRITER/queue, with the files id:000000,sig:NAME, id:000001,sig:NAME and
// so on. No writer adds to the queue of another, so no two processes, on one
// machine or several that share the folder, ever have to agree on anything.
// What afl-fuzz reads there (sync_fuzzers, as of 4.22a; tried with 4.04c and
// 5.02c, -M and -S) sets the rules:
//
//   - It looks into the queue folder of everything in the common folder that
//     does not begin with a dot, and passes over what has none.
//   - It goes on at the first name that begins with the id which it expects
//     next, and then counts files. So ids rise by one, there is one file to an
//     id, none is ever removed and no other file lies beside them; names that
//     begin with a dot sort before all ids and do no harm.
//   - It passes over empty files. So an entry that is not to be run again,
//     because it ends the process, becomes an empty file id:000002,dead:NAME. As
//     such a file applies to the content, and not to the place, one can also be
//     added to a queue on account of an entry in somebody else's.
//   - A secondary instance (-S) reads from those alone that have a file
//     is_main_node. There is none in ours: AFL's own main instance, or the
//     secondary one that finds none and takes its part, reads all queues and
//     hands on what is new to AFL. With one of ours in that place, its instances
//     would no longer read each other.
//
// In the other direction a [Reader] takes every file that begins with an id, of
// any queue. AFL++ writes in place and does not name the content: such a file
// is taken when it has not been written to for two seconds, and is not trusted
// to bring anything until it has been run.
package corpus
