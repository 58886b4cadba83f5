//go:build !linux

package campaign

import "syscall"

// attributes puts a target into a process group of its own, so that what it
// starts dies with it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
