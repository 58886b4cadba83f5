package rig

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// CPU is the time that is booked on a process, on those that it has started, and on
// those of them that have ended and were waited for. Linux only.
func CPU(root int) (used time.Duration) {
	family := map[int]bool{root: true}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is good
	all := map[int]process{}
	for _, path := range stats {
		if s, ok := readStat(path); ok {
			all[s.pid] = s
		}
	}
	for grown := true; grown; {
		grown = false
		for pid, s := range all {
			if !family[pid] && family[s.parent] {
				family[pid], grown = true, true
			}
		}
	}
	for pid := range family {
		used += all[pid].used
	}
	return used
}

// A process is what the kernel says of it.
type process struct {
	pid, parent int
	used        time.Duration
}

// tick is the unit of /proc/PID/stat.
const tick = 10 * time.Millisecond

func readStat(path string) (s process, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return s, false // it has ended
	}
	rest := string(text[bytes.LastIndexByte(text, ')')+1:]) // its name may have blanks and brackets
	var state string
	var skip, user, system, waitedUser, waitedSystem int
	if _, err := fmt.Sscan(string(text), &s.pid); err != nil {
		return s, false
	}
	_, err = fmt.Sscan(rest, &state, &s.parent, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip,
		&user, &system, &waitedUser, &waitedSystem)
	s.used = time.Duration(user+system+waitedUser+waitedSystem) * tick
	return s, err == nil
}

// Parent is that of a process, 0 if it has ended.
func Parent(pid int) int {
	s, _ := readStat(fmt.Sprintf("/proc/%d/stat", pid)) // zero
	return s.parent
}

// Running are the processes whose program is one that is wanted, by the path of
// its file.
func Running(wanted func(program string) bool) (pids []int) {
	paths, _ := filepath.Glob("/proc/[0-9]*/exe") // the pattern is good
	for _, exe := range paths {
		if program, err := os.Readlink(exe); err == nil && wanted(program) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(exe)))
			pids = append(pids, pid)
		}
	}
	return pids
}
