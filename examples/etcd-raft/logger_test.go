package etcdraft

import (
	"fmt"

	ijon "github.com/ijongo/ijongo/runtime"
)

// logger drops what raft logs, unless the timeline of the run is wanted.
// Panic and Fatal panic, as raft relies on.
type logger struct{}

func (logger) Debug(...interface{})          {}
func (logger) Debugf(string, ...interface{}) {}
func (logger) Info(...interface{})           {}

func (logger) Infof(format string, v ...interface{}) {
	if ijon.Tracing() {
		ijon.Logf("       raft: "+format, v...)
	}
}

func (logger) Warning(...interface{}) {}

func (l logger) Warningf(format string, v ...interface{}) { l.Infof(format, v...) }
func (logger) Error(v ...interface{})                     {}
func (l logger) Errorf(format string, v ...interface{})   { l.Infof(format, v...) }
func (logger) Fatal(v ...interface{})                     { panic(fmt.Sprint(v...)) }
func (logger) Fatalf(format string, v ...interface{})     { panic(fmt.Sprintf(format, v...)) }
func (logger) Panic(v ...interface{})                     { panic(fmt.Sprint(v...)) }
func (logger) Panicf(format string, v ...interface{})     { panic(fmt.Sprintf(format, v...)) }
