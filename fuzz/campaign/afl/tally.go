package afl

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// A Tally is a file in which the processes of a target count, and which is read
// while they do: afl-fuzz itself writes its counts down once a minute.
type Tally struct{ mem []byte }

// tallySize is that of the file: little-endian numbers of runs, of events and
// of processes that were started, and room.
const tallySize = 64

// CreateTally makes the file at path, with nothing counted.
func CreateTally(path string) (*Tally, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// Written, not truncated to its size: on a full disk a hole would kill the
	// target with SIGBUS at its first run.
	if _, err := f.Write(make([]byte, tallySize)); err != nil {
		return nil, err
	}
	mem, err := syscall.Mmap(int(f.Fd()), 0, tallySize, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, errors.Join(&os.PathError{Op: "mmap", Path: path, Err: err}, os.Remove(path))
	}
	return &Tally{mem}, nil
}

func (t *Tally) number(n int) uint64 {
	return atomic.LoadUint64((*uint64)(unsafe.Pointer(&t.mem[8*n])))
}

// Runs is how many runs have begun, Events how many events they have played,
// and Starts how many processes there were.
func (t *Tally) Runs() uint64   { return t.number(0) }
func (t *Tally) Events() uint64 { return t.number(1) }
func (t *Tally) Starts() uint64 { return t.number(2) }

// Close unmaps the file.
func (t *Tally) Close() error { return syscall.Munmap(t.mem) }
