// Package afl is afl-fuzz as a program: where it is, how it is started on a
// target of Go, and what it says of itself. What comes of it is the business
// of package campaign.
//
// Nothing here needs more than 4.00c: newer versions are told more, in the
// environment, and what fuzzer_stats of a version does not have is zero.
package afl
