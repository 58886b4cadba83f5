//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// A tally counts what is done, for whoever wants to know: three little-endian
// uint64 at the beginning of a file of 64 bytes.
type tally struct{ runs, events, children uint64 }

const tallySize = 64

// openTally maps the file; nil if none is wanted.
func openTally(path string) (*tally, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0666)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if info.Size() < tallySize {
		if _, err := f.WriteAt(make([]byte, tallySize-info.Size()), info.Size()); err != nil {
			return nil, err
		}
	}
	mem, err := syscall.Mmap(int(f.Fd()), 0, tallySize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return (*tally)(unsafe.Pointer(&mem[0])), nil
}

func (t *tally) run() {
	if t != nil {
		atomic.AddUint64(&t.runs, 1)
	}
}

func (t *tally) play(events uint32) {
	if t != nil {
		atomic.AddUint64(&t.events, uint64(events))
	}
}

func (t *tally) child() {
	if t != nil {
		atomic.AddUint64(&t.children, 1)
	}
}
