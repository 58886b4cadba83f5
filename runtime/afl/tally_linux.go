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

// openTally maps the file; nil if none is wanted.
func openTally(path string) (*Tally, error) {
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
	} else if info.Size() < TallySize {
		if _, err := f.WriteAt(make([]byte, TallySize-info.Size()), info.Size()); err != nil {
			return nil, err
		}
	}
	mem, err := syscall.Mmap(int(f.Fd()), 0, TallySize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return (*Tally)(unsafe.Pointer(&mem[0])), nil
}

func (t *Tally) run() {
	if t != nil {
		atomic.AddUint64(&t.Runs, 1)
	}
}

func (t *Tally) play(events uint32) {
	if t != nil {
		atomic.AddUint64(&t.Events, uint64(events))
	}
}

func (t *Tally) child() {
	if t != nil {
		atomic.AddUint64(&t.Children, 1)
	}
}
