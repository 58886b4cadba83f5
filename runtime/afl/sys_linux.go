//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"os"
	"syscall"
	"unsafe"
)

// What package syscall does not name.
const (
	mremapMayMove = 1
	mremapFixed   = 2
	ipcStat       = 2
	segszAt       = 48 // of shm_segsz in struct shmid64_ds
	byPID         = 1  // of waitid
	futexWait     = 0
	futexWake     = 1
	pollIn        = 1
	setPdeathsig  = 1 // of prctl
)

// memory is n bytes at p, which is no memory of Go's.
func memory(p uintptr, n int) []byte {
	return (*[1 << 40]byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p)))[:n:n]
}

// wordAt is four bytes of memory that others share.
func wordAt(mem []byte, at int) *uint32 { return (*uint32)(unsafe.Pointer(&mem[at])) }

// readWord reads four bytes from fd; ok is false at its end.
func readWord(fd int) (word uint32, ok bool) {
	for {
		n, _, errno := syscall.Syscall(syscall.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&word)), 4)
		if errno != syscall.EINTR {
			return word, errno == 0 && n == 4
		}
	}
}

// takeWord is readWord where something is known to be there. It lets no other
// goroutine run.
func takeWord(fd int) (word uint32, ok bool) {
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&word)), 4)
		if errno != syscall.EINTR {
			return word, errno == 0 && n == 4
		}
	}
}

// writeWord writes four bytes to fd. It lets no other goroutine run, and does
// not wait: a tool never leaves more than two words unread.
func writeWord(fd int, word uint32) bool {
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(&word)), 4)
		if errno != syscall.EINTR {
			return errno == 0 && n == 4
		}
	}
}

type pollFD struct {
	fd              int32
	events, revents int16
}

// awaitReadable waits until fd can be read, or has come to its end; for ever
// if the time is nil. It lets no other goroutine run: to give the processor away
// and get it back takes longer than a short run.
func awaitReadable(fd int, limit *syscall.Timespec) bool {
	p := pollFD{fd: int32(fd), events: pollIn}
	for {
		var left *syscall.Timespec
		if limit != nil {
			t := *limit
			left = &t
		}
		n, _, errno := syscall.RawSyscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(left)), 0, 0, 0)
		if errno != syscall.EINTR {
			return errno == 0 && n == 1
		}
	}
}

// futexSleep sleeps while the word has a value, perhaps less. It lets no other
// goroutine run.
func futexSleep(word *uint32, value uint32, limit *syscall.Timespec) {
	syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, uintptr(value), uintptr(unsafe.Pointer(limit)), 0, 0)
}

func futexRouse(word *uint32) {
	syscall.RawSyscall(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, 1<<30)
}

// plain makes a signal do what it does in a program that has no handlers.
func plain(sig syscall.Signal) {
	var action [4]uint64 // SIG_DFL, no flags, no restorer, an empty mask
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
}

// die ends the process by a signal.
func die(sig syscall.Signal) {
	plain(sig)
	syscall.Kill(os.Getpid(), sig)
	sleep()
}

// sleep sleeps for ever. To Go's runtime that is no deadlock.
func sleep() {
	for {
		syscall.Pause()
	}
}

// writeAll writes all of buf to fd.
func writeAll(fd int, buf []byte) error {
	for len(buf) > 0 {
		n, err := syscall.Write(fd, buf)
		if err != nil && err != syscall.EINTR {
			return os.NewSyscallError("write", err)
		}
		if n > 0 {
			buf = buf[n:]
		}
	}
	return nil
}

// abort is what the tool calls a crash.
func abort() { die(syscall.SIGABRT) }

// dieWithParent lets a process die with its parent.
func dieWithParent() {
	syscall.RawSyscall(syscall.SYS_PRCTL, setPdeathsig, uintptr(syscall.SIGKILL), 0)
}
