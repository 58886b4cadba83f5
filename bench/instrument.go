package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/bench/trial"
)

// antithesis is an instrumentor to compare with.
const antithesis = "github.com/antithesishq/antithesis-sdk-go/tools/antithesis-go-instrumentor@v0.9.0"

// A tool is a whole process that gives etcd/raft counters.
type tool struct {
	name    string
	dir     string
	command []string
	before  func() error // not measured
}

// instrument compares what it takes to instrument a module: time, CPU time
// and memory of the process and of what it starts.
func instrument(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("instrument", flag.ContinueOnError)
	rounds := fs.Int("rounds", 5, "how often each tool runs")
	etcd := fs.String("etcd", "go.etcd.io/etcd/server/v3@v3.7.3", "large module to measure the memory with; empty for none")
	dir, remove, err := begin(fs, args)
	if err != nil {
		return err
	}
	defer remove()
	ijongo, err := buildCommand(ctx, dir)
	if err != nil {
		return err
	}
	tools, err := raftTools(ctx, dir, ijongo)
	if err != nil {
		return err
	}
	if *etcd != "" {
		t, err := etcdTool(ctx, dir, ijongo, *etcd)
		if err != nil {
			fmt.Printf("%s is left out: %v\n", *etcd, err)
		} else {
			tools = append(tools, t)
		}
	}
	return race(ctx, tools, *rounds)
}

// raftTools instrument the packages of etcd/raft, as a main module. What go
// build -cover does beside compiling cannot be seen alone: its line is the
// compilation of these packages with counters, and the one of go build the
// same without. A new constant in each package keeps both from the cache, and
// ijongo instrument too where it says edited: the go command then compiles
// the packages for their types.
func raftTools(ctx context.Context, dir, ijongo string) ([]tool, error) {
	const version = raftModule + "@v3.7.0"
	raft, err := copyModule(ctx, version, filepath.Join(dir, "raft"))
	if err != nil {
		return nil, err
	}
	edited, err := copyModule(ctx, version, filepath.Join(dir, "edited"))
	if err != nil {
		return nil, err
	}
	edit := func() error { return touch(edited) }
	ours := func(out string) []string {
		return []string{ijongo, "instrument", "-o", filepath.Join(dir, out), "./..."}
	}
	tools := []tool{
		{"ijongo instrument", raft, ours("raft-out"), nil},
		{"ijongo, edited", edited, ours("edited-out"), edit},
		{"go build", edited, []string{"go", "build", "./..."}, edit},
		{"go build -cover", edited, []string{"go", "build", "-cover", "-coverpkg=./...", "./..."}, edit},
	}
	bin := filepath.Join(dir, "bin")
	install := exec.CommandContext(ctx, "go", "install", antithesis)
	install.Env = append(os.Environ(), "GOBIN="+bin)
	if said, err := install.CombinedOutput(); err != nil {
		fmt.Printf("antithesis-go-instrumentor is left out: %v\n%s", err, said)
		return tools, nil
	}
	peer := filepath.Join(dir, "antithesis-out")
	return append(tools, tool{
		"antithesis", raft, []string{filepath.Join(bin, "antithesis-go-instrumentor"), "-skip_test_files", raft, peer},
		func() error { return errors.Join(os.RemoveAll(peer), os.Mkdir(peer, 0o777)) },
	}), nil
}

// copyModule copies a module from the module cache, to be a main module.
func copyModule(ctx context.Context, version, to string) (string, error) {
	if err := trial.CopyModule(ctx, version, to); err != nil {
		return "", err
	}
	_, err := command(ctx, to, "go", "mod", "download")
	return to, err
}

// touch gives every package of a module a constant that it never had.
func touch(dir string) error {
	return filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		files, err := filepath.Glob(filepath.Join(name, "*.go"))
		if err != nil {
			return err
		}
		i := slices.IndexFunc(files, func(f string) bool {
			return !strings.HasSuffix(f, "_test.go") && !strings.HasPrefix(filepath.Base(f), "touched")
		})
		if i < 0 {
			return nil
		}
		src, err := os.ReadFile(files[i])
		if err != nil {
			return err
		}
		_, rest, _ := strings.Cut(string(src), "\npackage ")
		pkg, _, _ := strings.Cut(rest, "\n")
		text := fmt.Sprintf("package %s\n\nconst touched = %d\n", pkg, time.Now().UnixNano())
		return os.WriteFile(filepath.Join(name, "touched.go"), []byte(text), 0o666)
	})
}

// etcdTool instruments etcd's server, as a dependency of a program.
func etcdTool(ctx context.Context, dir, ijongo, version string) (tool, error) {
	app := filepath.Join(dir, "etcd")
	module, _, _ := strings.Cut(version, "@")
	files := map[string]string{
		"go.mod":  "module example.com/etcd\n\ngo 1.26\n",
		"main.go": "package main\n\nimport _ \"" + module + "/embed\"\n\nfunc main() {}\n",
	}
	if err := os.Mkdir(app, 0o777); err != nil {
		return tool{}, err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(app, name), []byte(text), 0o666); err != nil {
			return tool{}, err
		}
	}
	if _, err := command(ctx, app, "go", "get", version); err != nil {
		return tool{}, err
	}
	if _, err := command(ctx, app, "go", "mod", "tidy"); err != nil {
		return tool{}, err
	}
	out := filepath.Join(dir, "etcd-out")
	return tool{"ijongo, etcd server", app, []string{ijongo, "instrument", "-module", module, "-o", out, "."}, nil}, nil
}

// A cost is what one run of a tool took. Children count.
type cost struct {
	wall, cpu time.Duration
	peak      float64 // resident set of the largest process, MB
}

// race runs the tools in turn, once to warm the caches and then rounds times.
func race(ctx context.Context, tools []tool, rounds int) error {
	costs := make([][]cost, len(tools))
	for round := -1; round < rounds; round++ {
		for i, t := range tools {
			c, err := t.run(ctx)
			if err != nil {
				return err
			}
			if round >= 0 {
				costs[i] = append(costs[i], c)
			}
		}
	}
	fmt.Printf("%-20s %8s %8s %8s   (median of %d)\n", "", "wall s", "cpu s", "peak MB", rounds)
	for i, t := range tools {
		pick := func(f func(cost) float64) float64 {
			var x []float64
			for _, c := range costs[i] {
				x = append(x, f(c))
			}
			return median(x)
		}
		fmt.Printf("%-20s %8.2f %8.2f %8.0f\n", t.name,
			pick(func(c cost) float64 { return c.wall.Seconds() }),
			pick(func(c cost) float64 { return c.cpu.Seconds() }),
			pick(func(c cost) float64 { return c.peak }))
	}
	return nil
}

func (t tool) run(ctx context.Context) (cost, error) {
	if t.before != nil {
		if err := t.before(); err != nil {
			return cost{}, err
		}
	}
	cmd := exec.CommandContext(ctx, t.command[0], t.command[1:]...)
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local")
	begin := time.Now()
	if said, err := cmd.CombinedOutput(); err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", t.name, err, said)
	}
	wall := time.Since(begin)
	u := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), float64(u.Maxrss) / 1024}, nil
}
