// Package rig runs afl-fuzz for the benchmark: the versions that there are, a
// campaign of one instance, what it has written down about itself, and what the
// kernel says of processes.
//
// The version in PATH is used, and the one whose commands are in the folder
// $AFL_TOOLS_502, where testdata/afl/get-5.02c.sh has put them.
package rig
