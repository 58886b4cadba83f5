// Package ucis writes and reads coverage in the XML interchange format of
// UCIS 1.0, the Unified Coverage Interoperability Standard of Accellera, which
// tools for hardware verification exchange.
//
// # Export
//
// A package is an instance, a group a covergroup with one instance of its own.
// A point is a coverpoint with ranges, transitions are a coverpoint with
// sequences, and a cross is one; a sequence is a coverpoint of its prefixes. A
// property with one goal at most is an assertion; maybe, which has two, is a
// coverpoint of the group "properties". Bins that must not be hit are illegal,
// those that are only counted are ignored. Edges are not in the file: UCIS
// knows them as parts of statements, which a profile does not.
//
// Bounds of a range and values of a sequence are numbers in UCIS: those of a
// bin such as 2..7, and else its place among the bins of its point. Names tell
// what is meant. What UCIS has no word for is in user attributes named ijongo,
// so that what was exported is imported without loss, but for edges.
//
// # Import
//
// Covergroups and assertions of any tool are read; a coverpoint that has
// ranges and sequences becomes a point and transitions. Default and ignored
// bins, and all bins of weight 0, count as information. Goals in percent are
// not taken over. Other kinds of coverage are left out, and Read says so.
package ucis
