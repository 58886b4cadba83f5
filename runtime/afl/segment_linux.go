//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"unsafe"
)

// A segment is shared memory as the environment names it: the number of a
// System V segment, or a file in /dev/shm.
type segment []byte

// attach maps the segment that a variable names; nil if there is none.
func attach(name string) (segment, error) {
	value := os.Getenv(name)
	if value == "" {
		return nil, nil
	}
	var s segment
	id, err := strconv.Atoi(value)
	if err == nil {
		s, err = attachID(id)
	} else {
		s, err = attachFile(filepath.Join("/dev/shm", value))
	}
	if err != nil {
		return nil, fmt.Errorf("%s=%s: %v", name, value, err)
	}
	return s, nil
}

func attachID(id int) (segment, error) {
	size, err := segmentSize(id)
	if err != nil {
		return nil, err
	}
	p, _, errno := syscall.Syscall(syscall.SYS_SHMAT, uintptr(id), 0, 0)
	if errno != 0 {
		return nil, os.NewSyscallError("shmat", errno)
	}
	return memory(p, size), nil
}

// segmentSize asks how large a segment is: a tool that does not know yet how
// large the map will be has made one that is smaller, or much larger.
func segmentSize(id int) (int, error) {
	var stat [256]byte
	_, _, errno := syscall.Syscall(syscall.SYS_SHMCTL, uintptr(id), ipcStat, uintptr(unsafe.Pointer(&stat)))
	if errno != 0 {
		return 0, os.NewSyscallError("shmctl", errno)
	}
	return int(*(*uint64)(unsafe.Pointer(&stat[segszAt]))), nil
}

func attachFile(path string) (segment, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	mem, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	return mem, os.NewSyscallError("mmap", err)
}

// alias makes the first n bytes of mem, which begins where a page of the
// segment does, the pages of the segment. The segment has them twice then.
func (s segment) alias(mem []byte, n int) error {
	if n == 0 {
		return nil
	}
	// Of a mapping that is shared, an old size of 0 makes a second one.
	_, _, errno := syscall.Syscall6(syscall.SYS_MREMAP, uintptr(unsafe.Pointer(&s[0])), 0, uintptr(n),
		mremapMayMove|mremapFixed, uintptr(unsafe.Pointer(&mem[0])), 0)
	if errno != 0 {
		return os.NewSyscallError("mremap", errno)
	}
	return nil
}
