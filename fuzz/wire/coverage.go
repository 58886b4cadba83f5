package wire

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// A Size is how much there is to cover, and for how many workers.
type Size struct{ Bins, Edges, Workers int }

// Coverage is what the workers of a campaign have covered, mapped by each of
// them and by the campaign: counters that only their worker writes, and for
// each bin the worker that claims to have hit it first. What a process has
// counted is there when it dies.
type Coverage struct {
	mem  []byte
	size Size
}

const (
	line   = 64      // bytes that two workers must not share
	region = 1 << 25 // numbers; a bound that any slice of the mapping keeps
)

func roundUp(n int) int { return (n + line - 1) / line * line }

func (s Size) claims() int { return roundUp(4 * s.Bins) }

func (s Size) worker() int { return roundUp(8 * (s.Bins + s.Edges)) }

func (s Size) bytes() int { return s.claims() + s.Workers*s.worker() }

// CreateCoverage makes f the file of a campaign's coverage and maps it.
func CreateCoverage(f *os.File, s Size) (*Coverage, error) {
	// Written, not truncated to its size: on a full disk a hole would kill the
	// target with SIGBUS when it counts.
	if _, err := f.WriteAt(make([]byte, s.bytes()), 0); err != nil {
		return nil, err
	}
	return MapCoverage(f, s)
}

// MapCoverage maps a file that CreateCoverage made for that size.
func MapCoverage(f *os.File, s Size) (*Coverage, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != int64(s.bytes()) {
		return nil, fmt.Errorf("coverage: %d bytes, want %d (is the target older than this ijongo?)", info.Size(), s.bytes())
	}
	mem, err := syscall.Mmap(int(f.Fd()), 0, s.bytes(), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mmap coverage: %w", err)
	}
	return &Coverage{mem, s}, nil
}

// Close unmaps the file.
func (c *Coverage) Close() error { return syscall.Munmap(c.mem) }

// Bins is how often the runs of a worker have hit each bin.
func (c *Coverage) Bins(worker int) []uint64 { return c.numbers(worker)[:c.size.Bins:c.size.Bins] }

// Edges is how many runs of a worker have taken each edge.
func (c *Coverage) Edges(worker int) []uint64 { return c.numbers(worker)[c.size.Bins:] }

func (c *Coverage) numbers(worker int) []uint64 {
	n := c.size.Bins + c.size.Edges
	if n == 0 {
		return nil
	}
	at := c.size.claims() + worker*c.size.worker()
	return (*[region]uint64)(unsafe.Pointer(&c.mem[at]))[:n:n]
}

// Claim makes the worker the one that hit a bin first, unless there is one.
func (c *Coverage) Claim(bin uint32, worker int) bool {
	p := c.claim(int(bin))
	return atomic.LoadUint32(p) == 0 && atomic.CompareAndSwapUint32(p, 0, uint32(worker)+1)
}

// Release gives back a bin that a worker has claimed.
func (c *Coverage) Release(bin, worker int) {
	atomic.CompareAndSwapUint32(c.claim(bin), uint32(worker)+1, 0)
}

func (c *Coverage) claim(bin int) *uint32 { return (*uint32)(unsafe.Pointer(&c.mem[4*bin])) }
