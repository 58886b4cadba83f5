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

// A ledger is a file in memory, of which a child sends the tool one word after
// another. The kernel moves the offset of the file in the same step, so that
// the supervisor, which has the file open too, can tell whether the word was
// sent, at whatever moment the child has died.
type ledger struct {
	fd    int
	words *[ledgerWords]uint32
}

const ledgerWords = 1 << 14

// A control is memory that supervisor and child share, behind the words.
type control struct {
	phase  uint32
	victim uint32 // process id of the victim
	named  uint32 // the one that the tool was told last
	sent   uint32 // offset in the ledger of the word that is being sent
}

// newControl makes both, in a file that the child inherits.
func newControl() (*control, ledger, error) {
	name := []byte("ijongo\x00")
	fd, _, errno := syscall.Syscall(sysMemfdCreate, uintptr(unsafe.Pointer(&name[0])), 0, 0)
	if errno != 0 {
		return nil, ledger{}, os.NewSyscallError("memfd_create", errno)
	}
	if err := syscall.Ftruncate(int(fd), controlEnd); err != nil {
		return nil, ledger{}, os.NewSyscallError("ftruncate", err)
	}
	return openControl(int(fd))
}

const controlEnd = 4*ledgerWords + int64(unsafe.Sizeof(control{}))

// openControl maps the file that the supervisor has made.
func openControl(fd int) (*control, ledger, error) {
	mem, err := syscall.Mmap(fd, 0, int(controlEnd), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, ledger{}, os.NewSyscallError("mmap", err)
	}
	words := (*[ledgerWords]uint32)(unsafe.Pointer(&mem[0]))
	return (*control)(unsafe.Pointer(&mem[4*ledgerWords])), ledger{fd, words}, nil
}

// ready tells the supervisor that this child is there, in its first phase.
func (c *control) ready(phase uint32) {
	if !atomic.CompareAndSwapUint32(&c.phase, starting, phase) {
		sleep() // it has been too long, and is about to be killed
	}
	futexRouse(&c.phase)
}

// at is the offset.
func (l ledger) at() uint32 { return l.seek(0, 1) }

func (l ledger) seek(to, whence uintptr) uint32 {
	at, _, _ := syscall.RawSyscall(syscall.SYS_LSEEK, uintptr(l.fd), to, whence)
	return uint32(at)
}

// next is the offset of the word that will be sent next.
func (l ledger) next(at uint32) uint32 {
	if at < 4*ledgerWords {
		return at
	}
	return l.seek(0, 0)
}

// send sends a word to the tool, from the offset on that next has told. It
// lets no other goroutine run. If the tool has gone there is nobody to tell.
func (l ledger) send(at, word uint32) uint32 {
	// What the tool has not read yet stays as it is: it is in another place.
	atomic.StoreUint32(&l.words[at/4], word)
	n, _, errno := syscall.RawSyscall6(syscall.SYS_SENDFILE, statusFD, uintptr(l.fd), 0, 4, 0, 0)
	if errno != 0 || n != 4 { // a kernel that cannot
		writeWord(statusFD, word)
		l.seek(4, 1)
	}
	return at + 4
}
