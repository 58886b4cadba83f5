// Package gotest runs go test on an instrumented copy of a module and collects
// what the tests cover.
//
// # The folder
//
// All results are in one folder, by default .ijongo/test in the root of the
// module: the copy, raw/ with the counters that each test process has left,
// and coverage.txt. The copy and raw/ are made anew for each run. The profile
// is replaced when the tests have ended: a run that is killed leaves that of
// the run before.
//
// # The tests
//
// What is instrumented are the packages named and what they and their tests
// import of the main module and of modules that annotation files name. The
// tests run in the copy, with its testdata: what they write beside their
// source they write there. Import paths are those of the module, and
// positions those of the user's files.
package gotest
