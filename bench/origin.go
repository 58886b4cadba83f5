package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"
)

var cpuModel = regexp.MustCompile(`(?m)^model name\s*: (.+)$`)

// origin says where the numbers are from.
func (b *board) origin(ctx context.Context) string {
	model := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil { // not everywhere
		if m := cpuModel.FindSubmatch(info); m != nil {
			model = string(m[1])
		}
	}
	commit := "no commit"
	if out, err := command(ctx, ".", "git", "describe", "--always", "--dirty", "--abbrev=10"); err == nil { // a copy without git
		commit = "commit " + string(bytes.TrimSpace(out))
	}
	settings := ""
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "RAFT_") { // the harness sees it
			settings += "; " + v
		}
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s; %s, %s; seeds %d to %d, %d at a time; %v%s.\n",
		model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), b.begin.UTC().Format(time.DateOnly), commit,
		b.first, b.first+uint64(b.seeds)-1, b.jobs, time.Since(b.begin).Round(time.Second), settings)
}
