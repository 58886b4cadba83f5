//go:build linux || darwin

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// shown is a module with a fuzz function that fails, and one that does not.
var shown = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.21\n",
	"m.go": `package m

func Depth(b []byte) (n int) {
	for n < len(b) && b[n] == '(' {
		n++
	}
	//ijon:max depth = n
	return n
}
`,
	"m_test.go": `package m

import "testing"

func FuzzGood(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { Depth(b) })
}

func FuzzBad(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if Depth(b) > 0 {
			t.Fatal("open")
		}
	})
}
`,
}

// TestScreenOnATerminal runs ijongo fuzz -ui on a pseudo terminal. It shows the
// campaign; q ends that in order, and leaves the terminal as it was, with what
// is to be said behind the screen.
func TestScreenOnATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds targets")
	}
	dir := t.TempDir()
	for name, text := range shown {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []struct {
		fuzz   string
		screen []string
		code   int
		after  string
	}{
		{"FuzzGood", []string{"ijongo FuzzGood of example.com/m", "running", "1 worker", "max depth", "q stops"}, 0, "ijongo: interrupted; the corpus is saved, the same command resumes"},
		{"FuzzBad", []string{"ijongo FuzzBad of example.com/m", "(m_test.go:12)"}, 1, "--- FAIL: FuzzBad: failed example.com/m.FuzzBad.func1 (m_test.go:12)"},
	} {
		s := start(t, dir, "fuzz", "-ui", "-keep-going", "-workers", "1", "-run", k.fuzz, ".")
		for _, words := range k.screen {
			s.await(t, words)
		}
		s.press(t, "q")
		if code := s.wait(t); code != k.code {
			t.Errorf("%s: exit code %d, want %d", k.fuzz, code, k.code)
		}
		if !reflect.DeepEqual(s.mode(t), s.before) {
			t.Errorf("%s: the terminal is not in the mode that it was in", k.fuzz)
		}
		text := s.text()
		for done, undone := range map[string]string{
			ansi.SetModeAltScreenSaveCursor: ansi.ResetModeAltScreenSaveCursor,
			ansi.ResetModeTextCursorEnable:  ansi.SetModeTextCursorEnable,
			ansi.SetModeBracketedPaste:      ansi.ResetModeBracketedPaste,
		} {
			if at := strings.LastIndex(text, done); at < 0 || strings.LastIndex(text, undone) < at {
				t.Errorf("%s: %q is not undone", k.fuzz, done)
			}
		}
		screen := strings.LastIndex(text, ansi.ResetModeAltScreenSaveCursor)
		if !strings.Contains(text[max(screen, 0):], k.after) {
			t.Errorf("%s: %q is not said behind the screen", k.fuzz, k.after)
		}
		if t.Failed() {
			t.Fatalf("%q", text)
		}
	}
}

// A session is a program on a pseudo terminal.
type session struct {
	cmd      *exec.Cmd
	us, tty  *os.File
	before   *term.State
	mu       sync.Mutex
	said     []byte
	finished chan error
}

// start runs ijongo in dir on a terminal of its own.
func start(t *testing.T, dir string, args ...string) *session {
	t.Helper()
	us, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	if err := pty.Setsize(us, &pty.Winsize{Rows: 50, Cols: 130}); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &session{us: us, tty: tty, finished: make(chan error, 1)}
	s.before = s.mode(t)
	s.cmd = &exec.Cmd{
		Path: self, Args: append([]string{"ijongo"}, args...), Dir: dir, Env: append(os.Environ(), "TERM=xterm-256color"),
		Stdin: tty, Stdout: tty, Stderr: tty, SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true},
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.listen()
	go func() { s.finished <- s.cmd.Wait() }()
	t.Cleanup(func() {
		s.cmd.Process.Kill() // it may have ended
		tty.Close()
		us.Close()
	})
	return s
}

func (s *session) listen() {
	buf := make([]byte, 4096)
	for {
		n, err := s.us.Read(buf)
		s.mu.Lock()
		s.said = append(s.said, buf[:n]...)
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// text is all that has been printed, with what moves the cursor and the like.
func (s *session) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.said)
}

// await waits until words have been shown.
func (s *session) await(t *testing.T, words string) {
	t.Helper()
	for range 600 {
		if strings.Contains(ansi.Strip(s.text()), words) {
			return
		}
		select {
		case err := <-s.finished:
			t.Fatalf("it has ended, %v, before it shows %q: %q", err, words, s.text())
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatalf("it does not show %q: %q", words, s.text())
}

func (s *session) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := s.us.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// wait waits for the end and returns the exit code.
func (s *session) wait(t *testing.T) int {
	t.Helper()
	select {
	case err := <-s.finished:
		if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
	case <-time.After(time.Minute):
		t.Fatalf("q does not end it: %q", s.text())
	}
	time.Sleep(100 * time.Millisecond) // until the last words are read
	return s.cmd.ProcessState.ExitCode()
}

// mode is how the terminal treats what is typed.
func (s *session) mode(t *testing.T) *term.State {
	t.Helper()
	m, err := term.GetState(s.tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	return m
}
