// Package afl makes an instrumented program a target of AFL++: it speaks the
// protocol of the fork server, in Go alone.
package afl
