//go:build !linux

package campaign

import "syscall"

// orderlyAttributes lets a process be ended with what it starts.
func orderlyAttributes() *syscall.SysProcAttr { return attributes() }

// attributes puts a target into a process group of its own, so that what it
// starts dies with it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
