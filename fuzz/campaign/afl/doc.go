// Package afl is afl-fuzz as a program: where it is, how it is started on a
// target of Go, and what it says of itself. What comes of it is the business
// of package campaign.
//
// Nothing here depends on one version. What a version does not know is passed
// in the environment, where it is ignored, and never as a flag; what
// fuzzer_stats of a version does not have is zero.
package afl
