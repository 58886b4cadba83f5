//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import "syscall"

// cases is where test cases come from: shared memory, or else standard input,
// which is a file that the tool rewinds.
type cases struct {
	shared segment // length, then the bytes
	buf    []byte
}

// caseMost is the longest test case of AFL++.
const caseMost = 1 << 20

func (c *cases) read() ([]byte, bool) {
	if c.shared == nil {
		return c.readInput()
	}
	n := int(*wordAt(c.shared, 0))
	if most := len(c.shared) - 4; n > most {
		n = most
	}
	return c.shared[4 : 4+n : 4+n], true
}

func (c *cases) readInput() ([]byte, bool) {
	if c.buf == nil {
		c.buf = make([]byte, caseMost)
	}
	at := 0
	for at < len(c.buf) {
		n, err := syscall.Pread(0, c.buf[at:], int64(at))
		if err == syscall.ESPIPE {
			n, err = syscall.Read(0, c.buf[at:])
		}
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			break
		}
		at += n
	}
	return c.buf[:at:at], true
}
