package afl

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"

	ijonafl "github.com/ijongo/ijongo/runtime/afl"
)

// A Tally is a file in which the processes of a target count, and which is read
// while they do: afl-fuzz itself writes its counts down once a minute.
type Tally struct {
	mem   []byte
	count *ijonafl.Tally // in mem
}

// CreateTally makes the file at path, with nothing counted.
func CreateTally(path string) (*Tally, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// Written, not truncated to its size: on a full disk a hole would kill the
	// target with SIGBUS at its first run.
	if _, err := f.Write(make([]byte, ijonafl.TallySize)); err != nil {
		return nil, err
	}
	mem, err := syscall.Mmap(int(f.Fd()), 0, ijonafl.TallySize, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, errors.Join(&os.PathError{Op: "mmap", Path: path, Err: err}, os.Remove(path))
	}
	return &Tally{mem, (*ijonafl.Tally)(unsafe.Pointer(&mem[0]))}, nil
}

// Runs is how many runs have begun, Events how many events they have played,
// and Starts how many processes there were.
func (t *Tally) Runs() uint64   { return atomic.LoadUint64(&t.count.Runs) }
func (t *Tally) Events() uint64 { return atomic.LoadUint64(&t.count.Events) }
func (t *Tally) Starts() uint64 { return atomic.LoadUint64(&t.count.Children) }

// Close unmaps the file.
func (t *Tally) Close() error { return syscall.Munmap(t.mem) }
