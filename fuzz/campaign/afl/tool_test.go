package afl

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// script makes a program that stands for afl-fuzz.
func script(t *testing.T, dir, text string) string {
	t.Helper()
	path := filepath.Join(dir, "afl-fuzz")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

const says = `printf '\033[0;36mafl-fuzz++5.02c\033[0m based on afl\n'; exit 1`

func TestFindInPath(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv(EnvTool, "")
	_, err := Find(context.Background())
	if err == nil || !strings.Contains(err.Error(), "apt-get install afl++") {
		t.Errorf("%v", err)
	}
	path := script(t, dir, says)
	tool, err := Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if tool.Version != "5.02c" || !slices.Equal(tool.Command, []string{path}) {
		t.Errorf("%+v", tool)
	}
}

// A command that starts afl-fuzz serves too.
func TestFindByCommand(t *testing.T) {
	path := script(t, t.TempDir(), says)
	t.Setenv(EnvTool, "/bin/sh "+path)
	tool, err := Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if tool.Version != "5.02c" || !slices.Equal(tool.Command, []string{"/bin/sh", path}) {
		t.Errorf("%+v", tool)
	}
}

func TestFindSomethingElse(t *testing.T) {
	for command, want := range map[string]string{
		"/no/such/afl-fuzz": "cannot run /no/such/afl-fuzz: ",
		"/bin/echo":         "/bin/echo is no afl-fuzz of AFL++; it says:\n-h",
	} {
		t.Setenv(EnvTool, command)
		if _, err := Find(context.Background()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", command, err)
		}
	}
}

func TestLastLines(t *testing.T) {
	text := Plain("\x1b[1;94m[*] \x1b[0mNo shared memory.  \n\n\x1b[1;91m[-] PROGRAM ABORT : \x1b[1;97mshmget() failed\x1b[1;91m\r\n")
	want := "[*] No shared memory.\n[-] PROGRAM ABORT : shmget() failed"
	if got := LastLines(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := LastLines(strings.Repeat("line\n", 100)); strings.Count(got, "\n") != lastLines-1 {
		t.Errorf("%q", got)
	}
	if Advice(text) == "" || Advice("all is well") != "" {
		t.Errorf("%q, %q", Advice(text), Advice("all is well"))
	}
}
