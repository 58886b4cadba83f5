package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"

	ijon "github.com/ijongo/ijongo/runtime"
)

// MaxInput is the longest input, in bytes.
const MaxInput = 1 << 20

// MaxCauses is how many causes of a run are told.
const MaxCauses = 1 << 12

const (
	offExecs   = 0  // runs begun in this process, atomic
	offRunning = 8  // 1 while a run is in progress, atomic
	offLen     = 16 // length of the input
	offCount   = 24 // of the causes
	offInput   = 64
	offCauses  = offInput + MaxInput
	sharedSize = offCauses + 4*MaxCauses
)

// Shared is the run in progress, mapped by a target and its campaign.
type Shared struct{ mem []byte }

// CreateShared makes the file at path and maps it.
func CreateShared(path string) (*Shared, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// Written, not truncated to its size: on a full disk a hole would kill the
	// target with SIGBUS at its first run.
	if _, err := f.Write(make([]byte, sharedSize)); err != nil {
		return nil, err
	}
	return mapShared(f)
}

// OpenShared maps the file that the campaign made.
func OpenShared(path string) (*Shared, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != sharedSize {
		return nil, fmt.Errorf("%s: %d bytes, want %d (is the target older than this ijongo?)", path, info.Size(), sharedSize)
	}
	return mapShared(f)
}

func mapShared(f *os.File) (*Shared, error) {
	mem, err := syscall.Mmap(int(f.Fd()), 0, sharedSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mmap %s: %w", f.Name(), err)
	}
	return &Shared{mem}, nil
}

// Close unmaps the file.
func (s *Shared) Close() error { return syscall.Munmap(s.mem) }

func (s *Shared) causes() *[MaxCauses]ijon.ID {
	return (*[MaxCauses]ijon.ID)(unsafe.Pointer(&s.mem[offCauses]))
}

func (s *Shared) word(off int) *uint64 { return (*uint64)(unsafe.Pointer(&s.mem[off])) }

// Start records that a run of input begins, and what its ancestors were kept
// for. An input longer than MaxInput is an error of the caller and is cut. Nobody
// is told by a Shared that is nil.
func (s *Shared) Start(input []byte, causes []ijon.ID) {
	if s == nil {
		return
	}
	n := copy(s.mem[offInput:offCauses], input)
	binary.LittleEndian.PutUint64(s.mem[offLen:], uint64(n))
	n = copy(s.causes()[:], causes)
	binary.LittleEndian.PutUint64(s.mem[offCount:], uint64(n))
	atomic.AddUint64(s.word(offExecs), 1)
	atomic.StoreUint64(s.word(offRunning), 1)
}

// Finish records that the run is over.
func (s *Shared) Finish() {
	if s != nil {
		atomic.StoreUint64(s.word(offRunning), 0)
	}
}

// Execs is the number of runs begun. A campaign that sees it stand still
// while Running is true has a hang.
func (s *Shared) Execs() uint64 { return atomic.LoadUint64(s.word(offExecs)) }

// Running tells whether a run is in progress.
func (s *Shared) Running() bool { return atomic.LoadUint64(s.word(offRunning)) == 1 }

// Input copies the input of the run in progress, or of the last one. It is
// meant for a process that has died or been stopped.
func (s *Shared) Input() ([]byte, error) {
	n := binary.LittleEndian.Uint64(s.mem[offLen:])
	if n > MaxInput {
		return nil, errors.New("shared file: impossible length of the input")
	}
	return append([]byte(nil), s.mem[offInput:offInput+n]...), nil
}

// Causes are the IDs of what the ancestors of that
// input were kept for: of annotations, EdgesID, or FirstItem and the number of
// an item. Some may be there twice.
func (s *Shared) Causes() ([]ijon.ID, error) {
	n := binary.LittleEndian.Uint64(s.mem[offCount:])
	if n > MaxCauses {
		return nil, errors.New("shared file: impossible number of causes")
	}
	return append([]ijon.ID(nil), s.causes()[:n]...), nil
}
