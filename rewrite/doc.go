// Package rewrite makes the instrumented copy of a module: it loads packages,
// plans byte edits, and writes a tree that the plain go command builds.
//
// # The copy
//
// A file of the copy is the user's file with text inserted: it is never
// printed again from its syntax tree. No line is added but the first, a
// //line directive that names the original, and behind an insertion a
// /*line*/ directive restores line and column, so that traces, vet and the
// compiler point at the user's file. User files get no import; what the
// inserted text calls is declared in one added file per package, under names
// that occur nowhere in the package's folder, and the inserted text uses no
// predeclared identifier, so that shadowing cannot change its meaning.
//
// The build list stays what it was. The go.mod of the copy has one more
// requirement, github.com/ijongo/ijongo, which is replaced by a folder of the
// copy that needs nothing else; modules that are instrumented beside the main
// one are copied and replaced as well. These folders are below one whose name
// begins with an underscore, which patterns such as ./... do not enter.
//
// Everything is planned in memory, written beside the output folder and then
// renamed over it: on an error, or when the process is killed, the output
// folder is what it was.
//
// # Counters
//
// A counter stands at the start of a block, and blocks are split so that the
// edges of the control flow graph can be told apart: an absent else and an
// absent default are added, and the condition of an else if gets a block of
// its own. The right side of && and || has one if asked for.
//
// Increments are not atomic: goroutines may lose counts to each other. The race
// detector is not told of them, see package runtime.
//
// An edge has no counter of its own where others tell its count:
//
//   - A block that runs straight into an if or a switch, calling nothing and
//     waiting for nothing on the way, is entered as often as that statement is
//     left by all its ways together. Only a panic of the run time, such as an
//     index out of range, comes between.
//   - The ways out of an if, a switch, a select and an endless loop are all
//     counted, so that what follows one of them needs no counter.
//   - What follows any other loop is reached as often as the loop is, unless
//     there is a return, a goto, a panic or a jump to an outer label in it:
//     then it has a counter.
//
// An edge without a counter was taken in a run just when one of those that
// stand for it was. What is lost is the class of its count: an engine that
// compares classes sees 100 and 100, which is not new, where it would have
// seen 200. A counter says that the block was entered, not that it was left:
// behind a call that never returns the sums are too high.
//
// # Annotations
//
// The expressions of annotations are checked by go/types in the scope where
// they stand. They may call conversions, the builtins that only read, and
// functions of instrumented packages that are seen only to read. A call
// through a variable is not seen through, nor one through an interface, unless
// every type that can be behind it is instrumented: in a program, or if other
// packages cannot name the interface or cannot implement it. The clause pure
// vouches for others.
// An expression that can panic is evaluated under a guard that skips the
// visit: an annotation never changes what the program does. What is not seen:
// an expression that reads a variable which another goroutine writes is a
// data race that the program did not have.
//
// A watch is a function behind the declaration of the type, which the writes
// to the field call. A context is left by text at the end of its block and at
// the branches out of it, and when the function returns.
//
// # Added files
//
// A file that a sidecar adds to a package goes into the copy as it is, under
// //line, and is not instrumented. Its names and its imports are checked when
// the copy is planned, all else by the compiler: it may use what another
// added file declares.
//
// # Covergroups
//
// The points of a group are checked at every place where it is sampled, in the
// scope there, and must have the same type at all of them. Their bins are made
// at the first place, of what go/types knows, and the same for any order of
// lines: a point whose values are intervals has a function in the added file
// that finds the bin of a value, with literals only; conditions are evaluated
// in place. A sample is one statement, deferred where a function is left, that
// evaluates nothing in a program that nobody observes.
//
// The constants of a type are an enumeration, so that a point needs no clause
// bins, when there are two at least, all of them strings, or integers that
// are close together and no flags. The constant that counts them, such as
// numStates, has no bin: it is one more than all others, declared last, and
// its first word is num, n, number, max, end, last, count or sentinel, or its
// last one is count, max, end, num, last or sentinel; unless another constant
// has the opposite word, such as min for max. The manifest says which it was.
//
// The conditions of a cross are decided for every tuple of bins before
// anything runs. A type whose watched points name no group has a group for
// itself. It is sampled after the writes to each of these fields, and then
// says nothing of the points of its other fields.
//
// A sample at the exit of a function is the first that it defers, and so the
// last that runs; but it stands behind statements at the start that take locks
// and defer giving them back, so that it reads under them. A function that is
// left by a panic is sampled, too.
//
// # The dictionary
//
// Strings and integers that the instrumented packages compare with constants go
// into the manifest and into the target, where engines take them for words that
// an input may have to contain: operands of comparisons, cases of switches, keys
// of map literals, and arguments of the functions of bytes and strings that look
// for a text, also those that are variables of the package. An integer is there
// in the bytes that hold it and in those of its type, in both orders, and as
// decimal text; one that fits into one byte is not.
// Each word has at most 64 bytes, and there are at most 4096. Files with cgo, and
// those that the current build excludes, have no part in it.
//
// # Limits
//
// An annotation that needs a guard, or runs at exit, adds a function literal:
// the literals behind it in the function have higher numbers in their names.
//
// A go:embed pattern of a test file that takes Go files of the package's own
// folder takes the added file too. An embedded Go file that is instrumented is
// embedded as it is in the copy, which is a warning.
//
// Files that the current build excludes by name or constraint are not
// type-checked. They get counters, so that other builds of the copy have them,
// and a directive in one of them is reported. A workspace (go.work) is one in the copy
// too; one that is built from its vendor folder is refused.
package rewrite
