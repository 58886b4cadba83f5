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

// An origin is where numbers are from.
type origin struct {
	Machine  string
	Go       string
	AFL      string `json:",omitempty"` // version, if there are arms of it
	Commit   string
	Settings []string `json:",omitempty"` // variables that the harness sees
	Date     string
}

var cpuModel = regexp.MustCompile(`(?m)^model name\s*: (.+)$`)

// here is the origin of what is measured now.
func here(ctx context.Context) origin {
	o := origin{Go: runtime.Version(), Commit: "unknown", Date: time.Now().UTC().Format(time.DateOnly)}
	model := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil { // not everywhere
		if m := cpuModel.FindSubmatch(info); m != nil {
			model = string(m[1])
		}
	}
	o.Machine = fmt.Sprintf("%s, %d cores, %s/%s", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	if out, err := command(ctx, ".", "git", "describe", "--always", "--dirty", "--abbrev=10"); err == nil { // a copy without git
		o.Commit = string(bytes.TrimSpace(out))
	}
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "RAFT_") {
			o.Settings = append(o.Settings, v)
		}
	}
	return o
}

// source is what two runs must have in common to be in one table.
func (o *origin) source() string {
	parts := []string{o.Machine, o.Go}
	if o.AFL != "" {
		parts = append(parts, "AFL++ "+o.AFL)
	}
	return strings.Join(append(append(parts, "commit "+o.Commit), o.Settings...), ", ")
}

// heading says where the numbers below are from.
func (b *board) heading() string {
	return fmt.Sprintf("%s; %s; seeds %d to %d, %d campaigns at a time.\n",
		b.origin.source(), b.origin.Date, b.first, b.first+uint64(b.seeds)-1, b.jobs)
}
