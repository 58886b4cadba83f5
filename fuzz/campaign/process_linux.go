package campaign

import "syscall"

// attributes puts a target into a process group of its own, so that what it
// starts dies with it, and lets it die with the campaign even when a run
// hangs and does not see the end of its requests.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
