//go:build linux && (amd64 || arm64)
// +build linux
// +build amd64 arm64

package afl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A tool is the program that has started this one.
type tool struct {
	name string // of its file; empty if it cannot be told
	fork speech
}

// speech is which handshake a tool expects.
type speech int

const (
	unknown speech = iota
	old            // before 4.20c
	modern
)

// Words that are in a tool, in the text of one handshake or the other. A later
// tool has both.
var (
	modernText = []byte("new fork server model")
	oldText    = []byte("fork server is up")
)

// whoAsks looks at the program that has started this one. It may have been
// started through a dynamic linker, and then is one of several files in the
// process.
func whoAsks(pid int) tool {
	exe := fmt.Sprintf("/proc/%d/exe", pid)
	path, err := os.Readlink(exe)
	if err != nil {
		return tool{}
	}
	if fork := speechOf(exe); fork != unknown {
		return tool{filepath.Base(path), fork}
	}
	for _, path := range programs(pid) {
		if fork := speechOf(path); fork != unknown {
			return tool{filepath.Base(path), fork}
		}
	}
	return tool{name: filepath.Base(path)}
}

func speechOf(path string) speech {
	text, err := os.ReadFile(path)
	switch {
	case err != nil:
	case bytes.Contains(text, modernText):
		return modern
	case bytes.Contains(text, oldText):
		return old
	}
	return unknown
}

// programs are the files in a process that are named like a tool.
func programs(pid int) (paths []string) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil
	}
	for _, line := range strings.Split(string(text), "\n") {
		at := strings.IndexByte(line, '/')
		if at < 0 || !strings.HasPrefix(filepath.Base(line[at:]), "afl-") {
			continue
		}
		if path := line[at:]; len(paths) == 0 || paths[len(paths)-1] != path {
			paths = append(paths, path)
		}
	}
	return paths
}

// searches tells whether the tool is one that looks for inputs, as far as it
// can be told. To the others the slots of IJON are counts like any other.
func (t tool) searches() bool {
	switch t.name {
	case "afl-showmap", "afl-tmin", "afl-cmin", "afl-analyze":
		return false
	}
	return true
}

// speech is which handshake to begin with.
func (s *supervisor) speech() speech {
	switch {
	case s.protocol == "old":
		return old
	case s.protocol == "new":
		return modern
	case os.Getenv(envCaseSize) != "", os.Getenv(envFutex) != "":
		return modern
	case s.tool.fork != unknown:
		return s.tool.fork
	}
	return modern // an old tool takes it for something else, and shows it
}
