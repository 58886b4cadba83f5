//go:build (linux || darwin) && (amd64 || arm64 || riscv64 || ppc64le || loong64)
// +build linux darwin
// +build amd64 arm64 riscv64 ppc64le loong64

package ijon

import (
	"os"
	"syscall"
	"unsafe"
)

// reserve is memory that nothing else will be put in; pages of it cost
// something once they are written.
func reserve(size int) ([]byte, error) {
	mem, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	return mem, os.NewSyscallError("mmap", err)
}

// mapOver makes the pages of mem, which begins where one does, those of f from
// an offset on.
func mapOver(mem []byte, f *os.File, offset int64) error {
	_, _, errno := syscall.Syscall6(syscall.SYS_MMAP, uintptr(unsafe.Pointer(&mem[0])), uintptr(len(mem)),
		syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_FIXED, f.Fd(), uintptr(offset))
	if errno != 0 {
		return &os.PathError{Op: "mmap", Path: f.Name(), Err: errno}
	}
	return nil
}
