package campaign

import "syscall"

// orderlyAttributes lets a process end in order when the campaign has died:
// afl-fuzz gives back its shared memory, and ends its target.
func orderlyAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// attributes puts a target into a process group of its own, so that what it
// starts dies with it, and lets it die with the campaign even when a run
// hangs and does not see the end of its requests.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
