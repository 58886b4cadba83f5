package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDocs runs the examples of docs/commands.md and docs/coverage.md. A fenced
// block whose info string is a language and a file name is that file; one of
// console holds commands behind $, each with all that it prints.
func TestDocs(t *testing.T) {
	for _, name := range []string{"commands.md", "coverage.md"} {
		page, err := os.ReadFile(filepath.Join("../../docs", name))
		if err != nil {
			t.Fatal(err)
		}
		script, commands := docScript(string(page))
		if commands < 7 {
			t.Fatalf("%s: %d commands found", name, commands)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, strings.TrimSuffix(name, ".md")+".txtar"), []byte(script), 0o666); err != nil {
			t.Fatal(err)
		}
		testscript.Run(t, testscript.Params{Dir: dir, RequireExplicitExec: true, Setup: goEnvironment})
	}
}

// docScript turns a page into a script for testscript. What a command should
// print is kept out of the module, where it would be copied.
func docScript(page string) (script string, commands int) {
	var run, files strings.Builder
	run.WriteString("cd m\n")
	for i, part := range strings.Split(page, "\n```") {
		if i%2 == 0 {
			continue
		}
		info, body, _ := strings.Cut(part, "\n")
		body += "\n"
		if _, name, ok := strings.Cut(info, " "); ok {
			fmt.Fprintf(&files, "-- m/%s --\n%s", name, body)
			continue
		}
		if info != "console" {
			continue
		}
		for _, example := range strings.Split("\n"+body, "\n$ ")[1:] {
			command, output, _ := strings.Cut(strings.TrimSuffix(example, "\n"), "\n")
			want := fmt.Sprintf("want/%d", commands)
			commands++
			fmt.Fprintf(&run, "exec sh -c '{ %s; } 2>&1'\ncmp stdout $WORK/%s\n", strings.ReplaceAll(command, "'", "''"), want)
			fmt.Fprintf(&files, "-- %s --\n%s\n", want, output)
		}
	}
	return run.String() + files.String(), commands
}
